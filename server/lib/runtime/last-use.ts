import { sql } from 'kysely'
import { MINUTE } from '../../../shared/time.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/database-types.ts'
import type { Clock } from './clock.ts'
import type { OutageLog } from './logging/outage-log.ts'

const EVERY_MS = 10_000

/**
 * Records when rows were last used, to the minute, in one statement per table instead of one write per request. A crash
 * loses the times not yet written.
 */
export function createLastUse({ db, clock, outageLog }: { db: Db; clock: Clock; outageLog: OutageLog }) {
  const writers: (() => Promise<void>)[] = []

  /** For the module that owns the table. Returns a function that notes the use of a row. */
  function column(table: keyof DB, name: string) {
    let noted = new Map<string, number>()
    writers.push(async () => {
      if (noted.size === 0) return
      const used = noted
      noted = new Map()
      const field = sql.ref(name)
      // Sorted, so that every node locks rows in the same order.
      const ids = [...used.keys()].sort()
      const times = ids.map((id) => new Date((used.get(id) ?? 0) * MINUTE))
      await sql`update ${sql.table(table)} set ${field} = used.at
        from unnest(${ids}::uuid[], ${times}::timestamptz[]) as used (id, at)
        where ${sql.table(table)}.id = used.id and (${field} is null or ${field} < used.at)`.execute(db)
    })
    return (id: string) => {
      noted.set(id, Math.floor(clock.now().getTime() / MINUTE))
    }
  }
  const flush = async () => {
    for (const write of writers) await write()
  }

  const timer = setInterval(
    () => void flush().catch((err) => outageLog.report(err, 'the time of last use could not be saved')),
    EVERY_MS,
  )
  timer.unref()

  return {
    column,
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

export type LastUse = ReturnType<typeof createLastUse>
