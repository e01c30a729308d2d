import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  attempted,
  changeDeliveries,
  createWebhook,
  deliveriesOf,
  deliveriesPath,
  NOTHING,
  openDeliveries,
  withDeliveries,
} from '../../../../test/deliveries.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'

// PostgreSQL dates events by its own clock.
const t = await testApp({}, { origin: new Date() })
const owner = await withWorkspace(t)

describe('POST /webhooks/:id/deliveries/:delivery_id/retry', () => {
  const retry = (person: WorkspaceOwner, webhook: { id: string }, id: string | undefined) =>
    person.post(deliveriesPath(webhook, `/${id}/retry`))
  const last = () => t.deps.config.WEBHOOK_RETRY_SCHEDULE.length - 1

  test('200 makes a waiting delivery due at once, and it keeps its place in the retry schedule', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    await attempted(t, ids[0], { ok: false })
    await changeDeliveries(t, [ids[0]], { run_at: new Date(t.clock.now().getTime() + 300_000) })
    const { body } = expectStatus(await retry(person, webhook, ids[0]), 200)
    expect(body).toMatchObject({ state: 'waiting', attempts: 1, next_attempt_at: t.clock.now().toISOString() })
    expect(await openDeliveries(t, webhook.id)).toMatchObject([{ step: 1, trigger: 'retry', claim_id: null }])
    const { data } = (await person.get('/api/v1/workspace/audit-log?action=webhook.delivery_retried')).body
    expect(data).toMatchObject([
      { target_id: webhook.id, details: { delivery_id: ids[0], before: { state: 'waiting' } } },
    ])
  })

  test.each(['failed', 'held'])('200 gives a %s delivery one attempt', async (state) => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    await changeDeliveries(t, [ids[0]], { state, attempts: 10, step: 10 })
    expect(expectStatus(await retry(person, webhook, ids[0]), 200).body).toMatchObject({
      state: 'waiting',
      attempts: 10,
      next_attempt_at: t.clock.now().toISOString(),
    })
    expect(await openDeliveries(t, webhook.id)).toMatchObject([{ step: last(), trigger: 'retry' }])
  })

  test('200 sends a delivered one again as the same delivery, and it is listed once', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    const [before] = await openDeliveries(t, webhook.id)
    await attempted(t, ids[0], { ok: false })
    await attempted(t, ids[0], { n: 2 })
    const { body } = expectStatus(await retry(person, webhook, ids[0]), 200)
    expect(body).toMatchObject({ id: ids[0], state: 'waiting', attempts: 2, last_status: 200 })
    expect(await openDeliveries(t, webhook.id)).toMatchObject([
      { id: ids[0], event_id: before?.event_id, type: 'post.created', attempts: 2, step: last(), trigger: 'retry' },
    ])
    expect((await deliveriesOf(person, webhook)).data).toEqual([body])
    await attempted(t, ids[0], { n: 3 })
    const { body: detail } = expectStatus(await person.get(deliveriesPath(webhook, `/${ids[0]}`)), 200)
    expect(detail).toMatchObject({ state: 'delivered', attempts: 3 })
    expect(detail.attempt_log).toMatchObject([{ n: 3, trigger: 'retry' }, { n: 2 }, { n: 1 }])
  })

  test('200 for two concurrent calls queues a delivered one once', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    await attempted(t, ids[0])
    const responses = await Promise.all([1, 2, 3].map(() => retry(person, webhook, ids[0])))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await openDeliveries(t, webhook.id)).toHaveLength(1)
  })

  test('200 lets an open circuit be probed at once', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    await t.deps.db
      .updateTable('webhook_health')
      .set({ circuit_until: new Date(t.clock.now().getTime() + 900_000) })
      .where('webhook_id', '=', webhook.id)
      .execute()
    expectStatus(await retry(person, webhook, ids[0]), 200)
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.circuit).toBe('half_open')
  })

  test('409 in_flight while it is being sent, and 200 after its lease has ended', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    const lease = new Date(t.clock.now().getTime() + 60_000)
    await changeDeliveries(t, [ids[0]], { claim_id: NOTHING, run_at: lease })
    const refused = await retry(person, webhook, ids[0])
    expect(expectProblem(refused, 409, 'invalid_transition').state).toBe('in_flight')
    expect(await openDeliveries(t, webhook.id)).toMatchObject([{ claim_id: NOTHING, run_at: lease }])
    await changeDeliveries(t, [ids[0]], { run_at: t.clock.now() })
    expectStatus(await retry(person, webhook, ids[0]), 200)
    expect(await openDeliveries(t, webhook.id)).toMatchObject([{ claim_id: null }])
  })

  test('409 disabled for a disabled webhook, whatever the state of the delivery', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 2)
    await attempted(t, ids[0])
    expectStatus(await person.patch(`/api/v1/webhooks/${webhook.id}`, { active: false }), 200)
    for (const id of ids)
      expect(expectProblem(await retry(person, webhook, id), 409, 'invalid_transition').state).toBe('disabled')
    expectProblem(await retry(person, webhook, NOTHING), 404, 'not_found')
  })

  test('409 exhausted after 1,000 attempts in every state, and 200 before', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 2)
    await attempted(t, ids[0], { n: 1000 })
    for (const state of ['waiting', 'failed', 'held']) {
      await changeDeliveries(t, [ids[1]], { state, attempts: 1000 })
      for (const id of ids)
        expect(expectProblem(await retry(person, webhook, id), 409, 'invalid_transition').state).toBe('exhausted')
    }
    await changeDeliveries(t, [ids[1]], { attempts: 999 })
    expectStatus(await retry(person, webhook, ids[1]), 200)
    expect(await openDeliveries(t, webhook.id)).toMatchObject([{ id: ids[1], attempts: 999, state: 'waiting' }])
  })

  test('409 for a test event', async () => {
    const webhook = await createWebhook(owner)
    const { body } = expectStatus(await owner.post(`/api/v1/webhooks/${webhook.id}/test`), 200)
    expect(expectProblem(await retry(owner, webhook, body.delivery_id), 409, 'invalid_transition').state).toBe('test')
  })

  test('404 for an unknown delivery, one of another webhook, and one of another workspace', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    expectProblem(await retry(person, webhook, NOTHING), 404, 'not_found')
    expectProblem(await retry(person, await createWebhook(person), ids[0]), 404, 'not_found')
    expectProblem(await retry(owner, webhook, ids[0]), 404, 'not_found')
  })

  test('403 for editors, and for tokens that may only read', async () => {
    const webhook = await createWebhook(owner)
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectProblem(await retry(editor, webhook, NOTHING), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['webhooks:read'])
    const where = `/api/v1/public/webhooks/${webhook.id}/deliveries/${NOTHING}/retry`
    expectProblem(await reader.post(where), 403, 'insufficient_scope')
    expectProblem(await (await withToken(t, owner, ['webhooks:write'])).post(where), 404, 'not_found')
  })
})

describe('POST /webhooks/:id/recover', () => {
  const DAY = 86_400_000
  const ago = (ms: number) => new Date(t.clock.now().getTime() - ms).toISOString()
  const recover = (person: WorkspaceOwner, webhook: { id: string }, since = ago(DAY)) =>
    person.post(`/api/v1/webhooks/${webhook.id}/recover`, { since })

  test('200 queues held and failed deliveries with the full retry schedule, and no others', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 4)
    await attempted(t, ids[0])
    await changeDeliveries(t, [ids[1]], { state: 'failed', step: 10, attempts: 10 })
    await changeDeliveries(t, [ids[2]], { state: 'held' })
    await changeDeliveries(t, [ids[3]], { step: 3, attempts: 3 })
    const since = ago(DAY)
    expect(expectStatus(await recover(person, webhook, since), 200).body).toEqual({ queued: 2, remaining: 0 })
    expect(await openDeliveries(t, webhook.id)).toMatchObject([
      { id: ids[1], state: 'waiting', step: 0, attempts: 10, trigger: 'recover', run_at: t.clock.now() },
      { id: ids[2], state: 'waiting', step: 0, attempts: 0, trigger: 'recover', run_at: t.clock.now() },
      { id: ids[3], step: 3, trigger: 'schedule' },
    ])
    const { data } = (await person.get('/api/v1/workspace/audit-log?action=webhook.recovered')).body
    expect(data).toMatchObject([{ target_id: webhook.id, details: { since, queued: 2, remaining: 0 } }])
  })

  test('200 queues only deliveries of events since that time', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 2)
    await changeDeliveries(t, ids, { state: 'held' })
    const [first] = await openDeliveries(t, webhook.id)
    await t.deps.db
      .updateTable('event')
      .set({ created_at: new Date(t.clock.now().getTime() - 1000) })
      .where('id', '=', first?.event_id ?? '')
      .execute()
    expect(expectStatus(await recover(person, webhook, ago(999)), 200).body).toEqual({ queued: 1, remaining: 0 })
    expect((await openDeliveries(t, webhook.id)).map(({ state }) => state)).toEqual(['held', 'waiting'])
    expect(expectStatus(await recover(person, webhook, ago(1000)), 200).body).toEqual({ queued: 1, remaining: 0 })
  })

  test('200 for two concurrent calls queues each delivery once', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 5)
    await changeDeliveries(t, ids, { state: 'held' })
    const responses = await Promise.all([1, 2, 3].map(() => recover(person, webhook)))
    const queued = responses.map((response) => expectStatus(response, 200).body.queued)
    expect(queued.sort()).toEqual([0, 0, 5])
  })

  test('200 queues at most 100,000, oldest first, and returns how many remain', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person)
    await sql`
      with made as (
        insert into event (id, workspace_id, type, payload, created_at)
        select uuidv7(), ${person.workspace_id}::uuid, 'post.created', '{}', ${t.clock.now()}::timestamptz
        from generate_series(1, 100002) returning id
      ) insert into delivery (id, webhook_id, event_id, type, state, run_at)
        select id, ${webhook.id}::uuid, id, 'post.created', 'held', ${t.clock.now()}::timestamptz from made`.execute(
      t.deps.db,
    )
    const kept = async () =>
      (await openDeliveries(t, webhook.id)).filter(({ state }) => state === 'held').map(({ id }) => id)
    const last = (await kept()).slice(-2)
    expect(expectStatus(await recover(person, webhook), 200).body).toEqual({ queued: 100_000, remaining: 2 })
    expect(await kept()).toEqual(last)
    expect(expectStatus(await recover(person, webhook), 200).body).toEqual({ queued: 2, remaining: 0 })
  })

  test('400 for a time more than 30 days ago, and 200 for 30 days', async () => {
    const webhook = await createWebhook(owner)
    expectProblem(await recover(owner, webhook, ago(30 * DAY + 1)), 400, 'validation_failed', '/since')
    expectStatus(await recover(owner, webhook, ago(30 * DAY)), 200)
  })

  test.each([{}, { since: 'yesterday' }, { since: '2026-02-30T00:00:00Z' }, { since: null }, { since: 7 }])(
    '400 for %j',
    async (body) => {
      const webhook = await createWebhook(owner)
      const response = await owner.post(`/api/v1/webhooks/${webhook.id}/recover`, body)
      expectProblem(response, 400, 'validation_failed', '/since')
    },
  )

  test('409 disabled while the webhook is disabled', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    await changeDeliveries(t, ids, { state: 'held' })
    expectStatus(await person.patch(`/api/v1/webhooks/${webhook.id}`, { active: false }), 200)
    expect(expectProblem(await recover(person, webhook), 409, 'invalid_transition').state).toBe('disabled')
    expectStatus(await person.patch(`/api/v1/webhooks/${webhook.id}`, { active: true }), 200)
    expect(expectStatus(await recover(person, webhook), 200).body.queued).toBe(1)
  })

  test('404 for a webhook of another workspace; 403 for editors and tokens that may only read', async () => {
    const webhook = await createWebhook(owner)
    expectProblem(await recover(await withWorkspace(t), webhook), 404, 'not_found')
    expectProblem(await recover(await memberOf(t, owner.workspace_id, 'editor'), webhook), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['webhooks:read'])
    const response = await reader.post(`/api/v1/public/webhooks/${webhook.id}/recover`, { since: ago(0) })
    expectProblem(response, 403, 'insufficient_scope')
  })
})
