import pg from 'pg'
import { type ConnectionConfig, surviveBrokenConnections } from './database.ts'
import { isMigrated, isReadOnly } from './migrate.ts'

const TIMEOUT_MS = 3000

/** Why Meydan cannot work with its database now. */
export type NotReady = 'unreachable' | 'read_only' | 'not_migrated'

/**
 * Checks whether Meydan can work with its database. It has a connection of its own, so that it never waits behind
 * requests. Simultaneous checks are one query.
 */
export function createReadiness(connection: ConnectionConfig) {
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
    try {
      if (await isReadOnly(client)) return 'read_only'
      return (await isMigrated(client)) ? undefined : 'not_migrated'
    } finally {
      // A new connection each time: one that is kept may lead to a server that is no longer the primary.
      client.release(true)
    }
  }
  let asking: Promise<NotReady | undefined> | undefined
  return {
    /** The reason why Meydan is not ready; undefined when it is. */
    check: () => {
      asking ??= ask()
        .catch(() => 'unreachable' as const)
        .finally(() => {
          asking = undefined
        })
      return asking
    },
    close: () => pool.end(),
  }
}

export type Readiness = ReturnType<typeof createReadiness>
