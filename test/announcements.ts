import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Deps } from '../server/lib/deps.ts'

/**
 * Resolves when this node has received every announcement that was committed before the call. PostgreSQL delivers
 * notifications in the order of their commits, so one more is sent and awaited. It is a broadcast, which invalidates
 * nothing. It is sent again when the node had to connect again, because then it may have been missed.
 */
export async function announcementsArrive({ db, invalidationBus }: Pick<Deps, 'db' | 'invalidationBus'>) {
  const text = randomUUID()
  const { promise: arrived, resolve, reject } = Promise.withResolvers<void>()
  let hasArrived = false
  const send = () => sql`select pg_notify('meydan_wake', ${text})`.execute(db).catch(reject)
  invalidationBus.onBroadcast((received) => {
    if (received !== text) return
    hasArrived = true
    resolve()
  })
  invalidationBus.onInvalidate((message) => {
    if (message === undefined && !hasArrived) void send()
  })
  await send()
  await arrived
}
