import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../test/factories.ts'
import { webhookReceiver } from '../../../test/receiver.ts'

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

describe('POST /webhooks', () => {
  test('201 with the secret, which no other answer carries', async () => {
    const person = await withWorkspace(t)
    const created = await person.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/x', events: ['post.created'] })
    expect(created.status).toBe(201)
    expect(created.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(created.body).toMatchObject({
      user: person.id,
      team_id: person.workspace_id,
      active: true,
      failure_count: 0,
    })
    const { secret, ...record } = created.body
    expect((await person.get(`/api/v1/webhooks/${record.id}`)).body).toEqual(record)
    expect((await person.get('/api/v1/webhooks')).body.data).toEqual([record])
    const row = await t.deps.db.selectFrom('webhook').selectAll().where('id', '=', record.id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  test.each([
    ['http://10.0.0.1/', 'a private address'],
    ['http://169.254.169.254/latest', 'the metadata address'],
    ['http://[::ffff:10.0.0.1]/', 'a private address in IPv6 clothes'],
    ['http://2886729729/', 'a private address as one number'],
    ['https://user:secret@example.com/', 'credentials in the address'],
    ['ftp://example.com/', 'another protocol'],
    ['/relative', 'no absolute address'],
  ])('400 url_not_allowed for %s (%s)', async (url) => {
    const answer = await owner.post('/api/v1/webhooks', { url, events: ['*'] })
    expect(answer).toMatchObject({ status: 400, body: { code: 'url_not_allowed', errors: [{ pointer: '/url' }] } })
  })

  test('400 names an unknown event type', async () => {
    const answer = await owner.post('/api/v1/webhooks', {
      url: 'http://127.0.0.1/',
      events: ['post.created', 'post.burned'],
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/events/1' }] },
    })
  })

  test('400 read_only for the secret', async () => {
    const answer = await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1/', events: ['*'], secret: 'mine' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'read_only', errors: [{ pointer: '/secret' }] } })
  })

  test('403 for editors', async () => {
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expect((await editor.post('/api/v1/webhooks', { url: 'http://127.0.0.1/', events: ['*'] })).status).toBe(403)
  })

  test('403 limit_exceeded after fifty, also when they are created at once', async () => {
    const person = await withWorkspace(t)
    const answers = await Promise.all(
      Array.from({ length: 55 }, () => person.post('/api/v1/webhooks', { url: 'http://127.0.0.1/', events: ['*'] })),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(50)
    expect(answers.find((answer) => answer.status !== 201)).toMatchObject({
      status: 403,
      body: { code: 'limit_exceeded', meter: 'webhooks', limit: 50, used: 50 },
    })
  })
})

describe('DELETE /webhooks/:id', () => {
  test('204, then 404, and nothing more is sent', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, 'http://127.0.0.1:9/')
    await draft(person)
    expect((await person.delete(`/api/v1/webhooks/${webhook.id}`)).status).toBe(204)
    expect((await person.delete(`/api/v1/webhooks/${webhook.id}`)).status).toBe(404)
    expect(await openDeliveries(webhook.id)).toEqual([])
  })

  test('404 for a webhook of another workspace', async () => {
    const webhook = await createWebhook(owner, 'http://127.0.0.1:9/')
    const other = await withWorkspace(t)
    expect((await other.delete(`/api/v1/webhooks/${webhook.id}`)).status).toBe(404)
    expect((await other.get(`/api/v1/webhooks/${webhook.id}`)).status).toBe(404)
    expect((await other.post(`/api/v1/webhooks/${webhook.id}/test`)).status).toBe(404)
  })
})

describe('GET /webhooks/event-types', () => {
  test('lists every type with its aliases and a schema of its data', async () => {
    const { body } = await owner.get('/api/v1/webhooks/event-types')
    const types = body.data.map((entry: { type: string }) => entry.type)
    expect(types).toEqual(
      expect.arrayContaining([
        'post.created',
        'post.updated',
        'post.published',
        'post.failed',
        'account.disconnected',
        'webhook.test',
      ]),
    )
    const published = body.data.find((entry: { type: string }) => entry.type === 'post.published')
    expect(published.aliases).toEqual(['publish.success'])
    expect(published.schema.properties.post.properties.targets.items.properties).toHaveProperty('url')
  })
})

describe('POST /webhooks/:id/test', () => {
  test('sends a signed test event at once and returns the attempt', async () => {
    receiver = await webhookReceiver()
    const webhook = await createWebhook(owner, receiver.url, ['post.published'])
    const { body } = expectStatus(await owner.post(`/api/v1/webhooks/${webhook.id}/test`), 200)
    expect(body).toMatchObject({ type: 'webhook.test', ok: true, status: 200, response: 'ok', error: null })
    const [message] = receiver.received
    expect(message).toMatchObject({ type: 'webhook.test', id: body.event_id })
    new StandardWebhook(webhook.secret).verify(message?.raw ?? '', message?.headers as Record<string, string>)
  })

  test('tells why there was no answer', async () => {
    const webhook = await createWebhook(owner, 'http://127.0.0.1:9/')
    const { body } = expectStatus(await owner.post(`/api/v1/webhooks/${webhook.id}/test`), 200)
    expect(body).toMatchObject({ ok: false, status: null, error: 'The connection failed (ECONNREFUSED).' })
  })
})

describe('under /public', () => {
  test('webhooks:read lists, webhooks:write creates', async () => {
    const reader = await withToken(t, owner, ['webhooks:read'])
    const writer = await withToken(t, owner, ['webhooks:write'])
    expect((await reader.get('/api/v1/public/webhooks')).status).toBe(200)
    const body = { url: 'http://127.0.0.1:9/', events: ['*'] }
    expect(await reader.post('/api/v1/public/webhooks', body)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', scope: 'webhooks:write' },
    })
    expect((await writer.post('/api/v1/public/webhooks', body)).status).toBe(201)
  })
})
