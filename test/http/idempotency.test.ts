import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import type { Client } from '../client.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../factories.ts'
import { failPost } from '../posts.ts'
import { expectProblem } from '../problem.ts'
import { rawRequest } from '../raw-http.ts'
import { webhookReceiver } from '../receiver.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'

let t: TestApp
let owner: WorkspaceOwner
t = await testApp()
owner = await withWorkspace(t)

const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key })
const countPosts = async (who: Client = owner) => (await who.get('/api/v1/posts?limit=100')).body.data.length

describe('Idempotency-Key', () => {
  test('a repeated call gets the first response and has no other effect', async () => {
    const key = keyed()
    const before = await countPosts()
    const first = expectStatus(await owner.post('/api/v1/posts', { content: 'Once' }, key), 201)
    const again = expectStatus(await owner.post('/api/v1/posts', { content: 'Once' }, key), 201)
    expect(again.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(again.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await countPosts()).toBe(before + 1)
  })

  test('twenty concurrent calls create one record, and the others get its response or 409 while it is created', async () => {
    const key = keyed()
    const before = await countPosts()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => owner.post('/api/v1/posts', { content: 'At once' }, key)),
    )
    const made = responses.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectProblem(response, 409, 'idempotency_key_in_use')
      expect(response.headers.get('retry-after')).toBe('1')
    }
    expect(await countPosts()).toBe(before + 1)
  })

  test('422 for another body with the same key', async () => {
    const key = keyed()
    expectStatus(await owner.post('/api/v1/posts', { content: 'One' }, key), 201)
    expectProblem(await owner.post('/api/v1/posts', { content: 'Two' }, key), 422, 'idempotency_key_reused')
  })

  test('a stored refusal is repeated, even when the call would now succeed', async () => {
    const key = keyed()
    const { body: post } = expectStatus(
      await owner.post('/api/v1/posts', { content: 'Retry me', account_ids: [await playgroundAccount(owner)] }),
      201,
    )
    const refused = await owner.post(`/api/v1/posts/${post.id}/retry`, undefined, key)
    expectProblem(refused, 409, 'invalid_transition')
    await failPost(t, post.id)
    const again = await owner.post(`/api/v1/posts/${post.id}/retry`, undefined, key)
    expect(expectProblem(again, 409, 'invalid_transition')).toMatchObject({
      state: 'draft',
      detail: refused.body.detail,
    })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body.request_id).not.toBe(refused.body.request_id)
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`, undefined, keyed()), 200)
  })

  test('a violated uniqueness is repeated as well and leaves no record behind', async () => {
    const person = await signedIn(t)
    const [name, key] = [`Taken ${randomUUID()}`, keyed()]
    expectStatus(await person.post('/api/v1/workspaces', { name }), 201)
    for (const _ of [1, 2])
      expectProblem(await person.post('/api/v1/workspaces', { name }, key), 409, 'workspace_name_taken')
  })

  test('a rejected request (400, 401) is not stored, and a corrected one with the same key succeeds', async () => {
    const key = keyed()
    expectProblem(await owner.post('/api/v1/posts', { text: '' }, key), 400, 'validation_failed')
    expectProblem(
      await owner.post('/api/v1/posts', { content: 'x', scheduled_at: '2001-01-01T00:00:00Z' }, key),
      400,
      'validation_failed',
    )
    expectStatus(await owner.post('/api/v1/posts', { content: 'Mended' }, key), 201)
  })

  test('a key belongs to one caller, one workspace and one path', async () => {
    const key = keyed()
    const other = await memberOf(t, owner.workspace_id, 'editor')
    const responses = [
      await owner.post('/api/v1/posts', { content: 'Mine', account_ids: [await playgroundAccount(owner)] }, key),
      await other.post('/api/v1/posts', { content: 'Theirs' }, key),
      await (await withToken(t, owner, ['posts:write'])).post('/api/v1/public/posts', { content: 'Of a token' }, key),
      await (await withWorkspace(t)).post('/api/v1/posts', { content: 'Elsewhere' }, key),
    ]
    for (const response of responses) expectStatus(response, 201)
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(4)
    expectStatus(await owner.post(`/api/v1/posts/${responses[0]?.body.id}/publish`, {}, key), 200)
  })

  test('a secret that is shown once is not stored, and the repeated response has null in its place', async () => {
    const key = keyed()
    const token = { name: 'Kept', scopes: ['posts:read'] }
    const first = expectStatus(await owner.post('/api/v1/api-tokens', token, key), 201)
    expect(first.body.token).toMatch(/^meydan_pat_/)
    const again = expectStatus(await owner.post('/api/v1/api-tokens', token, key), 201)
    expect(again.body).toEqual({ ...first.body, token: null })
    const webhook = { url: 'http://127.0.0.1:1/', events: ['*'] }
    const created = expectStatus(await owner.post('/api/v1/webhooks', webhook, key), 201)
    const repeated = expectStatus(await owner.post('/api/v1/webhooks', webhook, key), 201)
    expect(repeated.body).toEqual({ ...created.body, secret: null })
    const { rows } = await t.deps.pool.query('select answer from idempotency_key')
    const kept = JSON.stringify(rows)
    for (const secret of [first.body.token, created.body.secret]) expect(kept).not.toContain(secret)
  })

  test('repeating a call returns nothing that the caller may no longer see', async () => {
    const [person, key] = [await signedIn(t), keyed()]
    const name = `Left ${randomUUID()}`
    const { body: workspace } = expectStatus(await person.post('/api/v1/workspaces', { name }, key), 201)
    expectStatus(await person.post('/api/v1/workspaces', { name }, key), 201)
    expectStatus(
      await person.call('DELETE', '/api/v1/workspace', { body: { name }, headers: { 'x-workspace-id': workspace.id } }),
      204,
    )
    expectProblem(await person.post('/api/v1/workspaces', { name }, key), 404, 'not_found')
  })

  test('a key does not depend on the workspace that the user has chosen', async () => {
    const [person, key] = [await withWorkspace(t), keyed()]
    const name = `Once ${randomUUID()}`
    const first = expectStatus(await person.post('/api/v1/workspaces', { name }, key), 201)
    expectStatus(await person.patch('/api/v1/me', { workspace_id: first.body.id }), 200)
    expect(expectStatus(await person.post('/api/v1/workspaces', { name }, key), 201).body).toEqual(first.body)
  })

  test('a key expires after a day', async () => {
    const t = await testApp()
    try {
      const owner = await withWorkspace(t)
      const key = keyed()
      const first = expectStatus(await owner.post('/api/v1/posts', { content: 'Daily' }, key), 201)
      t.advance(24 * 60 * 60_000 - 1000)
      expect((await owner.post('/api/v1/posts', { content: 'Daily' }, key)).body.id).toBe(first.body.id)
      t.advance(2000)
      const second = expectStatus(await owner.post('/api/v1/posts', { content: 'Daily' }, key), 201)
      expect(second.body.id).not.toBe(first.body.id)
    } finally {
      await t.close()
    }
  })

  test.each(['', ' ', 'ü', 'x'.repeat(256), 'two words'])('400 for the key %j', async (value) => {
    const { token } = await withToken(t, owner)
    const response = await rawRequest(t.url, [
      'POST /api/v1/posts HTTP/1.1',
      'Host: meydan.test',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Content-Length: 15',
      'Connection: close',
      `Idempotency-Key: ${value}`,
      '',
      '{"content":"x"}',
    ])
    expectProblem(response, 400, 'validation_failed', '/Idempotency-Key')
  })

  test('a key may have 255 characters', async () => {
    expectStatus(await owner.post('/api/v1/posts', { content: 'Long' }, keyed('k'.repeat(255))), 201)
  })

  describe('Idempotency-Key on calls to the outside', () => {
    test('a call that outlived its lease does not change the outcome of the call that replaced it', async () => {
      const network = await blueskyServer()
      const account = { network: 'bluesky', service: network.url, ...network.addAccount() }
      const key = keyed()
      network.failAlways({ kind: 'hang', arrives: false })
      const first = owner.post('/api/v1/accounts', account, key)
      await network.called('createSession', 1)
      expectProblem(await owner.post('/api/v1/accounts', account, key), 409, 'idempotency_key_in_use')
      network.failAlways()
      t.advance(61_000)
      const second = expectStatus(await owner.post('/api/v1/accounts', account, key), 201)
      network.close()
      expectProblem(await first, 400, 'account_unreachable')
      const third = expectStatus(await owner.post('/api/v1/accounts', account, key), 201)
      expect(third.body).toEqual(second.body)
      expect(third.headers.get('idempotent-replayed')).toBe('true')
    })

    test('409 while the first call waits for the network, and then its response', async () => {
      const receiver = await webhookReceiver()
      try {
        let finish = () => {}
        receiver.respondWith((response) => {
          finish = () => response.writeHead(200).end('late')
        })
        const webhook = { url: receiver.url, events: ['*'] }
        const { id } = expectStatus(await owner.post('/api/v1/webhooks', webhook), 201).body
        const key = keyed()
        const call = () => owner.post(`/api/v1/webhooks/${id}/test`, undefined, key)
        const first = call()
        await receiver.until((received) => received.length > 0)
        const meanwhile = await call()
        expectProblem(meanwhile, 409, 'idempotency_key_in_use')
        expect(meanwhile.headers.get('retry-after')).toBe('1')
        finish()
        const { body } = expectStatus(await first, 200)
        expect(body.response).toBe('late')
        expect(expectStatus(await call(), 200).body).toEqual(body)
        expect(receiver.received).toHaveLength(1)
      } finally {
        receiver.close()
      }
    })

    test('a repeated call does not reach the network, and a call without an outcome frees the key', async () => {
      const network = await blueskyServer()
      try {
        const account = { network: 'bluesky', service: network.url, ...network.addAccount() }
        const key = keyed()
        network.failAlways({ kind: 'response', status: 503 })
        expectProblem(await owner.post('/api/v1/accounts', account, key), 400, 'account_unreachable')
        network.failAlways()
        const first = expectStatus(await owner.post('/api/v1/accounts', account, key), 201)
        const callsBefore = network.calls.length
        const again = expectStatus(await owner.post('/api/v1/accounts', account, key), 201)
        expect(again.body).toEqual(first.body)
        expect(network.calls.length).toBe(callsBefore)
      } finally {
        network.close()
      }
    })
  })
})
