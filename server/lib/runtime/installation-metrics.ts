import { type RawBuilder, sql } from 'kysely'
import { Gauge, Registry } from 'prom-client'
import type { Deps } from '../deps.ts'

type Row = Record<string, string | number | null>

/** Numbers that one query reads: a row for each set of labels, with a column for each label and each gauge. */
export type Reading = {
  query: RawBuilder<Row>
  labels?: string[]
  /** Descriptions of the gauges by their columns. The name of a gauge is that of its column after `meydan_`. */
  gauges: Record<string, string>
}

/** Seconds since a time; null if there is none. */
export const secondsSince = (time: RawBuilder<unknown>) => sql`greatest(0, extract(epoch from now() - ${time}))`

/** Milliseconds for which numbers are reused, so that frequent scrapes cost the database nothing. */
const MAX_AGE_MS = 10_000

/** Numbers of the whole installation, which every node reports alike. The returned function reads them. */
export function createInstallationMetrics({ db, log }: Pick<Deps, 'db' | 'log'>, readings: Reading[]) {
  const registry = new Registry()
  const registers = [registry]
  const readable = new Gauge({
    name: 'meydan_installation_readable',
    help: '1 if the numbers of the installation could be read from the database, else 0.',
    registers,
  })
  const sources = readings.map(({ query, labels = [], gauges }) => ({
    query,
    labels,
    gauges: Object.entries(gauges).map(([column, help]) => ({
      column,
      gauge: new Gauge({ name: `meydan_${column}`, help, labelNames: labels, registers }),
    })),
  }))

  async function read() {
    const read = await Promise.all(
      sources.map(async ({ query, ...source }) => ({ ...source, rows: (await query.execute(db)).rows })),
    )
    for (const { labels, gauges, rows } of read)
      for (const { column, gauge } of gauges) {
        gauge.reset()
        for (const row of rows)
          gauge.set(Object.fromEntries(labels.map((name) => [name, row[name] ?? ''])), Number(row[column] ?? 0))
      }
    readable.set(1)
  }

  const noteFailure = (err: unknown) => {
    // Old numbers would hide the outage. A reset leaves a gauge without labels at 0, which would be a number too.
    for (const { labels, gauges } of sources)
      for (const { gauge } of gauges)
        if (labels.length > 0) gauge.reset()
        else gauge.remove()
    readable.set(0)
    log.warn({ err }, 'the metrics of the installation could not be read')
  }

  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  return async () => {
    if (performance.now() - readAt > MAX_AGE_MS)
      reading ??= read()
        .catch(noteFailure)
        .finally(() => {
          readAt = performance.now()
          reading = undefined
        })
    await reading
    return registry
  }
}

export const databaseUse: Reading = {
  query: sql`
    select pg_database_size(current_database()) as database_bytes, (
      select ${secondsSince(sql`min(xact_start)`)} from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
    ) as database_oldest_transaction_seconds`,
  gauges: {
    database_bytes: 'Size of the database.',
    database_oldest_transaction_seconds: 'Age of the oldest open transaction.',
  },
}
