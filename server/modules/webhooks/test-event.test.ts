import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { webhookReceiver } from '../../../test/receiver.ts'

let receiver: Awaited<ReturnType<typeof webhookReceiver>>
// Libraries check the time of a signature by the real clock.
const t = await testApp({}, { origin: new Date() })
const owner = await withWorkspace(t)
afterEach(() => receiver?.close())

const createWebhook = async (url: string, more: object = {}) =>
  expectStatus(await owner.post('/api/v1/webhooks', { url, events: ['post.published'], ...more }), 201).body
const send = (id: string, headers?: Record<string, string>) =>
  owner.post(`/api/v1/webhooks/${id}/test`, undefined, headers)

describe('POST /webhooks/:id/test', () => {
  test('200 sends a signed test event with the headers of the webhook, and returns the attempt', async () => {
    receiver = await webhookReceiver()
    const webhook = await createWebhook(receiver.url, {
      headers: { Authorization: 'Bearer x', 'User-Agent': 'Shop' },
    })
    const { body } = expectStatus(await send(webhook.id), 200)
    expect(body).toMatchObject({ type: 'webhook.test', ok: true, status: 200, response: 'ok', error: null })
    const [message] = receiver.received
    expect(message).toMatchObject({ type: 'webhook.test', id: body.event_id })
    expect(message?.headers).toMatchObject({ authorization: 'Bearer x', 'user-agent': 'Shop' })
    new StandardWebhook(webhook.secret).verify(message?.raw ?? '', message?.headers as Record<string, string>)
  })

  test('200 returns the reason when there was no response', async () => {
    const webhook = await createWebhook('http://127.0.0.1:9/')
    expect(expectStatus(await send(webhook.id), 200).body).toMatchObject({ ok: false, status: null, response: null })
  })

  test('200 for a disabled webhook, without a change of its health', async () => {
    receiver = await webhookReceiver()
    receiver.respondWith((response) => response.writeHead(500).end('no'))
    const webhook = await createWebhook(receiver.url)
    const path = `/api/v1/webhooks/${webhook.id}`
    const { body: disabled } = expectStatus(await owner.patch(path, { active: false }), 200)
    expect(expectStatus(await send(webhook.id), 200).body).toMatchObject({ ok: false, status: 500, response: 'no' })
    expect((await owner.get(path)).body).toEqual(disabled)
    expect((await owner.get(`${path}/stats`)).body).toMatchObject({ delivered: 0, failed: 0 })
  })

  test('200 stores the delivery with its body and its attempt, and writes an audit entry', async () => {
    receiver = await webhookReceiver()
    const webhook = await createWebhook(receiver.url)
    const { body: attempt } = expectStatus(await send(webhook.id), 200)
    receiver.respondWith((response) => response.writeHead(410).end())
    const { body: refused } = expectStatus(await send(webhook.id), 200)
    const path = `/api/v1/webhooks/${webhook.id}/deliveries`
    const states = async (query: string) =>
      (await owner.get(`${path}${query}`)).body.data.map(({ id, state }: Record<string, string>) => ({ id, state }))
    const [failed, delivered] = [
      { id: refused.delivery_id, state: 'failed' },
      { id: attempt.delivery_id, state: 'delivered' },
    ]
    expect(await states('')).toEqual([failed, delivered])
    expect(await states('?state=failed')).toEqual([failed])
    expect(await states('?state=delivered')).toEqual([delivered])
    const { body: detail } = expectStatus(await owner.get(`${path}/${attempt.delivery_id}`), 200)
    expect(detail).toMatchObject({ attempts: 1, last_status: 200, next_attempt_at: null })
    expect(detail.payload).toBe(receiver.received[0]?.raw.toString())
    const { delivery_id: _, event_id: __, type: ___, ...logged } = attempt
    expect(detail.attempt_log).toEqual([{ n: 1, trigger: 'test', ...logged }])
    const { data } = (await owner.get('/api/v1/workspace/audit-log?action=webhook.tested')).body
    expect(data[0]).toMatchObject({ target_id: webhook.id, details: { ok: false, status: 410 } })
  })

  test('200 with the same attempt for the same Idempotency-Key, and the event is sent once', async () => {
    receiver = await webhookReceiver()
    const webhook = await createWebhook(receiver.url)
    const key = { 'idempotency-key': 'test once'.replace(' ', '-') }
    const { body } = expectStatus(await send(webhook.id, key), 200)
    expect(expectStatus(await send(webhook.id, key), 200).body).toEqual(body)
    expect(receiver.received).toHaveLength(1)
    const { data } = (await owner.get(`/api/v1/webhooks/${webhook.id}/deliveries`)).body
    expect(data).toHaveLength(1)
  })

  test('503 when Meydan stops during the attempt, which is not stored and frees its Idempotency-Key', async () => {
    const stopping = await testApp()
    receiver = await webhookReceiver()
    receiver.respondWith(() => undefined)
    try {
      const person = await withWorkspace(stopping)
      const { body: webhook } = await person.post('/api/v1/webhooks', { url: receiver.url, events: ['*'] })
      const test = () =>
        person.post(`/api/v1/webhooks/${webhook.id}/test`, undefined, { 'idempotency-key': 'broken-off' })
      const broken = test()
      await receiver.until((received) => received.length >= 1)
      await stopping.deps.dispatcher.destroy()
      expectProblem(await broken, 503, 'unavailable')
      expectProblem(await test(), 503, 'unavailable')
      const path = `/api/v1/webhooks/${webhook.id}/deliveries`
      expect(expectStatus(await person.get(path), 200).body.data).toEqual([])
      const { body: log } = await person.get('/api/v1/workspace/audit-log?action=webhook.tested')
      expect(log.data).toEqual([])
    } finally {
      await stopping.close()
    }
  })

  test('404 for a webhook of another workspace', async () => {
    const webhook = await createWebhook('http://127.0.0.1:9/')
    const other = await withWorkspace(t)
    expectProblem(await other.post(`/api/v1/webhooks/${webhook.id}/test`), 404, 'not_found')
  })

  test('403 for editors and for a token with webhooks:read only', async () => {
    const webhook = await createWebhook('http://127.0.0.1:9/')
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectProblem(await editor.post(`/api/v1/webhooks/${webhook.id}/test`), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['webhooks:read'])
    expectProblem(await reader.post(`/api/v1/public/webhooks/${webhook.id}/test`), 403, 'insufficient_scope')
  })
})
