import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { type Received, webhookReceiver } from '../../../../test/receiver.ts'
import { createDeps } from '../../../deps.ts'
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

const openDeliveries = (webhook_id: string, { deps }: TestApp = t) =>
  deps.db.selectFrom('delivery').selectAll().where('webhook_id', '=', webhook_id).orderBy('id').execute()

const attempts = ({ deps }: TestApp, webhook_id: string) =>
  deps.db
    .selectFrom('attempt')
    .selectAll()
    .where('webhook_id', '=', webhook_id)
    .orderBy('delivery_id')
    .orderBy('n')
    .execute()

const contentOf = (message: Received) => JSON.parse(message.raw.toString()).data.post.content

/** Polls the webhook until it is as wanted: the dispatcher saves a result after the receiver has responded. */
async function webhookUntil(person: WorkspaceOwner, id: string, wanted: (webhook: Record<string, unknown>) => boolean) {
  return expect
    .poll(async () => wanted((await person.get(`/api/v1/webhooks/${id}`)).body), { timeout: 5000, interval: 20 })
    .toBe(true)
}

describe('a delivery', () => {
  test('a delivery is signed in both ways over the bytes that are sent, and its header has the id of the event', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, receiver.url)
    t.dispatch()
    const post = await draft(person, 'Merhaba dünya ✓ "quoted"')
    await receiver.until((received) => received.length === 1)
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
    expect(await openDeliveries(webhook.id)).toEqual([])
  })

  test('a failed delivery is retried on the schedule with the same bytes, and never before its time', async () => {
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

  test('a retry waits for the seconds of Retry-After when that is later than the schedule', async () => {
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

  test('a retry waits until the date of Retry-After', async () => {
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
    receiver.answerWith((response) => response.writeHead(status, { location: elsewhere.url }).end())
    t.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
    expect(elsewhere.received).toEqual([])
    elsewhere.close()
  })

  test('an attempt ends within the timeout when the response never ends', async () => {
    const quick = await testApp({ WEBHOOK_TIMEOUT_MS: '300' })
    receiver = await webhookReceiver()
    const person = await withWorkspace(quick)
    const webhook = await createWebhook(person, receiver.url)
    receiver.answerWith((response) => {
      response.writeHead(200)
      response.write('a')
    })
    const { body } = await person.post(`/api/v1/webhooks/${webhook.id}/test`)
    expect(body).toMatchObject({ ok: false, error: expect.any(String) })
    expect(body.duration_ms).toBeLessThan(2000)
    await quick.close()
  })

  test('at most 16 KB of an endless response are read', async () => {
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

describe('the dispatcher', () => {
  test('two dispatchers send nothing twice', async () => {
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

  test('an endpoint that hangs does not delay others', async () => {
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

  test('a dispatcher that is stopped during an attempt releases the delivery, and counts no failure', async () => {
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
    expect(row).toMatchObject({ state: 'waiting', attempts: 0, step: 0, claim_id: null })
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.failure_count).toBe(0)
    await fresh.close()
  })

  test('a dispatcher sends the claims of a killed one when their lease ends, and not before', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    await draft(person, 'claimed')
    const lease = new Date(fresh.clock.now().getTime() + 60_000)
    await fresh.deps.db
      .updateTable('delivery')
      .set({ claim_id: '00000000-0000-0000-0000-000000000001', run_at: lease })
      .execute()
    fresh.dispatch()
    await draft(person, 'free')
    await webhookUntil(person, webhook.id, ({ last_dispatched_at }) => last_dispatched_at !== null)
    expect(receiver.received.map(contentOf)).toEqual(['free'])
    fresh.advance(MINUTE)
    await receiver.until((received) => received.length === 2)
    expect(receiver.received.map(contentOf)).toEqual(['free', 'claimed'])
    await fresh.close()
  })

  test('a dispatcher that comes back after its lease changes nothing', async () => {
    receiver = await webhookReceiver()
    const late = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    receiver.answerWith((response) => {
      arrived.resolve()
      void late.promise.then(() => response.writeHead(500).end())
    })
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    fresh.dispatch()
    await draft(person)
    await arrived.promise
    // Another node has claimed it since.
    const claim_id = '00000000-0000-0000-0000-000000000002'
    await fresh.deps.db.updateTable('delivery').set({ claim_id }).execute()
    late.resolve()
    receiver.answerWith((response) => response.writeHead(200).end())
    await draft(person)
    await webhookUntil(person, webhook.id, ({ last_dispatched_at }) => last_dispatched_at !== null)
    const [row] = await fresh.deps.db.selectFrom('delivery').selectAll().execute()
    expect(row).toMatchObject({ state: 'waiting', attempts: 0, step: 0, claim_id })
    expect(await attempts(fresh, webhook.id)).toMatchObject([{ ok: true }])
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.failure_count).toBe(0)
    await fresh.close()
  })

  test('a dispatcher is notified of events of a process without a dispatcher', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    await createWebhook(person, receiver.url)
    const other = await createDeps(fresh.deps.config, fresh.database.connection, {
      log: fresh.deps.log,
      clock: fresh.clock,
    })
    await Promise.all([other.invalidationBus.started, fresh.deps.invalidationBus.started])
    const { promise: notified, resolve: notify } = Promise.withResolvers<void>()
    other.dueSignal.onNotify(() => notify())
    let invalidated = 0
    other.invalidationBus.onInvalidate(() => invalidated++)
    await draft(person)
    await notified
    expect(invalidated).toBe(0)
    const dispatcher = startDispatcher(other)
    await receiver.until((received) => received.length === 1)
    await dispatcher.stop()
    await other.close()
    await fresh.close()
  })

  test('a due delivery is found behind thousands that wait for a retry', async () => {
    receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const postponed = await createWebhook(person, 'http://127.0.0.1:9/')
    await createWebhook(person, receiver.url)
    await sql`insert into delivery (webhook_id, event_id, type, step, attempts, run_at)
      select ${postponed.id}::uuid, uuidv7(), 'post.created', 1, 1, ${new Date(t.clock.now().getTime() + MINUTE)}
      from generate_series(1, 5000)`.execute(t.deps.db)
    t.dispatch()
    await draft(person)
    await receiver.until((received) => received.length === 1)
    await t.deps.db.deleteFrom('delivery').where('webhook_id', '=', postponed.id).execute()
  })
})

describe('the health of an endpoint', () => {
  const answering = (status: () => number) => (response: ServerResponse) => response.writeHead(status()).end('told')

  test('attempts are logged with response and error and counted by the hour, and the last success is recorded', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    const refused = await createWebhook(person, 'http://127.0.0.1:9/')
    receiver.answerWith(answering(() => (receiver.received.length === 1 ? 500 : 201)))
    fresh.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 1)
    await webhookUntil(person, refused.id, ({ failure_count }) => failure_count === 1)
    const { body } = await person.get(`/api/v1/webhooks/${webhook.id}`)
    expect(body.last_failure).toEqual({
      delivery_id: expect.any(String),
      type: 'post.created',
      status: 500,
      error: null,
    })
    expect(Date.parse(body.disable_at) - Date.parse(body.first_failure_at)).toBe(432_000_000)
    fresh.advance(6001)
    await webhookUntil(
      person,
      webhook.id,
      ({ failure_count, first_failure_at, last_dispatched_at, last_failure_at }) =>
        failure_count === 0 && first_failure_at === null && last_dispatched_at !== null && last_failure_at !== null,
    )
    expect(await attempts(fresh, webhook.id)).toMatchObject([
      { n: 1, trigger: 'schedule', ok: false, done: false, status: 500, response: 'told', error: null },
      { n: 2, trigger: 'schedule', ok: true, done: true, status: 201, response: 'told', error: null },
    ])
    expect((await attempts(fresh, refused.id))[0]).toMatchObject({
      n: 1,
      ok: false,
      status: null,
      response: null,
      error: expect.stringContaining('refused'),
    })
    await expect
      .poll(() => fresh.deps.db.selectFrom('webhook_stat').selectAll().where('webhook_id', '=', webhook.id).execute())
      .toMatchObject([{ delivered: 1, failed: 1 }])
    await fresh.close()
  })

  test('the circuit of an endpoint that fails five times in a row opens, and waiting deliveries use up no attempts', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp({ WEBHOOK_CIRCUIT: '5,30,100' })
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    let status = 500
    receiver.answerWith(answering(() => status))
    const failures = (count: number) => webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === count)
    const until = async () => (await person.get(`/api/v1/webhooks/${webhook.id}`)).body
    const rests = (seconds: number) => new Date(fresh.clock.now().getTime() + seconds * 1000).toISOString()
    for (let n = 0; n < 5; n++) await draft(person, `${n}`)
    fresh.dispatch()
    await failures(5)
    expect(await until()).toMatchObject({ circuit: 'open', circuit_until: rests(30) })
    // Three more are waiting and the first five are due again, but none is sent.
    for (let n = 0; n < 3; n++) await draft(person, `later ${n}`)
    fresh.advance(29_000)
    const other = await webhookReceiver()
    const healthy = await createWebhook(person, other.url)
    await draft(person, 'another')
    await webhookUntil(person, healthy.id, ({ last_dispatched_at }) => last_dispatched_at !== null)
    expect(receiver.received).toHaveLength(5)

    // Two nodes make one probe. Each that fails doubles the rest, up to the longest.
    const second = startDispatcher(fresh.deps)
    fresh.advance(1000)
    for (const [count, seconds] of [
      [6, 60],
      [7, 100],
      [8, 100],
    ] as const) {
      await failures(count)
      expect(await until()).toMatchObject({ circuit: 'open', circuit_until: rests(seconds) })
      expect(receiver.received).toHaveLength(count)
      if (count < 8) fresh.advance(seconds * 1000)
    }
    const untried = await openDeliveries(webhook.id, fresh)
    expect(untried.filter(({ attempts }) => attempts === 0).length).toBeGreaterThanOrEqual(1)

    status = 200
    fresh.advance(100_000)
    await webhookUntil(person, webhook.id, ({ circuit, failure_count }) => circuit === 'closed' && failure_count === 0)
    await second.stop()
    other.close()
    await fresh.close()
  })

  test('a failure of the proxy counts neither for the endpoint nor as a step of the retry schedule', async () => {
    const fresh = await testApp({ WEBHOOK_PROXY_URL: 'http://127.0.0.1:9', WEBHOOK_RETRY_SCHEDULE: '0' })
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, 'http://127.0.0.1:9/')
    fresh.dispatch()
    await draft(person)
    await expect.poll(() => attempts(fresh, webhook.id)).toMatchObject([{ n: 1, ok: false, done: false }])
    expect(await openDeliveries(webhook.id, fresh)).toMatchObject([
      { state: 'waiting', step: 0, attempts: 1, claim_id: null },
    ])
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.failure_count).toBe(0)
    await fresh.close()
  })

  test('an endpoint that responds 410 is disabled and called no more', async () => {
    receiver = await webhookReceiver()
    receiver.answerWith(answering(() => 410))
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    fresh.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ active }) => active === false)
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body).toMatchObject({ disabled_reason: 'gone' })
    expect(await openDeliveries(webhook.id, fresh)).toMatchObject([{ state: 'failed', attempts: 1 }])
    await draft(person)
    expect(await openDeliveries(webhook.id, fresh)).toMatchObject([{ state: 'failed' }, { state: 'held' }])
    expect(receiver.received).toHaveLength(1)
    await fresh.close()
  })

  test('nothing is sent while a webhook is disabled', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const disabled = await createWebhook(person, receiver.url)
    const other = await createWebhook(person, receiver.url)
    await draft(person)
    await fresh.deps.db.updateTable('webhook').set({ active: false }).where('id', '=', disabled.id).execute()
    fresh.dispatch()
    await draft(person)
    await receiver.until((received) => received.length >= 2)
    await webhookUntil(person, other.id, ({ last_dispatched_at }) => last_dispatched_at !== null)
    expect(await openDeliveries(disabled.id, fresh)).toMatchObject([{ state: 'waiting' }, { state: 'held' }])
    expect(receiver.received).toHaveLength(2)
    await fresh.close()
  })

  test('an endpoint without a success for too long is disabled when its deliveries run out of attempts', async () => {
    receiver = await webhookReceiver()
    receiver.answerWith(answering(() => 500))
    const fresh = await testApp({ WEBHOOK_RETRY_SCHEDULE: '0,1', WEBHOOK_DISABLE_AFTER_S: '1' })
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    await draft(person, 'a')
    await draft(person, 'b')
    fresh.dispatch()
    await webhookUntil(person, webhook.id, ({ failure_count }) => failure_count === 2)
    fresh.advance(2000)
    await webhookUntil(person, webhook.id, ({ disabled_reason }) => disabled_reason === 'failing')
    await fresh.close()
  })
})
