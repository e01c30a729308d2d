import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Deps } from '../server/lib/deps.ts'

/**
 * Resolves when this node has received every announcement that was committed before the call. PostgreSQL delivers
 * notifications in the order of their commits, so one more is sent and awaited. It is a broadcast, which invalidates
 * nothing. A node that lost its connection reports instead that it may have missed announcements.
 */
export async function announcementsArrive({ db, invalidationBus }: Pick<Deps, 'db' | 'invalidationBus'>) {
  const text = randomUUID()
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  invalidationBus.onBroadcast((received) => received === text && resolve())
  invalidationBus.onInvalidate((message) => message === undefined && resolve())
  await sql`select pg_notify('meydan_wake', ${text})`.execute(db)
  await arrived
}
