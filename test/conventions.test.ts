import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import type { Client } from './client.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from './factories.ts'
import { expectProblem } from './problem.ts'
import { rawRequest } from './raw-http.ts'
import { webhookReceiver } from './receiver.ts'
import { blueskyServer } from './stand-ins/bluesky.ts'

let t: TestApp
let owner: WorkspaceOwner
beforeAll(async () => {
  t = await testApp()
  owner = await withWorkspace(t)
})
afterAll(() => t.close())

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
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => owner.post('/api/v1/posts', { content: 'At once' }, key)),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectProblem(answer, 409, 'idempotency_key_in_use')
      expect(answer.headers.get('retry-after')).toBe('1')
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
    await t.deps.db.updateTable('post').set({ status: 'failed' }).where('id', '=', post.id).execute()
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
    const answers = [
      await owner.post('/api/v1/posts', { content: 'Mine', account_ids: [await playgroundAccount(owner)] }, key),
      await other.post('/api/v1/posts', { content: 'Theirs' }, key),
      await (await withToken(t, owner, ['posts:write'])).post('/api/v1/public/posts', { content: 'Of a token' }, key),
      await (await withWorkspace(t)).post('/api/v1/posts', { content: 'Elsewhere' }, key),
    ]
    for (const answer of answers) expectStatus(answer, 201)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(4)
    expectStatus(await owner.post(`/api/v1/posts/${answers[0]?.body.id}/publish`, {}, key), 200)
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
    const answer = await rawRequest(t.url, [
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
    expectProblem(answer, 400, 'validation_failed', '/Idempotency-Key')
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
        let answer = () => {}
        receiver.answerWith((response) => {
          answer = () => response.writeHead(200).end('late')
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
        answer()
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
        network.failAlways({ kind: 'answer', status: 503 })
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

describe('ETag and If-Match', () => {
  test('412 for a change with an outdated ETag, which changes nothing', async () => {
    const { body: post, headers } = expectStatus(await owner.post('/api/v1/posts', { content: 'First' }), 201)
    const path = `/api/v1/posts/${post.id}`
    const tag = headers.get('etag') ?? ''
    expect((await owner.get(path)).headers.get('etag')).toBe(tag)
    const changed = expectStatus(await owner.patch(path, { content: 'Second' }, { 'if-match': tag }), 200)
    expect(changed.headers.get('etag')).not.toBe(tag)
    expectProblem(await owner.patch(path, { content: 'Third' }, { 'if-match': tag }), 412, 'version_conflict')
    expect((await owner.get(path)).body.content).toBe('Second')
  })

  test('one of ten concurrent changes with the same ETag succeeds', async () => {
    const { body: post, headers } = expectStatus(await owner.post('/api/v1/posts', { content: 'Race' }), 201)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        owner.patch(`/api/v1/posts/${post.id}`, { content: `By ${index}` }, { 'if-match': headers.get('etag') ?? '' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  })

  test('* and lists of ETags match, and weak or unknown ETags do not', async () => {
    const { body: post, headers } = expectStatus(await owner.post('/api/v1/posts', { content: 'Tags' }), 201)
    const path = `/api/v1/posts/${post.id}`
    const tag = headers.get('etag') ?? ''
    expectStatus(await owner.patch(path, { labels: [] }, { 'if-match': '*' }), 200)
    const now = (await owner.get(path)).headers.get('etag') ?? ''
    for (const value of [`W/${now}`, tag, '"x"', now.replaceAll('"', ''), ''])
      expectProblem(await owner.patch(path, { labels: [] }, { 'if-match': value }), 412, 'version_conflict')
    expectStatus(await owner.patch(path, { labels: [] }, { 'if-match': `"x", ${now}` }), 200)
  })

  test('using a token or a session does not change the ETag of the user', async () => {
    const before = (await owner.get('/api/v1/me')).headers.get('etag')
    expect(before).toMatch(/^"\d+"$/)
    await owner.get('/api/v1/posts')
    await t.deps.lastUse.flush()
    expect((await owner.get('/api/v1/me')).headers.get('etag')).toBe(before)
  })

  test('the ETag of a post changes when the post is published', async () => {
    const account_ids = [await playgroundAccount(owner)]
    const { body, headers } = expectStatus(
      await owner.post('/api/v1/posts', { content: 'Out', account_ids, publish_now: true }),
      201,
    )
    await t.runJobs()
    const after = await owner.get(`/api/v1/posts/${body.id}`)
    expect(after.body.status).toBe('published')
    expect(after.headers.get('etag')).not.toBe(headers.get('etag'))
  })
})

describe('rate limits', () => {
  let limited: TestApp
  let person: WorkspaceOwner
  beforeAll(async () => {
    limited = await testApp({ RATE_LIMIT_READ: '5', RATE_LIMIT_WRITE: '6' })
    person = await withWorkspace(limited)
  })
  afterAll(() => limited.close())

  test('every response has the policy and the remaining limit, and 429 the seconds to wait', async () => {
    const token = await withToken(limited, person, ['posts:read'])
    const answers = []
    for (let call = 0; call < 6; call++) answers.push(await token.get('/api/v1/public/posts'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers.map(({ headers }) => headers.get('ratelimit'))).toEqual(
      [4, 3, 2, 1, 0, 0].map((left) => `"read";r=${left};t=60`),
    )
    for (const { headers } of answers) expect(headers.get('ratelimit-policy')).toBe('"read";q=5;w=60')
    const last = answers.at(-1)
    expect(last && expectProblem(last, 429, 'too_many_requests').detail).toContain('60 seconds')
    expect(last?.headers.get('retry-after')).toBe('60')
    limited.advance(30_000)
    expect((await token.get('/api/v1/public/posts')).headers.get('retry-after')).toBe('30')
    limited.advance(30_000)
    expectStatus(await token.get('/api/v1/public/posts'), 200)
  })

  test('reads and writes have separate limits, and so do users and each of their tokens', async () => {
    limited.advance(60_000)
    const [one, two] = [
      await withToken(limited, person, ['posts:read']),
      await withToken(limited, person, ['posts:read']),
    ]
    for (let call = 0; call < 5; call++) expectStatus(await one.get('/api/v1/public/posts'), 200)
    expectProblem(await one.get('/api/v1/public/posts'), 429, 'too_many_requests')
    expectStatus(await two.get('/api/v1/public/posts'), 200)
    expectStatus(await person.get('/api/v1/posts'), 200)
    const written = await person.post('/api/v1/posts', { content: 'Still' })
    expectStatus(written, 201)
    expect(written.headers.get('ratelimit')).toBe('"write";r=3;t=60')
  })

  test('two sessions of one user share a limit', async () => {
    limited.advance(60_000)
    const { headers } = await limited.anyone.post('/api/auth/sign-in/email', {
      email: person.email,
      password: 'correct horse battery',
    })
    const second = limited.anyone.with({
      cookie: headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    })
    expect((await person.get('/api/v1/me')).headers.get('ratelimit')).toBe('"read";r=4;t=60')
    expect((await second.get('/api/v1/me')).headers.get('ratelimit')).toBe('"read";r=3;t=60')
  })

  test('a rejected request counts and has the headers too', async () => {
    limited.advance(60_000)
    const answer = await person.get('/api/v1/posts/nothing')
    expectProblem(answer, 400, 'validation_failed')
    expect(answer.headers.get('ratelimit')).toBe('"read";r=4;t=60')
  })
})

describe('security headers', () => {
  test('every response has the security headers, including errors', async () => {
    for (const path of ['/api/v1/me', '/api/v1/nowhere', '/openapi.json', '/healthz', '/docs/errors', '/nowhere']) {
      const { headers } = await owner.get(path)
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer'])
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        expect.stringContaining("frame-ancestors 'none'"),
      ])
      // It would be useless over plain http, and with a LAN name it would lock users out.
      expect([path, headers.get('strict-transport-security')]).toEqual([path, null])
    }
    expect((await owner.get('/api/v1/me')).headers.get('cache-control')).toBe('no-store')
  })

  test('an instance that is served over https sends Strict-Transport-Security', async () => {
    const https = await testApp({ BASE_URL: 'https://meydan.test' })
    try {
      const { headers } = await https.anyone.get('/api/v1/instance')
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    } finally {
      await https.close()
    }
  })
})

describe('requests from other origins', () => {
  const crossOrigin = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }

  test('other origins can read open routes and use /public with a token, and never with cookies', async () => {
    const token = await withToken(t, owner, ['posts:write'])
    const answers = [
      await t.anyone.get('/api/v1/instance', crossOrigin),
      await t.anyone.get('/openapi.json', crossOrigin),
      await token.get('/api/v1/public/posts', crossOrigin),
      await token.post('/api/v1/public/posts', { content: 'From a page' }, crossOrigin),
      await t.anyone.get('/api/v1/public/posts', crossOrigin),
      await token.get('/api/v1/public/nowhere', crossOrigin),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 401, 404])
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('access-control-expose-headers')).toContain('ETag')
    }
  })

  test('other origins can send preflight requests to /public', async () => {
    const { status, headers } = await t.anyone.call('OPTIONS', '/api/v1/public/posts', {
      headers: {
        ...crossOrigin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type,if-match',
      },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'X-Workspace-Id'])
      expect(headers.get('access-control-allow-headers')).toContain(name)
  })

  test('other origins cannot read responses for sessions', async () => {
    for (const answer of [
      await owner.get('/api/v1/posts', crossOrigin),
      await owner.get('/api/v1/me', crossOrigin),
      await t.anyone.call('OPTIONS', '/api/v1/posts', { headers: crossOrigin }),
      await t.anyone.call('OPTIONS', '/api/auth/sign-in/email', { headers: crossOrigin }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })
})

test('400 for two Host headers', async () => {
  const answer = await rawRequest(t.url, ['GET /healthz HTTP/1.1', 'Host: a', 'host: b', 'Connection: close', '', ''])
  expect(answer.status).toBe(400)
  expect(answer.body.code).toBe('malformed_request')
})

test('a body may be absent when all its fields are optional', async () => {
  const { id } = await withToken(t, owner)
  expectStatus(await owner.post(`/api/v1/api-tokens/${id}/rotate`), 200)
  expectProblem(await owner.patch('/api/v1/me'), 400, 'validation_failed')
  expectProblem(await owner.post('/api/v1/api-tokens'), 400, 'validation_failed')
})

test('413 for bodies over 16 KB on sign-in routes, and 201 for larger ones with credentials', async () => {
  const text = 'x'.repeat(20_000)
  for (const [path, body] of [
    ['/api/auth/sign-in/email', { email: 'ada@example.com', password: text }],
    ['/api/v1/setup', { code: text }],
  ] as const)
    expectProblem(await t.anyone.post(path, body), 413, 'body_too_large')
  expectStatus(await owner.post('/api/v1/posts', { content: text }), 201)
})

test('400 for a body nested 100 levels deep or more', async () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const refused = await owner.post('/api/v1/posts', `{"content":${nested(100)}}`)
  expect(expectProblem(refused, 400, 'validation_failed').errors[0].message).toContain('100 levels')
  expectProblem(await owner.post('/api/v1/posts', `{"content":${nested(99)}}`), 400, 'validation_failed', '/content')
  expectProblem(await owner.post('/api/v1/posts', `{"content":${nested(400_000)}}`), 400, 'validation_failed')
})

test('415 for JSON with a charset other than UTF-8', async () => {
  for (const charset of ['utf-8', 'UTF8', '"utf-8"', 'utf-8; x=1'])
    expectStatus(
      await owner.post('/api/v1/posts', { content: 'ş' }, { 'content-type': `application/json; charset=${charset}` }),
      201,
    )
  for (const charset of ['utf-16', 'iso-8859-9', 'utf-80'])
    expectProblem(
      await owner.post('/api/v1/posts', { content: 'x' }, { 'content-type': `application/json; charset=${charset}` }),
      415,
      'unsupported_media_type',
    )
})

test('a token for all workspaces ignores the workspace that its owner has chosen', async () => {
  const person = await withWorkspace(t)
  const second = expectStatus(await person.post('/api/v1/workspaces', { name: `Second ${randomUUID()}` }), 201).body
  const token = await withToken(t, person.with({ 'x-workspace-id': second.id }), ['posts:read'], { team_id: null })
  expectStatus(await person.patch('/api/v1/me', { workspace_id: second.id }), 200)
  expectProblem(await token.get('/api/v1/public/posts'), 409, 'workspace_required')
  expectStatus(await token.get('/api/v1/public/posts', { 'x-workspace-id': second.id }), 200)
})

test("a port after the forwarded address is ignored, and an invalid address is replaced by the proxy's", async () => {
  const proxied = await testApp({ TRUST_PROXY: 'true' })
  try {
    const person = await withWorkspace(proxied)
    const seen = async (address: string) => {
      await person.patch('/api/v1/workspace', { locale: 'tr' }, { 'x-forwarded-for': address })
      return (await person.get('/api/v1/workspace/audit-log')).body.data[0].ip
    }
    expect(await seen('198.51.100.4')).toBe('198.51.100.4')
    expect(await seen('198.51.100.4:61000')).toBe('198.51.100.4')
    expect(await seen('[2001:db8::7]:443')).toBe('2001:db8::7')
    expect(await seen('unknown')).toBe('127.0.0.1')
  } finally {
    await proxied.close()
  }
})
