import pg from 'pg'
import type { Logger } from 'pino'
import { codeOf } from '../error-code.ts'
import { type ConnectionConfig, isUnreachable, surviveBrokenConnections } from './database.ts'
import { isMigrated, isReadOnly } from './migrate.ts'

const TIMEOUT_MS = 3000

/** Why Meydan cannot work with its database now. */
export type NotReady = 'unreachable' | 'read_only' | 'not_migrated'

/**
 * Checks whether Meydan can work with its database. It has a connection of its own, so that it never waits behind
 * requests. Simultaneous checks are one query.
 */
export function createReadiness(connection: ConnectionConfig, log: Logger) {
  const pool = new pg.Pool({
    ...connection,
    max: 1,
    keepAlive: true,
    application_name: 'meydan-readiness',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  surviveBrokenConnections(pool)

  const ask = async (): Promise<NotReady | undefined> => {
    const client = await pool.connect()
    let reason: NotReady | undefined = 'unreachable'
    try {
      reason = (await isReadOnly(client)) ? 'read_only' : (await isMigrated(client)) ? undefined : 'not_migrated'
      return reason
    } finally {
      // The next check connects again: this connection may be broken, or lead to a server that is no longer the primary.
      client.release(reason !== undefined)
    }
  }
  let asking: Promise<NotReady | undefined> | undefined
  return {
    /** The reason why Meydan is not ready; undefined when it is. */
    check: () => {
      asking ??= ask()
        .catch((error: unknown) => {
          // Tables or columns that another version has not created yet.
          if (['42P01', '42703'].includes(codeOf(error))) return 'not_migrated' as const
          if (!isUnreachable(error)) log.error({ err: error }, 'the database could not be checked')
          return 'unreachable' as const
        })
        .finally(() => {
          asking = undefined
        })
      return asking
    },
    /** Whether a new file can be written, which a full disk refuses although it lets tables reuse their own space. */
    canWrite: async () => {
      const client = await pool.connect()
      try {
        // Without `begin`, PostgreSQL drops the table when the statement ends.
        await client.query(
          "create temp table probe on commit drop as select string_agg(md5(n::text), '') from generate_series(1, 2000) n",
        )
        return true
      } catch {
        return false
      } finally {
        client.release(true)
      }
    },
    close: () => pool.end(),
  }
}

export type Readiness = ReturnType<typeof createReadiness>
