import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import type { Db } from '../../lib/database.ts'

const EVERY_MS = 10_000

/** Notes when tokens were last used, to the minute, in one statement for all of them: never a write per request. */
export function createTokenUsage({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
  const used = new Map<string, Date>()

  async function flush() {
    if (used.size === 0) return
    const ids = [...used.keys()]
    const times = [...used.values()]
    used.clear()
    await sql`update api_token set last_used_at = used.at
      from unnest(${ids}::uuid[], ${times}::timestamptz[]) as used (id, at)
      where api_token.id = used.id and (last_used_at is null or last_used_at < used.at)`.execute(db)
  }

  const timer = setInterval(
    () => void flush().catch((err) => log.warn({ err }, 'last use of tokens not noted')),
    EVERY_MS,
  )
  timer.unref()

  return {
    note: (id: string) => {
      const at = clock.now()
      at.setUTCSeconds(0, 0)
      used.set(id, at)
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

export type TokenUsage = ReturnType<typeof createTokenUsage>
