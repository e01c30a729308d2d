import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withToken, withWorkspace } from './factories.ts'
import { expectProblem } from './problem.ts'
import { rawRequest } from './raw-http.ts'

const t = await testApp()
const owner = await withWorkspace(t)

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
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        owner.patch(`/api/v1/posts/${post.id}`, { content: `By ${index}` }, { 'if-match': headers.get('etag') ?? '' }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
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
    const responses = []
    for (let call = 0; call < 6; call++) responses.push(await token.get('/api/v1/public/posts'))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(responses.map(({ headers }) => headers.get('ratelimit'))).toEqual(
      [4, 3, 2, 1, 0, 0].map((left) => `"read";r=${left};t=60`),
    )
    for (const { headers } of responses) expect(headers.get('ratelimit-policy')).toBe('"read";q=5;w=60')
    const last = responses.at(-1)
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
    const head = await person.call('HEAD', '/api/v1/posts')
    expect(head.headers.get('ratelimit')).toBe('"read";r=3;t=60')
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
    const response = await person.get('/api/v1/posts/nothing')
    expectProblem(response, 400, 'validation_failed')
    expect(response.headers.get('ratelimit')).toBe('"read";r=4;t=60')
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
    const responses = [
      await t.anyone.get('/api/v1/instance', crossOrigin),
      await t.anyone.get('/openapi.json', crossOrigin),
      await token.get('/api/v1/public/posts', crossOrigin),
      await token.post('/api/v1/public/posts', { content: 'From a page' }, crossOrigin),
      await t.anyone.get('/api/v1/public/posts', crossOrigin),
      await token.get('/api/v1/public/nowhere', crossOrigin),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 201, 401, 404])
    for (const { headers } of responses) {
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
    for (const response of [
      await owner.get('/api/v1/posts', crossOrigin),
      await owner.get('/api/v1/me', crossOrigin),
      await t.anyone.call('OPTIONS', '/api/v1/posts', { headers: crossOrigin }),
      await t.anyone.call('OPTIONS', '/api/auth/sign-in/email', { headers: crossOrigin }),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })
})

test('400 for two Host headers', async () => {
  const response = await rawRequest(t.url, ['GET /healthz HTTP/1.1', 'Host: a', 'host: b', 'Connection: close', '', ''])
  expect(response.status).toBe(400)
  expect(response.body.code).toBe('malformed_request')
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
    expect(await seen('[2001:db8::7]')).toBe('2001:db8::7')
    expect(await seen('fe80::7%eth0')).toBe('fe80::7')
    for (const address of ['unknown', 'x198.51.100.4:61000', '198.51.100.4:x', '198.51.100.4:1x', 'x[2001:db8::7]'])
      expect(await seen(address)).toBe('127.0.0.1')
  } finally {
    await proxied.close()
  }
})
