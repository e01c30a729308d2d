import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { type Received, webhookReceiver } from '../../../test/receiver.ts'
import { createDeps } from '../../deps.ts'
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
    const [row] = await short.deps.db.selectFrom('delivery').selectAll().execute()
    expect(row).toMatchObject({ state: 'failed', attempts: 2, claim_id: null })
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
    expect(body).toMatchObject({ ok: false, error: expect.any(String) })
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
    expect(row).toMatchObject({ state: 'waiting', attempts: 0, step: 0, claim_id: null })
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.failure_count).toBe(0)
    await fresh.close()
  })

  test('takes over what a killed one had claimed, when its lease runs out and not before', async () => {
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

  test('that comes back after its lease changes nothing', async () => {
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
    // Another node has it now.
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

  test('hears of events of a process that has none', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    await createWebhook(person, receiver.url)
    const other = await createDeps(fresh.deps.config, fresh.database.connection, {
      log: fresh.deps.log,
      clock: fresh.clock,
    })
    await Promise.all([other.pulse.started, fresh.deps.pulse.started])
    const { promise: rung, resolve: ring } = Promise.withResolvers<void>()
    other.bell.onRing(() => ring())
    let invalidated = 0
    other.pulse.onInvalid(() => invalidated++)
    await draft(person)
    await rung
    expect(invalidated).toBe(0)
    const dispatcher = startDispatcher(other)
    await receiver.until((received) => received.length === 1)
    await dispatcher.stop()
    await other.close()
    await fresh.close()
  })

  test('sees what is due behind many that wait for another attempt', async () => {
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

describe('what is known of an endpoint', () => {
  const answering = (status: () => number) => (response: ServerResponse) => response.writeHead(status()).end('told')

  test('attempts are logged with answer and error, counted by the hour, and the last success is noted', async () => {
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

  test('an endpoint that fails five times in a row rests, and what waits for it uses up no attempts', async () => {
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
    // Three more come in, and the first five are due again: none is sent.
    for (let n = 0; n < 3; n++) await draft(person, `later ${n}`)
    fresh.advance(29_000)
    const other = await webhookReceiver()
    const healthy = await createWebhook(person, other.url)
    await draft(person, 'another')
    await webhookUntil(person, healthy.id, ({ last_dispatched_at }) => last_dispatched_at !== null)
    expect(receiver.received).toHaveLength(5)

    // One probe, whatever the number of nodes; each that fails doubles the rest, up to the longest.
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

  test('a proxy that fails is not held against the endpoint, and brings no delivery nearer to its last attempt', async () => {
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

  test('an endpoint that answers 410 is asked no more', async () => {
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

  test('an endpoint without a success for too long is disabled with the batch that ran out', async () => {
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
