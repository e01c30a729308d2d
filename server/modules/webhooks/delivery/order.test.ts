import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { waiting } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { until } from '../../../../test/until.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import { emit } from '../../../lib/events/emit.ts'
import { postEvents } from '../../posts/record/posts.events.ts'
import { readPost } from '../../posts/record/select-posts.ts'
import { holdDisabled } from '../auto-disable.ts'
import { recoverDeliveries } from '../delivery-log/redelivery.ts'

// PostgreSQL dates events by its own clock.
const t = await testApp({}, { origin: new Date() })

async function withWebhook() {
  const person = await withWorkspace(t)
  const { body } = expectStatus(
    await person.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] }),
    201,
  )
  return { person, path: `/api/v1/webhooks/${body.id}`, webhook_id: body.id as string }
}
/** The caller for functions that are called without a route. */
const as = ({ id, email }: WorkspaceOwner) => ({
  user_id: id,
  email,
  ip: null,
  user_agent: null,
  is_instance_admin: false,
  session_id: null,
  token: null,
})
const draft = async (person: WorkspaceOwner) =>
  expectStatus(await person.post('/api/v1/posts', { content: 'Hello' }), 201).body
const statesOf = async (webhook_id: string) =>
  (
    await t.deps.db.selectFrom('delivery').select('state').where('webhook_id', '=', webhook_id).orderBy('id').execute()
  ).map(({ state }) => state)
const setActive = (db: Tx | TestApp['deps']['db'], webhook_id: string, active: boolean) =>
  db.updateTable('webhook').set({ active }).where('id', '=', webhook_id).execute()

/** Runs `first` in a transaction, begins `acts` that wait for its commit, and returns their results. */
async function behind<A>(first: (tx: Tx) => Promise<unknown>, ...acts: (() => Promise<A>)[]) {
  const acting = await inTransaction(t.deps.db, async (tx) => {
    await first(tx)
    const begun: Promise<A>[] = []
    for (const act of acts) {
      begun.push(act())
      await until(async () => expect(await waiting(t)).toBe(begun.length))
    }
    return { begun }
  })
  return Promise.all(acting.begun)
}

describe('enabling and disabling', () => {
  test.each([true, false])(
    'setting active to %s waits for the events being written, and later events wait for it',
    async (active) => {
      const { person, path, webhook_id } = await withWebhook()
      await setActive(t.deps.db, webhook_id, !active)
      const post = await readPost(t.deps.db, person, (await draft(person)).id)
      await sql`delete from delivery where webhook_id = ${webhook_id}`.execute(t.deps.db)
      const by = { id: person.id, email: person.email, token_id: null }
      const write = (tx: Tx) => emit(tx, postEvents['post.created'], person.workspace_id, { post, by }, t.clock.now())
      const [patched] = await behind(
        write,
        () => person.patch(path, { active }),
        () => person.post('/api/v1/posts', { content: 'Later' }),
      )
      expect(patched && expectStatus(patched, 200).body.active).toBe(active)
      expect(await statesOf(webhook_id)).toEqual(active ? ['held', 'waiting'] : ['waiting', 'held'])
      await t.runJobs()
      expect(await statesOf(webhook_id)).toEqual(active ? ['held', 'waiting'] : ['held', 'held'])
    },
  )

  test('enabling and disabling do not wait for the events of another workspace', async () => {
    const { person, path } = await withWebhook()
    const other = await withWebhook()
    const post = await readPost(t.deps.db, other.person, (await draft(other.person)).id)
    const by = { id: other.person.id, email: other.person.email, token_id: null }
    await inTransaction(t.deps.db, async (tx) => {
      await emit(tx, postEvents['post.created'], other.person.workspace_id, { post, by }, t.clock.now())
      expectStatus(await person.patch(path, { active: false }), 200)
      // A change of the description does not wait for events of its own workspace either.
      expectStatus(await other.person.patch(other.path, { description: 'Meanwhile' }), 200)
    })
  })

  test('no delivery is held while a member enables the webhook', async () => {
    const { person, webhook_id } = await withWebhook()
    await draft(person)
    await setActive(t.deps.db, webhook_id, false)
    await behind(
      (tx) => setActive(tx, webhook_id, true),
      () => holdDisabled(t.deps, { webhook_id }),
    )
    expect(await statesOf(webhook_id)).toEqual(['waiting'])
  })

  test('no delivery is retried or recovered while a member disables the webhook', async () => {
    const { person, path, webhook_id } = await withWebhook()
    await draft(person)
    await sql`update delivery set state = 'failed' where webhook_id = ${webhook_id}`.execute(t.deps.db)
    const { id } = await t.deps.db
      .selectFrom('delivery')
      .select('id')
      .where('webhook_id', '=', webhook_id)
      .executeTakeFirstOrThrow()
    const responses = await behind(
      (tx) => setActive(tx, webhook_id, false),
      () => person.post(`${path}/deliveries/${id}/retry`),
      () => person.post(`${path}/recover`, { since: t.clock.now().toISOString() }),
    )
    for (const response of responses) expectProblem(response, 409, 'invalid_transition')
    expect(await statesOf(webhook_id)).toEqual(['failed'])
  })
})

test('the second of two concurrent recoveries queues what the first has left', async () => {
  const { person, path, webhook_id } = await withWebhook()
  for (let n = 0; n < 3; n++) await draft(person)
  await sql`update delivery set state = 'failed' where webhook_id = ${webhook_id}`.execute(t.deps.db)
  const since = t.clock.now().toISOString()
  const [second] = await behind(
    async (tx) => {
      const caller = { ...as(person), workspace_id: person.workspace_id, role: 'owner' } as const
      const queued = await recoverDeliveries({ ...t.deps, db: tx }, caller, webhook_id, { since })
      expect(queued).toEqual({ queued: 3, remaining: 0 })
    },
    () => person.post(`${path}/recover`, { since }),
  )
  expect(second && expectStatus(second, 200).body).toEqual({ queued: 0, remaining: 0 })
})
