import type { TestApp } from './app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from './factories.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Records that no node did jobs from then until now, as the first heartbeat after it does. */
export const recordOutage = (t: TestApp, began_at: Date) =>
  t.deps.db.insertInto('worker_outage').values({ began_at, ended_at: t.clock.now() }).execute()

/** Passes time in which no node does jobs. */
export async function passOutage(t: TestApp, ms: number) {
  const began_at = t.clock.now()
  t.advance(ms)
  await recordOutage(t, began_at)
}

/** Schedules a post on these accounts, by default on one of Playground. */
export async function schedulePost(t: TestApp, owner: WorkspaceOwner, ms: number, more: object = {}) {
  const scheduled_at = new Date(t.clock.now().getTime() + ms).toISOString()
  const account_ids = 'account_ids' in more ? [] : [await playgroundAccount(owner)]
  return expectStatus(await owner.post('/api/v1/posts', { content: 'Hello', account_ids, scheduled_at, ...more }), 201)
    .body
}

/** A post that is held because it was due at the beginning of an outage of three hours. */
export async function latePost(t: TestApp, owner: WorkspaceOwner, more: object = {}) {
  const post = await schedulePost(t, owner, MINUTE, more)
  await passOutage(t, 3 * HOUR)
  await t.runJobs()
  return post
}
