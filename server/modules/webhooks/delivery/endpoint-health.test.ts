import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { attemptsOf, createWebhook, draft, openDeliveries, webhookUntil } from '../../../../test/deliveries.ts'
import { withWorkspace } from '../../../../test/factories.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { startDispatcher } from './dispatcher.ts'

let receiver: Awaited<ReturnType<typeof webhookReceiver>>
afterEach(() => receiver?.close())

describe('the health of an endpoint', () => {
  const respondingWith = (status: () => number) => (response: ServerResponse) =>
    response.writeHead(status()).end('told')

  test('attempts are logged with response and error and counted by the hour, and the last success is recorded', async () => {
    receiver = await webhookReceiver()
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    const refused = await createWebhook(person, 'http://127.0.0.1:9/')
    receiver.respondWith(respondingWith(() => (receiver.received.length === 1 ? 500 : 201)))
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
    expect(await attemptsOf(fresh, webhook.id)).toMatchObject([
      { n: 1, trigger: 'schedule', ok: false, done: false, status: 500, response: 'told', error: null },
      { n: 2, trigger: 'schedule', ok: true, done: true, status: 201, response: 'told', error: null },
    ])
    expect((await attemptsOf(fresh, refused.id))[0]).toMatchObject({
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
    receiver.respondWith(respondingWith(() => status))
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
    const untried = await openDeliveries(fresh, webhook.id)
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
    await expect.poll(() => attemptsOf(fresh, webhook.id)).toMatchObject([{ n: 1, ok: false, done: false }])
    expect(await openDeliveries(fresh, webhook.id)).toMatchObject([
      { state: 'waiting', step: 0, attempts: 1, claim_id: null },
    ])
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body.failure_count).toBe(0)
    await fresh.close()
  })

  test('an endpoint that responds 410 is disabled and called no more', async () => {
    receiver = await webhookReceiver()
    receiver.respondWith(respondingWith(() => 410))
    const fresh = await testApp()
    const person = await withWorkspace(fresh)
    const webhook = await createWebhook(person, receiver.url)
    fresh.dispatch()
    await draft(person)
    await webhookUntil(person, webhook.id, ({ active }) => active === false)
    expect((await person.get(`/api/v1/webhooks/${webhook.id}`)).body).toMatchObject({ disabled_reason: 'gone' })
    expect(await openDeliveries(fresh, webhook.id)).toMatchObject([{ state: 'failed', attempts: 1 }])
    await draft(person)
    expect(await openDeliveries(fresh, webhook.id)).toMatchObject([{ state: 'failed' }, { state: 'held' }])
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
    expect(await openDeliveries(fresh, disabled.id)).toMatchObject([{ state: 'waiting' }, { state: 'held' }])
    expect(receiver.received).toHaveLength(2)
    await fresh.close()
  })

  test('an endpoint without a success for too long is disabled when its deliveries run out of attempts', async () => {
    receiver = await webhookReceiver()
    receiver.respondWith(respondingWith(() => 500))
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
