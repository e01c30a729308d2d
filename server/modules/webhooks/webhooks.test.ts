import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { openHeaders } from './delivery/sending/secrets.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const createWebhook = async (person: WorkspaceOwner, url: string, events = ['*'], more: object = {}) =>
  expectStatus(await person.post('/api/v1/webhooks', { url, events, ...more }), 201).body

const draft = async (person: WorkspaceOwner, content = 'Hello') =>
  expectStatus(await person.post('/api/v1/posts', { content }), 201).body

describe('POST /webhooks', () => {
  test('201 with the secret, which no other response includes', async () => {
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

  test('201 with a description and custom headers, of which only the names are shown and audited', async () => {
    const headers = { Authorization: 'Bearer of-a-receiver', 'X-Tenant': '7' }
    const created = await createWebhook(owner, 'http://127.0.0.1:9/', ['*'], { description: 'For the shop', headers })
    expect(created).toMatchObject({ description: 'For the shop', header_names: ['Authorization', 'X-Tenant'] })
    expect(JSON.stringify(created)).not.toContain('of-a-receiver')
    const { db, keyring } = t.deps
    const row = await db.selectFrom('webhook').selectAll().where('id', '=', created.id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('of-a-receiver')
    expect(openHeaders(keyring, row)).toEqual(headers)
    const { body: log } = await owner.get('/api/v1/workspace/audit-log?action=webhook.created&limit=1')
    expect(log.data[0]).toMatchObject({
      target_id: created.id,
      details: { after: { description: 'For the shop', header_names: ['Authorization', 'X-Tenant'] } },
    })
    expect(JSON.stringify(log)).not.toContain('of-a-receiver')
  })

  test.each([
    'Host',
    'content-type',
    'Content-Length',
    'Transfer-Encoding',
    'connection',
    'keep-alive',
    'TE',
    'trailer',
    'upgrade',
    'expect',
    'Proxy-Authorization',
    'webhook-signature',
    'X-Service-Signature',
  ])('400 for the reserved header %s', async (name) => {
    const response = await owner.post('/api/v1/webhooks', {
      url: 'http://127.0.0.1:9/',
      events: ['*'],
      headers: { 'X-Fine': 'x', [name]: 'x' },
    })
    expectProblem(response, 400, 'validation_failed', `/headers/${name}`)
  })

  test.each([
    [{ 'two words': 'x' }],
    [{ 'x:y': 'x' }],
    [{ '': 'x' }],
    [{ ['x'.repeat(61)]: 'x' }],
    [{ 'X-A': 'line\r\nX-Service-Signature: 0' }],
    [{ 'X-A': ' padded' }],
    [{ 'X-A': 'ğ' }],
    [{ 'X-A': '' }],
    [{ 'X-A': 'x'.repeat(1001) }],
    [{ 'X-A': 7 }],
    [{ 'X-Same': '1', 'x-same': '2' }],
    [Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, 'x']))],
  ])('400 for the headers %j', async (headers) => {
    const response = await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'], headers })
    expectProblem(response, 400, 'validation_failed')
  })

  test('201 with the most and longest headers that are allowed', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`${n}${'x'.repeat(59)}`, 'v'.repeat(1000)]),
    )
    const created = await createWebhook(owner, 'http://127.0.0.1:9/', ['*'], { headers, description: 'd'.repeat(200) })
    expect(created.header_names).toEqual(Object.keys(headers))
  })

  test.each([
    ['http://10.0.0.1/', 'a private address'],
    ['http://169.254.169.254/latest', 'the metadata address'],
    ['http://[::ffff:10.0.0.1]/', 'a private address mapped to IPv6'],
    ['http://2886729729/', 'a private address as one number'],
    ['https://user:secret@example.com/', 'credentials in the address'],
    ['ftp://example.com/', 'another protocol'],
    ['/relative', 'a relative URL'],
    ['http://127.0.0.1:9/\na', 'a line break'],
    ['http:/127.0.0.1:9/', 'a missing slash'],
    ['http://@127.0.0.1:9/', 'empty credentials'],
  ])('400 url_not_allowed for %s (%s)', async (url) => {
    const response = await owner.post('/api/v1/webhooks', { url, events: ['*'] })
    expect(response).toMatchObject({ status: 400, body: { code: 'url_not_allowed', errors: [{ pointer: '/url' }] } })
  })

  test('400 for an unknown event type, which is named', async () => {
    const response = await owner.post('/api/v1/webhooks', {
      url: 'http://127.0.0.1/',
      events: ['post.created', 'post.burned'],
    })
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/events/1' }] },
    })
  })

  test('201 with an event type under both of its names', async () => {
    const events = ['post.published', 'publish.success']
    expect((await createWebhook(owner, 'http://127.0.0.1:9/', events)).events).toEqual(events)
  })

  test.each(['secret', 'active', 'disabled_reason', 'header_names', 'circuit'])(
    '400 read_only for %s',
    async (field) => {
      const response = await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1/', events: ['*'], [field]: 'x' })
      expectProblem(response, 400, 'read_only', `/${field}`)
    },
  )

  test('403 for editors', async () => {
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expect((await editor.post('/api/v1/webhooks', { url: 'http://127.0.0.1/', events: ['*'] })).status).toBe(403)
  })

  test('403 limit_exceeded after fifty, even if they are created at the same time', async () => {
    const person = await withWorkspace(t)
    const responses = await Promise.all(
      Array.from({ length: 55 }, () => person.post('/api/v1/webhooks', { url: 'http://127.0.0.1/', events: ['*'] })),
    )
    expect(responses.filter((response) => response.status === 201)).toHaveLength(50)
    expect(responses.find((response) => response.status !== 201)).toMatchObject({
      status: 403,
      body: { code: 'limit_exceeded', meter: 'webhooks', limit: 50, used: 50 },
    })
  })
})

describe('DELETE /webhooks/:id', () => {
  test('204, then 404', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, 'http://127.0.0.1:9/')
    await draft(person)
    expect((await person.delete(`/api/v1/webhooks/${webhook.id}`)).status).toBe(204)
    expect((await person.delete(`/api/v1/webhooks/${webhook.id}`)).status).toBe(404)
    const { body: log } = await person.get('/api/v1/workspace/audit-log?action=webhook.deleted')
    expect(log.data).toMatchObject([{ target_id: webhook.id, details: { before: { url: webhook.url } } }])
  })

  test('204 without touching the deliveries that wait, however many they are', async () => {
    const person = await withWorkspace(t)
    const webhook = await createWebhook(person, 'http://127.0.0.1:9/')
    await draft(person)
    const count = async () => {
      const { rows } = await sql`select from delivery where webhook_id = ${webhook.id}`.execute(t.deps.db)
      return rows.length
    }
    expect(await count()).toBe(1)
    // Nothing else can read or change deliveries meanwhile.
    await inTransaction(t.deps.db, async (tx) => {
      await sql`lock table delivery in access exclusive mode`.execute(tx)
      expectStatus(await person.delete(`/api/v1/webhooks/${webhook.id}`), 204)
    })
    expect(await count()).toBe(1)
  })

  test('404 for a webhook of another workspace', async () => {
    const webhook = await createWebhook(owner, 'http://127.0.0.1:9/')
    const other = await withWorkspace(t)
    expect((await other.delete(`/api/v1/webhooks/${webhook.id}`)).status).toBe(404)
    expect((await other.get(`/api/v1/webhooks/${webhook.id}`)).status).toBe(404)
  })
})

describe('GET /webhooks/event-types', () => {
  test('200 with every type, its aliases and the schema of its data', async () => {
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
    expect(Object.keys(published.example)).toEqual(['id', 'type', 'timestamp', 'workspace_id', 'data'])
    expect(published.example.type).toBe('post.published')
    expect(published.schema.properties.post.properties.targets.items.properties).toHaveProperty('url')
  })
})

describe('under /public', () => {
  test('a token with webhooks:read can list webhooks, and one with webhooks:write can create them', async () => {
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
