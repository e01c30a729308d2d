import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import type { Clock } from './clock.ts'

const EVERY_MS = 10_000

/** The tables and the column of each that holds the last use. */
const columns = { api_token: 'last_used_at', session: 'seen_at' } as const

/**
 * Records when tokens and sessions were last used, to the minute, in one statement per table instead of one write per
 * request. A crash loses the times not yet written.
 */
export function createLastUse({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
  const used = { api_token: new Map<string, number>(), session: new Map<string, number>() }

  async function write(table: keyof typeof columns) {
    const noted = used[table]
    if (noted.size === 0) return
    used[table] = new Map()
    const column = sql.ref(columns[table])
    // Sorted, so that every node locks rows in the same order.
    const ids = [...noted.keys()].sort()
    const times = ids.map((id) => new Date((noted.get(id) ?? 0) * 60_000))
    await sql`update ${sql.table(table)} set ${column} = used.at
      from unnest(${ids}::uuid[], ${times}::timestamptz[]) as used (id, at)
      where ${sql.table(table)}.id = used.id and (${column} is null or ${column} < used.at)`.execute(db)
  }
  const flush = async () => {
    await write('api_token')
    await write('session')
  }

  const timer = setInterval(
    () => void flush().catch((err) => log.warn({ err }, 'the time of last use could not be saved')),
    EVERY_MS,
  )
  timer.unref()

  return {
    note: (table: keyof typeof columns, id: string) => {
      used[table].set(id, Math.floor(clock.now().getTime() / 60_000))
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

export type LastUse = ReturnType<typeof createLastUse>
