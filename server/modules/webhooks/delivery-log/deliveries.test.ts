import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  attempted,
  changeDeliveries,
  createWebhook,
  deliveriesOf,
  deliveriesPath,
  draft,
  NOTHING,
  openDeliveries,
  withDeliveries,
} from '../../../../test/deliveries.ts'
import { expectStatus, memberOf, withToken, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'

// PostgreSQL dates events by its own clock.
const t = await testApp({}, { origin: new Date() })
const owner = await withWorkspace(t)

describe('GET /webhooks/:id/deliveries', () => {
  test('200 with waiting, held, failed and delivered ones, newest first', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 5)
    await attempted(t, ids[0])
    await attempted(t, ids[1], { ok: false, status: null, error: 'No response in time.' })
    await changeDeliveries(t, [ids[1]], { state: 'failed' })
    await changeDeliveries(t, [ids[2]], { state: 'held' })
    await changeDeliveries(t, [ids[4]], { claim_id: NOTHING, run_at: new Date(t.clock.now().getTime() + 60_000) })
    const { data, next_cursor } = await deliveriesOf(person, webhook)
    expect(next_cursor).toBeNull()
    const events = await openDeliveries(t, webhook.id)
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
        last_error: 'No response in time.',
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
    const { person, webhook, ids } = await withDeliveries(t, 9)
    for (const n of [0, 1, 3, 6, 8]) await attempted(t, ids[n])
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await deliveriesOf(person, webhook, `?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(page.data.length).toBeLessThanOrEqual(2)
      seen.push(...page.data.map(({ id }: { id: string }) => id))
      cursor = page.next_cursor
      if (seen.length === 4) await attempted(t, ids[2])
    }
    expect(seen).toEqual(ids.toReversed())
  })

  test('200 filters by state, type and event', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person)
    const post = await draft(person)
    expectStatus(await person.patch(`/api/v1/posts/${post.id}`, { content: 'Changed' }), 200)
    const [created, updated] = await openDeliveries(t, webhook.id)
    await draft(person)
    await attempted(t, created?.id)
    await changeDeliveries(t, [updated?.id], { state: 'failed' })
    const of = async (query: string) =>
      (await deliveriesOf(person, webhook, query)).data.map(({ id }: { id: string }) => id)
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
    const { person, webhook, ids } = await withDeliveries(t, 6)
    const now = t.clock.now().getTime()
    const of = async (query: string) =>
      (await deliveriesOf(person, webhook, query)).data.map(({ id }: { id: string }) => id)
    const written = await openDeliveries(t, webhook.id)
    for (const [at, { event_id }] of written.entries())
      await t.deps.db
        .updateTable('event')
        .set({ created_at: new Date(now + at) })
        .where('id', '=', event_id)
        .execute()
    await attempted(t, ids[1])
    await attempted(t, ids[3], { ok: false })
    await changeDeliveries(t, [ids[4]], { state: 'held' })
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
    const { data, next_cursor } = await deliveriesOf(person, webhook, `?since=${time(1)}&limit=3`)
    expect(data).toHaveLength(3)
    expect(await of(`?since=${time(1)}&limit=3&cursor=${next_cursor}`)).toEqual([ids[2], ids[1]])
  })

  test('200 filters by whether an attempt was made, which finds deliveries that are being retried', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 4)
    await attempted(t, ids[0])
    await attempted(t, ids[1], { ok: false })
    await attempted(t, ids[2], { ok: false })
    await changeDeliveries(t, [ids[2]], { state: 'failed' })
    const of = async (query: string) =>
      (await deliveriesOf(person, webhook, query)).data.map(({ id }: { id: string }) => id)
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
    const { data } = await deliveriesOf(person, webhook)
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
    const webhook = await createWebhook(owner)
    const pointer = `/${query.split('=')[0]}`
    expectProblem(await owner.get(deliveriesPath(webhook, `?${query}`)), 400, 'validation_failed', pointer)
  })

  test('404 for a webhook of another workspace; 200 for viewers and tokens that may read', async () => {
    const webhook = await createWebhook(owner)
    expectProblem(await (await withWorkspace(t)).get(deliveriesPath(webhook)), 404, 'not_found')
    await deliveriesOf(await memberOf(t, owner.workspace_id, 'viewer'), webhook)
    const reader = await withToken(t, owner, ['webhooks:read'])
    expectStatus(await reader.get(`/api/v1/public/webhooks/${webhook.id}/deliveries`), 200)
    const other = await withToken(t, owner, ['posts:read'])
    expectProblem(await other.get(`/api/v1/public/webhooks/${webhook.id}/deliveries`), 403, 'insufficient_scope')
  })
})

describe('GET /webhooks/:id/deliveries/:delivery_id', () => {
  test('200 with the attempts and the body as sent, with the event name that the webhook subscribed to', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, 'http://127.0.0.1:9/', ['post.created'])
    await draft(person)
    const [row] = await openDeliveries(t, webhook.id)
    await attempted(t, row?.id, { ok: false })
    await attempted(t, row?.id, { n: 2 })
    await t.deps.db
      .updateTable('attempt')
      .set({ type: 'publish.success' })
      .where('webhook_id', '=', webhook.id)
      .execute()
    const { body } = expectStatus(await person.get(deliveriesPath(webhook, `/${row?.id}`)), 200)
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
    expect((await deliveriesOf(person, webhook)).data).toEqual([listed])
  })

  test('200 with the latest 50 attempts when there are more', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    for (let n = 1; n <= 52; n++) await attempted(t, ids[0], { n, ok: false })
    const { body } = expectStatus(await person.get(deliveriesPath(webhook, `/${ids[0]}`)), 200)
    expect(body.attempts).toBe(52)
    expect(body.attempt_log.map(({ n }: { n: number }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => 52 - n))
  })

  test('404 for an unknown delivery, one of another webhook, and one of another workspace', async () => {
    const { person, webhook, ids } = await withDeliveries(t, 1)
    const other = await createWebhook(person)
    for (const [who, where] of [
      [person, deliveriesPath(webhook, `/${NOTHING}`)],
      [person, deliveriesPath(other, `/${ids[0]}`)],
      [owner, deliveriesPath(webhook, `/${ids[0]}`)],
    ] as const)
      expectProblem(await who.get(where), 404, 'not_found')
    expectProblem(await person.get(deliveriesPath(webhook, '/x')), 400, 'validation_failed', '/delivery_id')
  })
})
