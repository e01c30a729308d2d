import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'

const NOTHING = '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d56'

let t: TestApp
let owner: WorkspaceOwner
beforeAll(async () => {
  t = await testApp()
  owner = await withWorkspace(t)
})
afterAll(() => t.close())

const createWebhook = async (person = owner, events = ['*']): Promise<{ id: string; workspace_id: string }> =>
  expectStatus(await person.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events }), 201).body
const path = ({ id }: { id: string }, rest = '') => `/api/v1/webhooks/${id}/deliveries${rest}`
const draft = async (person: WorkspaceOwner) =>
  expectStatus(await person.post('/api/v1/posts', { content: 'Hello' }), 201).body
const rows = ({ id }: { id: string }) =>
  t.deps.db.selectFrom('delivery').selectAll().where('webhook_id', '=', id).orderBy('id').execute()
/** Creates a webhook in a workspace of its own with this many waiting deliveries, oldest first. */
async function withDeliveries(count: number) {
  const person = await withWorkspace(t)
  const webhook = await createWebhook(person)
  for (let n = 0; n < count; n++) await draft(person)
  return { person, webhook, ids: (await rows(webhook)).map(({ id }) => id) }
}
const change = (ids: (string | undefined)[], values: object) =>
  t.deps.db
    .updateTable('delivery')
    .set(values)
    .where(
      'id',
      'in',
      ids.filter((id) => id !== undefined),
    )
    .execute()

type Tried = { n?: number; ok?: boolean; status?: number | null; error?: string | null }
/** Records an attempt as the dispatcher does: of a successful delivery, only the attempt is left. */
async function attempted(
  id: string | undefined,
  { n = 1, ok = true, status = ok ? 200 : 500, error = null }: Tried = {},
) {
  const { webhook_id, event_id, type, trigger } = await t.deps.db
    .selectFrom('delivery')
    .selectAll()
    .where('id', '=', id ?? '')
    .executeTakeFirstOrThrow()
  const at = t.clock.now()
  const attempt = {
    webhook_id,
    event_id,
    type,
    trigger,
    n,
    at,
    ok,
    done: ok,
    status,
    error,
    response: 'ok',
    duration_ms: 7,
  }
  await t.deps.db
    .insertInto('attempt')
    .values({ ...attempt, delivery_id: id ?? '' })
    .execute()
  if (ok)
    await t.deps.db
      .deleteFrom('delivery')
      .where('id', '=', id ?? '')
      .execute()
  else await change([id], { attempts: n, step: n })
}
const list = async (person: WorkspaceOwner, webhook: { id: string }, query = '') =>
  expectStatus(await person.get(path(webhook, query)), 200).body

describe('GET /webhooks/:id/deliveries', () => {
  test('200 with waiting, held, failed and delivered ones, newest first', async () => {
    const { person, webhook, ids } = await withDeliveries(5)
    await attempted(ids[0])
    await attempted(ids[1], { ok: false, status: null, error: 'No answer in time.' })
    await change([ids[1]], { state: 'failed' })
    await change([ids[2]], { state: 'held' })
    await change([ids[4]], { claim_id: NOTHING, run_at: new Date(t.clock.now().getTime() + 60_000) })
    const { data, next_cursor } = await list(person, webhook)
    expect(next_cursor).toBeNull()
    const events = await rows(webhook)
    const now = t.clock.now().toISOString()
    const plain = {
      type: 'post.created',
      attempts: 0,
      next_attempt_at: null,
      last_attempt_at: null,
      last_status: null,
      last_error: null,
      created_at: now,
      subject: { id: expect.any(String), text: 'Hello' },
    }
    const event_id = (id: string | undefined) => events.find((row) => row.id === id)?.event_id
    expect(data).toEqual([
      { ...plain, id: ids[4], event_id: event_id(ids[4]), state: 'waiting' },
      { ...plain, id: ids[3], event_id: event_id(ids[3]), state: 'waiting', next_attempt_at: now },
      { ...plain, id: ids[2], event_id: event_id(ids[2]), state: 'held' },
      {
        ...plain,
        id: ids[1],
        event_id: event_id(ids[1]),
        state: 'failed',
        attempts: 1,
        last_attempt_at: now,
        last_error: 'No answer in time.',
      },
      {
        ...plain,
        id: ids[0],
        event_id: expect.any(String),
        state: 'delivered',
        attempts: 1,
        last_attempt_at: now,
        last_status: 200,
      },
    ])
  })

  test('200 in pages has every delivery once, even if some are sent between the calls', async () => {
    const { person, webhook, ids } = await withDeliveries(9)
    for (const n of [0, 1, 3, 6, 8]) await attempted(ids[n])
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(person, webhook, `?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(page.data.length).toBeLessThanOrEqual(2)
      seen.push(...page.data.map(({ id }: { id: string }) => id))
      cursor = page.next_cursor
      if (seen.length === 4) await attempted(ids[2])
    }
    expect(seen).toEqual(ids.toReversed())
  })

  test('200 filters by state, type and event', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person)
    const post = await draft(person)
    expectStatus(await person.patch(`/api/v1/posts/${post.id}`, { content: 'Changed' }), 200)
    const [created, updated] = await rows(webhook)
    await draft(person)
    await attempted(created?.id)
    await change([updated?.id], { state: 'failed' })
    const of = async (query: string) => (await list(person, webhook, query)).data.map(({ id }: { id: string }) => id)
    const all = await of('')
    expect(all).toHaveLength(3)
    expect(await of('?state=delivered')).toEqual([created?.id])
    expect(await of('?state=failed')).toEqual([updated?.id])
    expect(await of('?state=waiting')).toEqual([all[0]])
    expect(await of('?state=held')).toEqual([])
    expect(await of('?type=post.created')).toEqual([all[0], created?.id])
    expect(await of('?type=post.updated')).toEqual([updated?.id])
    expect(await of('?type=post.burned')).toEqual([])
    for (const row of [created, updated]) expect(await of(`?event_id=${row?.event_id}`)).toEqual([row?.id])
    expect(await of(`?event_id=${created?.event_id}&state=waiting`)).toEqual([])
    expect(await of(`?event_id=${NOTHING}`)).toEqual([])
    expect(await of('?type=post.created&state=delivered')).toEqual([created?.id])
  })

  test('200 filters by the time of the event, to the millisecond, in every state', async () => {
    const { person, webhook, ids } = await withDeliveries(6)
    const now = t.clock.now().getTime()
    const of = async (query: string) => (await list(person, webhook, query)).data.map(({ id }: { id: string }) => id)
    const written = await rows(webhook)
    for (const [at, { event_id }] of written.entries())
      await t.deps.db
        .updateTable('event')
        .set({ created_at: new Date(now + at) })
        .where('id', '=', event_id)
        .execute()
    await attempted(ids[1])
    await attempted(ids[3], { ok: false })
    await change([ids[4]], { state: 'held' })
    const time = (ms: number) => new Date(now + ms).toISOString()
    expect(await of(`?since=${time(1)}&until=${time(5)}`)).toEqual([ids[4], ids[3], ids[2], ids[1]])
    expect(await of(`?since=${time(3)}`)).toEqual([ids[5], ids[4], ids[3]])
    expect(await of(`?until=${time(1)}`)).toEqual([ids[0]])
    expect(await of(`?since=${time(1)}&state=delivered`)).toEqual([ids[1]])
    expect(await of(`?since=${time(2)}&until=${time(2)}`)).toEqual([])
    expect(await of(`?since=${time(600_000)}`)).toEqual([])
    expect(await of(`?until=${time(-600_000)}`)).toEqual([])
    const event = written[3]?.event_id
    expect(await of(`?event_id=${event}&since=${time(3)}&until=${time(4)}`)).toEqual([ids[3]])
    expect(await of(`?event_id=${event}&until=${time(3)}`)).toEqual([])
    const { data, next_cursor } = await list(person, webhook, `?since=${time(1)}&limit=3`)
    expect(data).toHaveLength(3)
    expect(await of(`?since=${time(1)}&limit=3&cursor=${next_cursor}`)).toEqual([ids[2], ids[1]])
  })

  test('200 filters by whether an attempt was made, which finds deliveries that are being retried', async () => {
    const { person, webhook, ids } = await withDeliveries(4)
    await attempted(ids[0])
    await attempted(ids[1], { ok: false })
    await attempted(ids[2], { ok: false })
    await change([ids[2]], { state: 'failed' })
    const of = async (query: string) => (await list(person, webhook, query)).data.map(({ id }: { id: string }) => id)
    expect(await of('?attempted=true')).toEqual([ids[2], ids[1], ids[0]])
    expect(await of('?attempted=false')).toEqual([ids[3]])
    expect(await of('?attempted=true&state=waiting')).toEqual([ids[1]])
    expect(await of('?attempted=false&state=waiting')).toEqual([ids[3]])
    expect(await of('?attempted=false&state=delivered')).toEqual([])
    expect(await of('?state=undelivered')).toEqual([ids[2], ids[1]])
    const test = expectStatus(await person.post(`/api/v1/webhooks/${webhook.id}/test`), 200).body
    expect(await of('?state=undelivered&limit=1')).toEqual([test.delivery_id])
  })

  test('200 with the subject: a post, an account or an invitation, but none for a test event and a large payload', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person)
    const content = `🥯 Fresh\n simit ${'x'.repeat(100)}`
    const post = expectStatus(await person.post('/api/v1/posts', { content }), 201).body
    const put = (type: string, data: object) =>
      sql`
        with made as (
          insert into event (id, workspace_id, type, payload, created_at)
          values (uuidv7(), ${person.workspace_id}::uuid, ${type}, ${JSON.stringify({ data })}, ${t.clock.now()}) returning id
        ) insert into delivery (webhook_id, event_id, type, run_at)
          select ${webhook.id}::uuid, id, ${type}, ${t.clock.now()}::timestamptz from made`.execute(t.deps.db)
    await put('account.disconnected', { account: { id: NOTHING, handle: 'bakery.bsky.social' } })
    await put('team.invitation.accepted', { invitation: { id: NOTHING, email: 'ada@example.com' } })
    await put('post.created', { post: { ...post, content: 'x'.repeat(40_000) } })
    expectStatus(await person.post(`/api/v1/webhooks/${webhook.id}/test`), 200)
    const { data } = await list(person, webhook)
    expect(data.map(({ subject }: { subject: unknown }) => subject)).toEqual([
      null,
      null,
      { id: NOTHING, text: 'ada@example.com' },
      { id: NOTHING, text: 'bakery.bsky.social' },
      { id: post.id, text: `🥯 Fresh simit ${'x'.repeat(66)}` },
    ])
  })

  test.each([
    'state=gone',
    'limit=101',
    'limit=0',
    'cursor=x',
    'event_id=x',
    'since=x',
    'until=2026-02-30',
    'attempted=1',
  ])('400 for %s', async (query) => {
    const webhook = await createWebhook()
    const pointer = `/${query.split('=')[0]}`
    expectProblem(await owner.get(path(webhook, `?${query}`)), 400, 'validation_failed', pointer)
  })

  test('404 for a webhook of another workspace; 200 for viewers and tokens that may read', async () => {
    const webhook = await createWebhook()
    expectProblem(await (await withWorkspace(t)).get(path(webhook)), 404, 'not_found')
    await list(await memberOf(t, owner.workspace_id, 'viewer'), webhook)
    const reader = await withToken(t, owner, ['webhooks:read'])
    expectStatus(await reader.get(`/api/v1/public/webhooks/${webhook.id}/deliveries`), 200)
    const other = await withToken(t, owner, ['posts:read'])
    expectProblem(await other.get(`/api/v1/public/webhooks/${webhook.id}/deliveries`), 403, 'insufficient_scope')
  })
})

describe('GET /webhooks/:id/deliveries/:delivery_id', () => {
  test('200 with the attempts and the body as sent, with the event name that the webhook subscribed to', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, ['post.created'])
    await draft(person)
    const [row] = await rows(webhook)
    await attempted(row?.id, { ok: false })
    await attempted(row?.id, { n: 2 })
    await t.deps.db
      .updateTable('attempt')
      .set({ type: 'publish.success' })
      .where('webhook_id', '=', webhook.id)
      .execute()
    const { body } = expectStatus(await person.get(path(webhook, `/${row?.id}`)), 200)
    const event = await t.deps.db
      .selectFrom('event')
      .select('payload')
      .where('id', '=', row?.event_id ?? '')
      .executeTakeFirstOrThrow()
    expect(body.payload).toBe(event.payload.replace('"type":"post.created"', '"type":"publish.success"'))
    const tried = { trigger: 'schedule', at: t.clock.now().toISOString(), duration_ms: 7, response: 'ok', error: null }
    expect(body.attempt_log).toEqual([
      { ...tried, n: 2, ok: true, status: 200 },
      { ...tried, n: 1, ok: false, status: 500 },
    ])
    const { payload: _, attempt_log: __, ...listed } = body
    expect((await list(person, webhook)).data).toEqual([listed])
  })

  test('200 with the latest 50 attempts when there are more', async () => {
    const { person, webhook, ids } = await withDeliveries(1)
    for (let n = 1; n <= 52; n++) await attempted(ids[0], { n, ok: false })
    const { body } = expectStatus(await person.get(path(webhook, `/${ids[0]}`)), 200)
    expect(body.attempts).toBe(52)
    expect(body.attempt_log.map(({ n }: { n: number }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => 52 - n))
  })

  test('404 for an unknown delivery, one of another webhook, and one of another workspace', async () => {
    const { person, webhook, ids } = await withDeliveries(1)
    const other = await createWebhook(person)
    for (const [who, where] of [
      [person, path(webhook, `/${NOTHING}`)],
      [person, path(other, `/${ids[0]}`)],
      [owner, path(webhook, `/${ids[0]}`)],
    ] as const)
      expectProblem(await who.get(where), 404, 'not_found')
    expectProblem(await person.get(path(webhook, '/x')), 400, 'validation_failed', '/delivery_id')
  })
})

describe('POST /webhooks/:id/deliveries/:delivery_id/retry', () => {
  const retry = (person: WorkspaceOwner, webhook: { id: string }, id: string | undefined) =>
    person.post(path(webhook, `/${id}/retry`))
  const last = () => t.deps.config.WEBHOOK_RETRY_SCHEDULE.length - 1

  test('200 makes a waiting delivery due at once, and it keeps its place in the retry schedule', async () => {
    const { person, webhook, ids } = await withDeliveries(1)
    await attempted(ids[0], { ok: false })
    await change([ids[0]], { run_at: new Date(t.clock.now().getTime() + 300_000) })
    const { body } = expectStatus(await retry(person, webhook, ids[0]), 200)
    expect(body).toMatchObject({ state: 'waiting', attempts: 1, next_attempt_at: t.clock.now().toISOString() })
    expect(await rows(webhook)).toMatchObject([{ step: 1, trigger: 'retry', claim_id: null }])
    const { data } = (await person.get('/api/v1/workspace/audit-log?action=webhook.delivery_retried')).body
    expect(data).toMatchObject([
      { target_id: webhook.id, details: { delivery_id: ids[0], before: { state: 'waiting' } } },
    ])
  })

  test.each(['failed', 'held'])('200 gives a %s delivery one attempt', async (state) => {
    const { person, webhook, ids } = await withDeliveries(1)
    await change([ids[0]], { state, attempts: 10, step: 10 })
    expect(expectStatus(await retry(person, webhook, ids[0]), 200).body).toMatchObject({
      state: 'waiting',
      attempts: 10,
      next_attempt_at: t.clock.now().toISOString(),
    })
    expect(await rows(webhook)).toMatchObject([{ step: last(), trigger: 'retry' }])
  })

  test('200 sends a delivered one again as the same delivery, and it is listed once', async () => {
    const { person, webhook, ids } = await withDeliveries(1)
    const [before] = await rows(webhook)
    await attempted(ids[0], { ok: false })
    await attempted(ids[0], { n: 2 })
    const { body } = expectStatus(await retry(person, webhook, ids[0]), 200)
    expect(body).toMatchObject({ id: ids[0], state: 'waiting', attempts: 2, last_status: 200 })
    expect(await rows(webhook)).toMatchObject([
      { id: ids[0], event_id: before?.event_id, type: 'post.created', attempts: 2, step: last(), trigger: 'retry' },
    ])
    expect((await list(person, webhook)).data).toEqual([body])
    await attempted(ids[0], { n: 3 })
    const { body: detail } = expectStatus(await person.get(path(webhook, `/${ids[0]}`)), 200)
    expect(detail).toMatchObject({ state: 'delivered', attempts: 3 })
    expect(detail.attempt_log).toMatchObject([{ n: 3, trigger: 'retry' }, { n: 2 }, { n: 1 }])
  })

  test('200 for two concurrent calls queues a delivered one once', async () => {
    const { person, webhook, ids } = await withDeliveries(1)
    await attempted(ids[0])
    const answers = await Promise.all([1, 2, 3].map(() => retry(person, webhook, ids[0])))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await rows(webhook)).toHaveLength(1)
  })

  test('200 lets an open circuit be probed at once', async () => {
    const { person, webhook, ids } = await withDeliveries(1)
    await t.deps.db
      .updateTable('webhook_health')
      .set({ circuit_until: new Date(t.clock.now().getTime() + 900_000) })
      .where('webhook_id', '=', webhook.id)
      .execute()
    expectStatus(await retry(person, webhook, ids[0]), 200)
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.circuit).toBe('half_open')
  })

  test('409 in_flight while it is being sent, and 200 after its lease has ended', async () => {
    const { person, webhook, ids } = await withDeliveries(1)
    const lease = new Date(t.clock.now().getTime() + 60_000)
    await change([ids[0]], { claim_id: NOTHING, run_at: lease })
    const refused = await retry(person, webhook, ids[0])
    expect(expectProblem(refused, 409, 'invalid_transition').state).toBe('in_flight')
    expect(await rows(webhook)).toMatchObject([{ claim_id: NOTHING, run_at: lease }])
    await change([ids[0]], { run_at: t.clock.now() })
    expectStatus(await retry(person, webhook, ids[0]), 200)
    expect(await rows(webhook)).toMatchObject([{ claim_id: null }])
  })

  test('409 disabled for a disabled webhook, whatever the state of the delivery', async () => {
    const { person, webhook, ids } = await withDeliveries(2)
    await attempted(ids[0])
    expectStatus(await person.patch(`/api/v1/webhooks/${webhook.id}`, { active: false }), 200)
    for (const id of ids)
      expect(expectProblem(await retry(person, webhook, id), 409, 'invalid_transition').state).toBe('disabled')
    expectProblem(await retry(person, webhook, NOTHING), 404, 'not_found')
  })

  test('409 exhausted after 1,000 attempts in every state, and 200 before', async () => {
    const { person, webhook, ids } = await withDeliveries(2)
    await attempted(ids[0], { n: 1000 })
    for (const state of ['waiting', 'failed', 'held']) {
      await change([ids[1]], { state, attempts: 1000 })
      for (const id of ids)
        expect(expectProblem(await retry(person, webhook, id), 409, 'invalid_transition').state).toBe('exhausted')
    }
    await change([ids[1]], { attempts: 999 })
    expectStatus(await retry(person, webhook, ids[1]), 200)
    expect(await rows(webhook)).toMatchObject([{ id: ids[1], attempts: 999, state: 'waiting' }])
  })

  test('409 for a test event', async () => {
    const webhook = await createWebhook()
    const { body } = expectStatus(await owner.post(`/api/v1/webhooks/${webhook.id}/test`), 200)
    expect(expectProblem(await retry(owner, webhook, body.delivery_id), 409, 'invalid_transition').state).toBe('test')
  })

  test('404 for an unknown delivery, one of another webhook, and one of another workspace', async () => {
    const { person, webhook, ids } = await withDeliveries(1)
    expectProblem(await retry(person, webhook, NOTHING), 404, 'not_found')
    expectProblem(await retry(person, await createWebhook(person), ids[0]), 404, 'not_found')
    expectProblem(await retry(owner, webhook, ids[0]), 404, 'not_found')
  })

  test('403 for editors, and for tokens that may only read', async () => {
    const webhook = await createWebhook()
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
    const { person, webhook, ids } = await withDeliveries(4)
    await attempted(ids[0])
    await change([ids[1]], { state: 'failed', step: 10, attempts: 10 })
    await change([ids[2]], { state: 'held' })
    await change([ids[3]], { step: 3, attempts: 3 })
    const since = ago(DAY)
    expect(expectStatus(await recover(person, webhook, since), 200).body).toEqual({ queued: 2, remaining: 0 })
    expect(await rows(webhook)).toMatchObject([
      { id: ids[1], state: 'waiting', step: 0, attempts: 10, trigger: 'recover', run_at: t.clock.now() },
      { id: ids[2], state: 'waiting', step: 0, attempts: 0, trigger: 'recover', run_at: t.clock.now() },
      { id: ids[3], step: 3, trigger: 'schedule' },
    ])
    const { data } = (await person.get('/api/v1/workspace/audit-log?action=webhook.recovered')).body
    expect(data).toMatchObject([{ target_id: webhook.id, details: { since, queued: 2, remaining: 0 } }])
  })

  test('200 queues only deliveries of events since that time', async () => {
    const { person, webhook, ids } = await withDeliveries(2)
    await change(ids, { state: 'held' })
    const [first] = await rows(webhook)
    await t.deps.db
      .updateTable('event')
      .set({ created_at: new Date(t.clock.now().getTime() - 1000) })
      .where('id', '=', first?.event_id ?? '')
      .execute()
    expect(expectStatus(await recover(person, webhook, ago(999)), 200).body).toEqual({ queued: 1, remaining: 0 })
    expect((await rows(webhook)).map(({ state }) => state)).toEqual(['held', 'waiting'])
    expect(expectStatus(await recover(person, webhook, ago(1000)), 200).body).toEqual({ queued: 1, remaining: 0 })
  })

  test('200 for two concurrent calls queues each delivery once', async () => {
    const { person, webhook, ids } = await withDeliveries(5)
    await change(ids, { state: 'held' })
    const answers = await Promise.all([1, 2, 3].map(() => recover(person, webhook)))
    const queued = answers.map((answer) => expectStatus(answer, 200).body.queued)
    expect(queued.sort()).toEqual([0, 0, 5])
  })

  test('200 queues at most 100,000, oldest first, and returns how many remain', { timeout: 60_000 }, async () => {
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
    const kept = async () => (await rows(webhook)).filter(({ state }) => state === 'held').map(({ id }) => id)
    const last = (await kept()).slice(-2)
    expect(expectStatus(await recover(person, webhook), 200).body).toEqual({ queued: 100_000, remaining: 2 })
    expect(await kept()).toEqual(last)
    expect(expectStatus(await recover(person, webhook), 200).body).toEqual({ queued: 2, remaining: 0 })
  })

  test('400 for a time more than 30 days ago, and 200 for 30 days', async () => {
    const webhook = await createWebhook()
    expectProblem(await recover(owner, webhook, ago(30 * DAY + 1)), 400, 'validation_failed', '/since')
    expectStatus(await recover(owner, webhook, ago(30 * DAY)), 200)
  })

  test.each([{}, { since: 'yesterday' }, { since: '2026-02-30T00:00:00Z' }, { since: null }, { since: 7 }])(
    '400 for %j',
    async (body) => {
      const webhook = await createWebhook()
      const answer = await owner.post(`/api/v1/webhooks/${webhook.id}/recover`, body)
      expectProblem(answer, 400, 'validation_failed', '/since')
    },
  )

  test('409 disabled while the webhook is disabled', async () => {
    const { person, webhook, ids } = await withDeliveries(1)
    await change(ids, { state: 'held' })
    expectStatus(await person.patch(`/api/v1/webhooks/${webhook.id}`, { active: false }), 200)
    expect(expectProblem(await recover(person, webhook), 409, 'invalid_transition').state).toBe('disabled')
    expectStatus(await person.patch(`/api/v1/webhooks/${webhook.id}`, { active: true }), 200)
    expect(expectStatus(await recover(person, webhook), 200).body.queued).toBe(1)
  })

  test('404 for a webhook of another workspace; 403 for editors and tokens that may only read', async () => {
    const webhook = await createWebhook()
    expectProblem(await recover(await withWorkspace(t), webhook), 404, 'not_found')
    expectProblem(await recover(await memberOf(t, owner.workspace_id, 'editor'), webhook), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['webhooks:read'])
    const answer = await reader.post(`/api/v1/public/webhooks/${webhook.id}/recover`, { since: ago(0) })
    expectProblem(answer, 403, 'insufficient_scope')
  })
})
