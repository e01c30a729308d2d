import { createHmac } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { createWebhook, draft, openDeliveries, webhookUntil } from '../../../../test/deliveries.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { piecesRead } from '../../../../test/outbound.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { holdTimers } from '../../../../test/timers.ts'

const MINUTE = 60_000

let receiver: Awaited<ReturnType<typeof webhookReceiver>>
// Libraries check the time of a signature by the real clock.
const t = await testApp({}, { origin: new Date() })
const owner = await withWorkspace(t)
afterEach(() => receiver?.close())

describe('a delivery', () => {
  test('a delivery is signed in both ways over the bytes that are sent, and its header has the id of the event', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    t.dispatch()
    const post = await draft(person, 'Merhaba dünya ✓ "quoted"')
    await receiver.until((received) => received.length >= 1)
    const [message] = receiver.received
    if (!message) throw new Error('no delivery arrived')
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
  ])('a webhook that subscribed to %j gets one delivery, named %s', async (events, name) => {
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

  test('no delivery is made for the webhook of another workspace, or for a type without a subscription', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, 'http://127.0.0.1:9/', ['post.failed'])
    await draft(person)
    await draft(owner)
    expect(await openDeliveries(t, webhook.id)).toEqual([])
  })

  test('a failed delivery is retried on the schedule with the same bytes, and never before its time', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    receiver.respondWith((response) => response.writeHead(500).end('broken'))
    t.dispatch()
    await draft(person)
    await receiver.until((received) => received.length >= 1)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)

    const [waiting] = await openDeliveries(t, webhook.id)
    const wait = (waiting?.run_at.getTime() ?? 0) - t.clock.now().getTime()
    expect(wait).toBeGreaterThanOrEqual(5000)
    expect(wait).toBeLessThanOrEqual(6000)

    receiver.respondWith((response) => response.writeHead(204).end())
    await t.advance(6001)
    await receiver.until((received) => received.length >= 2)
    const [first, second] = receiver.received
    expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    await webhookUntil(
      person,
      webhook.id,
      ({ failure_count, last_dispatched_at }) => failure_count === 0 && last_dispatched_at !== null,
    )
    expect(await openDeliveries(t, webhook.id)).toEqual([])
  })

  test('a retry waits for the seconds of Retry-After when that is later than the schedule', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    receiver.respondWith((response) => response.writeHead(429, { 'retry-after': '600' }).end())
    t.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
    const [waiting] = await openDeliveries(t, webhook.id)
    expect(waiting?.run_at.getTime()).toBe(t.clock.now().getTime() + 600_000)
  })

  test('a retry waits until the date of Retry-After', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    const date = new Date(Math.ceil(t.clock.now().getTime() / 1000) * 1000 + 900_000)
    receiver.respondWith((response) => response.writeHead(503, { 'retry-after': date.toUTCString() }).end())
    t.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
    const [waiting] = await openDeliveries(t, webhook.id)
    expect(Math.abs((waiting?.run_at.getTime() ?? 0) - date.getTime())).toBeLessThan(1000)
  })

  test('a delivery has failed after the last attempt of the schedule', async () => {
    const short = await testApp({ WEBHOOK_RETRY_SCHEDULE: '0,1' })
    const person = await withWorkspace(short)
    const webhook = await createWebhook(person, 'http://127.0.0.1:9/')
    short.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
    await short.advance(MINUTE)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 2)
    const [row] = await short.deps.db.selectFrom('delivery').selectAll().execute()
    expect(row).toMatchObject({ state: 'failed', attempts: 2, claim_id: null })
    await short.close()
  })

  test.each([301, 302, 307, 308])('a redirect (%i) is a failure, and its target is not called', async (status) => {
    receiver = await webhookReceiver()
    const elsewhere = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    receiver.respondWith((response) => response.writeHead(status, { location: elsewhere.url }).end())
    t.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
    expect(elsewhere.received).toEqual([])
    elsewhere.close()
  })

  test('an attempt ends within the timeout when the response never ends', async () => {
    const limit = holdTimers(300)
    const quick = await testApp({ WEBHOOK_TIMEOUT_MS: '300' })
    receiver = await webhookReceiver()
    const person = await withWorkspace(quick)
    const webhook = await createWebhook(person, receiver.url)
    receiver.respondWith((response) => {
      response.writeHead(200)
      response.write('a')
    })
    const testing = person.post(`/api/v1/webhooks/${webhook.id}/test`)
    await piecesRead(receiver.url)
    limit.expire()
    expect((await testing).body).toMatchObject({
      ok: false,
      status: 200,
      error: 'The response began but did not end within 0.3 s.',
    })
    await quick.close()
  })

  test('at most 16 KB of an endless response are read', async () => {
    receiver = await webhookReceiver()
    const webhook = await createWebhook(owner, receiver.url)
    receiver.respondWith((response) => {
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

  test('an event of a transaction that is rolled back is never sent', async () => {
    const person = await withWorkspace(t)
    await createWebhook(person, 'http://127.0.0.1:9/')
    const before = await t.deps.db
      .selectFrom('event')
      .select('id')
      .where('workspace_id', '=', person.workspace_id)
      .execute()
    // The post is inserted, and then rejected for its missing target, which rolls the event back.
    expectStatus(await person.post('/api/v1/posts', { content: 'x', publish_now: true }), 400)
    const after = await t.deps.db
      .selectFrom('event')
      .select('id')
      .where('workspace_id', '=', person.workspace_id)
      .execute()
    expect(after).toEqual(before)
  })
})
