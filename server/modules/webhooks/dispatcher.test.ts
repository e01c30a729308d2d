import { createHmac } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { webhookReceiver } from '../../../test/receiver.ts'
import { startDispatcher } from './dispatcher.ts'

const MINUTE = 60_000

let t: TestApp
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
let owner: WorkspaceOwner
beforeAll(async () => {
  t = await testApp()
  owner = await withWorkspace(t)
})
afterAll(() => t.close())
afterEach(() => receiver?.close())

const createWebhook = async (person: WorkspaceOwner, url: string, events = ['*']) =>
  expectStatus(await person.post('/api/v1/webhooks', { url, events }), 201).body

const draft = async (person: WorkspaceOwner, content = 'Hello') =>
  expectStatus(await person.post('/api/v1/posts', { content }), 201).body

const openDeliveries = (webhook_id: string) =>
  t.deps.db.selectFrom('delivery').selectAll().where('webhook_id', '=', webhook_id).execute()

/** Polls the record until it is as wanted: what the dispatcher writes follows the answer that the receiver gave. */
async function webhookUntil(person: WorkspaceOwner, id: string, wanted: (webhook: Record<string, unknown>) => boolean) {
  return expect
    .poll(async () => wanted((await person.get(`/api/v1/webhooks/${id}`)).body), { timeout: 5000, interval: 20 })
    .toBe(true)
}

describe('a delivery', () => {
  test('is signed in both ways over the bytes that are sent, under one id for event and header', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    t.dispatch()
    const post = await draft(person, 'Merhaba dünya ✓ "quoted"')
    await receiver.until((received) => received.length === 1)
    const [message] = receiver.received
    if (!message) throw new Error('nothing came')
    expect(message.headers['x-service-signature']).toBe(
      createHmac('sha256', webhook.secret).update(message.raw).digest('hex'),
    )
    const verified = new StandardWebhook(webhook.secret).verify(message.raw, message.headers as Record<string, string>)
    expect(verified).toEqual({
      id: message.headers['webhook-id'],
      type: 'post.created',
      timestamp: t.clock.now().toISOString(),
      workspace_id: person.workspace_id,
      data: { post, by: { id: person.id, email: person.email, token_id: null } },
    })
  })

  test.each([
    [['publish.success'], 'publish.success'],
    [['post.published'], 'post.published'],
    [['publish.success', 'post.published'], 'post.published'],
    [['publish.success', '*'], 'post.published'],
  ])('to a webhook that subscribed to %j comes once, as %s', async (events, name) => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url, events)
    const account = await playgroundAccount(person)
    t.dispatch()
    expectStatus(
      await person.post('/api/v1/posts', {
        content: `"type":"post.published"`,
        account_ids: [account],
        publish_now: true,
      }),
      201,
    )
    await t.runJobs()
    const isPublished = (message: { type: string }) => message.type === name
    await receiver.until((received) => received.some(isPublished))
    const messages = receiver.received.filter((message) => /publish/.test(message.type))
    expect(messages.map((message) => message.type)).toEqual([name])
    expect(JSON.parse(messages[0]?.raw.toString() ?? '').data.post.content).toBe('"type":"post.published"')
    new StandardWebhook(webhook.secret).verify(messages[0]?.raw ?? '', messages[0]?.headers as Record<string, string>)
  })

  test('goes to no webhook of another workspace, and none is made for a type that nobody asked for', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, 'http://127.0.0.1:9/', ['post.failed'])
    await draft(person)
    await draft(owner)
    expect(await openDeliveries(webhook.id)).toEqual([])
  })

  test('is retried on the schedule with the same bytes, and never before its time', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    receiver.answerWith((response) => response.writeHead(500).end('broken'))
    t.dispatch()
    await draft(person)
    await receiver.until((received) => received.length === 1)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)

    const [waiting] = await openDeliveries(webhook.id)
    const wait = (waiting?.run_at.getTime() ?? 0) - t.clock.now().getTime()
    expect(wait).toBeGreaterThanOrEqual(5000)
    expect(wait).toBeLessThanOrEqual(6000)

    receiver.answerWith((response) => response.writeHead(204).end())
    await t.advance(6001)
    await receiver.until((received) => received.length === 2)
    const [first, second] = receiver.received
    expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    await webhookUntil(
      person,
      webhook.id,
      ({ failure_count, last_dispatched_at }) => failure_count === 0 && last_dispatched_at !== null,
    )
    expect(await openDeliveries(webhook.id)).toEqual([])
  })

  test('waits as long as Retry-After asks when that is later', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    receiver.answerWith((response) => response.writeHead(429, { 'retry-after': '600' }).end())
    t.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
    const [waiting] = await openDeliveries(webhook.id)
    expect(waiting?.run_at.getTime()).toBe(t.clock.now().getTime() + 600_000)
  })

  test('waits until the time of a Retry-After that is a date', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    const date = new Date(Math.ceil(t.clock.now().getTime() / 1000) * 1000 + 900_000)
    receiver.answerWith((response) => response.writeHead(503, { 'retry-after': date.toUTCString() }).end())
    t.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
    const [waiting] = await openDeliveries(webhook.id)
    expect(Math.abs((waiting?.run_at.getTime() ?? 0) - date.getTime())).toBeLessThan(1000)
  })

  test('is given up after the last attempt of the schedule', async () => {
    const short = await testApp({ WEBHOOK_RETRY_SCHEDULE: '0,1' })
    const person = await withWorkspace(short)
    const webhook = await createWebhook(person, 'http://127.0.0.1:9/')
    short.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
    await short.advance(MINUTE)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 2)
    expect(await short.deps.db.selectFrom('delivery').selectAll().execute()).toEqual([])
    await short.close()
  })

  test.each([301, 302, 307, 308])(
    'that is answered with a redirect (%i) failed, and the target is not visited',
    async (status) => {
      receiver = await webhookReceiver()
      const elsewhere = await webhookReceiver()
      const person = await withWorkspace(t)
      const webhook = await createWebhook(person, receiver.url)
      receiver.answerWith((response) => response.writeHead(status, { location: elsewhere.url }).end())
      t.dispatch()
      await draft(person)
      await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
      expect(elsewhere.received).toEqual([])
      elsewhere.close()
    },
  )

  test('ends within the timeout although the receiver goes on for ever', async () => {
    const quick = await testApp({ WEBHOOK_TIMEOUT_MS: '300' })
    receiver = await webhookReceiver()
    const person = await withWorkspace(quick)
    const webhook = await createWebhook(person, receiver.url)
    receiver.answerWith((response) => {
      response.writeHead(200)
      response.write('a')
    })
    const { body } = await person.post(`/api/v1/webhooks/${webhook.id}/test`)
    expect(body).toMatchObject({ ok: false, status: null, error: 'No answer in time.' })
    expect(body.duration_ms).toBeLessThan(2000)
    await quick.close()
  })

  test('reads at most 16 KB of an endless answer', async () => {
    receiver = await webhookReceiver()
    const webhook = await createWebhook(owner, receiver.url)
    receiver.answerWith((response) => {
      response.writeHead(200)
      const pour = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', pour)
      }
      pour()
    })
    const { body } = await owner.post(`/api/v1/webhooks/${webhook.id}/test`)
    expect(body).toMatchObject({ ok: true, status: 200 })
    expect(body.response).toHaveLength(16_384)
  })

  test('rolled back with its transaction is never sent', async () => {
    const person = await withWorkspace(t)
    await createWebhook(person, 'http://127.0.0.1:9/')
    const before = await t.deps.db
      .selectFrom('event')
      .select('id')
      .where('workspace_id', '=', person.workspace_id)
      .execute()
    // The post is written and then refused for its target, which takes the event with it.
    expectStatus(await person.post('/api/v1/posts', { content: 'x', publish_now: true }), 400)
    const after = await t.deps.db
      .selectFrom('event')
      .select('id')
      .where('workspace_id', '=', person.workspace_id)
      .execute()
    expect(after).toEqual(before)
  })
})

describe('the dispatcher', () => {
  test('of two nodes sends nothing twice', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    await createWebhook(person, receiver.url)
    await createWebhook(person, receiver.url)
    const second = startDispatcher(t.deps)
    t.dispatch()
    await Promise.all(Array.from({ length: 40 }, (_, n) => draft(person, `post ${n}`)))
    await receiver.until((received) => received.length >= 80)
    await second.stop()
    const pairs = receiver.received.map((message) => message.id)
    expect(new Set(pairs).size).toBe(40)
    expect(pairs).toHaveLength(80)
  })

  test('lets a hanging endpoint hold up no other', async () => {
    receiver = await webhookReceiver()
    const hanging = await webhookReceiver()
    hanging.answerWith(() => undefined)
    const person = await withWorkspace(t)
    await createWebhook(person, hanging.url)
    await createWebhook(person, receiver.url)
    t.dispatch()
    await Promise.all(Array.from({ length: 60 }, (_, n) => draft(person, `post ${n}`)))
    await receiver.until((received) => received.length === 60)
    expect(hanging.received.length).toBeLessThanOrEqual(8)
    hanging.close()
  })

  test('that is stopped while it waits for an answer gives the delivery back, and counts no failure', async () => {
    receiver = await webhookReceiver()
    receiver.answerWith(() => undefined)
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    const stopped = startDispatcher(fresh.deps)
    await draft(person)
    await receiver.until((received) => received.length === 1)
    const stop = stopped.stop()
    await fresh.deps.dispatcher.destroy()
    await stop
    const [row] = await fresh.deps.db.selectFrom('delivery').selectAll().execute()
    expect(row).toMatchObject({ attempt: 0, claim_id: null })
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.failure_count).toBe(0)
    await fresh.close()
  })

  test('gives one workspace a share of its calls only, whatever the number of its webhooks', async () => {
    const hanging = await webhookReceiver()
    hanging.answerWith(() => undefined)
    const person = await withWorkspace(t)
    await Promise.all(Array.from({ length: 12 }, () => createWebhook(person, hanging.url)))
    t.dispatch()
    await Promise.all(Array.from({ length: 10 }, (_, n) => draft(person, `post ${n}`)))
    await hanging.until((received) => received.length >= 64)
    receiver = await webhookReceiver()
    const other = await withWorkspace(t)
    await createWebhook(other, receiver.url)
    await draft(other)
    await receiver.until((received) => received.length === 1)
    expect(hanging.received).toHaveLength(64)
    hanging.close()
  })

  test('takes over what a killed one had claimed, when its lease runs out', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    await createWebhook(person, receiver.url)
    await draft(person)
    await fresh.deps.db
      .updateTable('delivery')
      .set({ claim_id: '00000000-0000-0000-0000-000000000001', lease_until: new Date(Date.now() - 1000), attempt: 1 })
      .execute()
    fresh.dispatch()
    await receiver.until((received) => received.length === 1)
    await fresh.close()
  })
})
