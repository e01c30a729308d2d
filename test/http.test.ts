import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../server/errors.ts'
import { answerUnparsable } from '../server/lib/http/problems.ts'
import { type TestApp, testApp } from './app.ts'
import type { Answer } from './client.ts'
import {
  expectStatus,
  PASSWORD,
  playgroundAccount,
  sessionCookie,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from './factories.ts'
import { expectProblem } from './problem.ts'
import { rawRequest } from './raw-http.ts'

let t: TestApp
let owner: WorkspaceOwner
/** The owner's session, for hand-made requests. */
let cookie: string
beforeAll(async () => {
  t = await testApp()
  owner = await withWorkspace(t)
  const signIn = await t.anyone.post('/api/auth/sign-in/email', { email: owner.email, password: PASSWORD })
  cookie = sessionCookie(signIn.headers)
})
afterAll(() => t.close())

const post = (body: string, headers: Record<string, string> = {}) =>
  owner.call('POST', '/api/v1/posts', { body, headers })

describe('paths and methods', () => {
  test.each([
    '/nowhere',
    '/api',
    '/api/v1',
    '/api/v1/nowhere',
    '/api/v2/posts',
    '/api/auth/nowhere',
    '/docs/nowhere',
    '/openapi.json/x',
    '/healthz/x',
    '/readyz/',
    '/API/V1/POSTS',
    '//api/v1/posts',
    '/api/v1/posts/%',
    '/api/v1/posts/%zz',
    '/api/v1/../v1/nowhere',
  ])('404 as a problem document for %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) expectProblem(await owner.call(method, path), 404, 'not_found')
  })

  test('404 for a request target that is not a path, such as * or another host', async () => {
    for (const target of ['*', 'http://elsewhere.test/nowhere']) {
      const answer = await rawRequest(t.url, [`GET ${target} HTTP/1.1`, 'host: x', 'connection: close', '', ''])
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    }
  })

  test('405 with Allow for a method that the path does not support', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/api/v1/posts', 'GET, HEAD, POST'],
      ['OPTIONS', '/api/v1/posts', 'GET, HEAD, POST'],
      ['POST', `/api/v1/posts/${randomUUID()}`, 'GET, HEAD, PATCH, DELETE'],
      ['GET', '/api/v1/setup', 'POST'],
      ['POST', '/healthz', 'GET, HEAD'],
      ['PROPFIND', '/api/v1/me', 'GET, HEAD, PATCH, DELETE'],
    ] as const) {
      const answer = await owner.call(method, path)
      expectProblem(answer, 405, 'method_not_allowed')
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort())
    }
  })

  test('404 and 405 are checked before the body', async () => {
    for (const [type, body] of [
      ['application/json', '{not json'],
      ['application/json', '{"name":"\\u0000"}'],
      ['text/plain', 'x'],
      [',', 'x'],
      ['application/json', 'x'.repeat(1_000_001)],
    ] as const) {
      const request = { body, headers: { 'content-type': type } }
      expectProblem(await owner.call('POST', '/api/v1/nowhere', request), 404, 'not_found')
      for (const method of ['PUT', 'OPTIONS'])
        expectProblem(await owner.call(method, '/api/v1/posts', request), 405, 'method_not_allowed')
    }
  })

  test('HEAD gets the response of GET without a body', async () => {
    const answer = await owner.call('HEAD', '/api/v1/posts')
    expect([answer.status, answer.body]).toEqual([200, ''])
    expect((await t.anyone.call('HEAD', '/api/v1/posts')).status).toBe(401)
  })

  test('414 for a path of more than 8,000 characters', async () => {
    expectProblem(await owner.get(`/api/v1/posts?cursor=${'x'.repeat(8000)}`), 414, 'uri_too_long')
    expectProblem(await owner.get(`/${'x'.repeat(8000)}`), 414, 'uri_too_long')
    expectProblem(await owner.get(`/api/v1/posts/${'x'.repeat(300)}`), 414, 'uri_too_long')
  })

  test('431 for headers over 16 KB', async () => {
    for (const headers of [
      { 'x-long': 'x'.repeat(20_000) },
      Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`x-header-${n}`, 'x'.repeat(60)])),
    ]) {
      expectProblem(await owner.get('/api/v1/posts', headers), 431, 'headers_too_large')
    }
  })

  test('400 for a request that is not HTTP', async () => {
    for (const bytes of [
      'GARBAGE\r\n\r\n',
      'GET / HTTP/1.1\r\nbad header\r\n\r\n',
      'GET /\u0001 HTTP/1.1\r\nhost: x\r\n\r\n',
    ]) {
      const { status, body } = await rawRequest(t.url, bytes)
      expect([status, body.code]).toEqual([400, 'malformed_request'])
    }
  })
})

describe('bodies', () => {
  test('415 for content types other than JSON', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'x',
      'a/b',
    ])
      expectProblem(await post('{"content":"x"}', { 'content-type': type }), 415, 'unsupported_media_type')
    const untyped = ['POST /api/v1/setup HTTP/1.1', 'host: x', 'connection: close', 'content-length: 2', '', '{}']
    expectProblem(await rawRequest(t.url, untyped), 415, 'unsupported_media_type')
    expectStatus(await post('{"content":"x"}', { 'content-type': 'application/json; charset=utf-8' }), 201)
    expectStatus(await post('{"content":"x"}', { 'content-type': 'Application/JSON' }), 201)
  })

  test('a body in a content coding is refused with 415, because it would be read as something else', async () => {
    for (const coding of ['gzip', 'br', 'gzip, identity'])
      expectProblem(await post('{"content":"x"}', { 'content-encoding': coding }), 415, 'unsupported_media_type')
    expectStatus(await post('{"content":"x"}', { 'content-encoding': 'identity' }), 201)
  })

  test('the body limit of an operation follows from its schema', async () => {
    const padding = ' '.repeat(100_000)
    expectProblem(await owner.call('PATCH', '/api/v1/me', { body: `{${padding}}` }), 413, 'body_too_large')
    expectStatus(await post(`{"content":"x"${padding}}`), 201)
  })

  test('a body of thousands of fields is refused before it is parsed', async () => {
    const most = Object.fromEntries(Array.from({ length: 3900 }, (_, n) => [`k${n}`, 1]))
    expectProblem(await post(JSON.stringify({ content: 'x', ...most })), 400, 'validation_failed')
    const fields = Array.from({ length: 5000 }, (_, n) => `"k${n}":1`).join()
    for (const body of [`{${fields}}`, `{"content":"x","labels":[${'1,'.repeat(5000)}1]}`]) {
      const { errors } = expectProblem(await post(body), 400, 'validation_failed', '')
      expect(errors).toMatchObject([{ code: 'too_long', message: expect.stringContaining('4000') }])
    }
    // Separators inside of a text do not count.
    expectStatus(await post(JSON.stringify({ content: '{,:["\\'.repeat(3000) })), 201)
  })

  test.each([
    '{',
    '{"content":}',
    "{'content':'x'}",
    '{"content":"x"} x',
    '{"content":"x",}',
    'NaN',
    '\u0000',
    '{"a":1e}',
  ])('400 malformed_json for %j', async (body) => {
    expectProblem(await post(body), 400, 'malformed_json')
  })

  test('400 for a body that is JSON but no object, and for an empty one', async () => {
    for (const body of ['[]', '"x"', '5', 'null', 'true', '', ' '])
      expectProblem(await post(body), 400, 'validation_failed', '')
  })

  test('400 for null as a body, even where the body is optional', async () => {
    const webhook = { url: 'http://127.0.0.1:9/', events: ['*'] }
    const { id } = expectStatus(await owner.post('/api/v1/webhooks', webhook), 201).body
    for (const body of ['null', '[]', '5'])
      expectProblem(await owner.post(`/api/v1/webhooks/${id}/rotate-secret`, body), 400, 'validation_failed', '')
    expectStatus(await owner.post(`/api/v1/webhooks/${id}/rotate-secret`), 200)
  })

  test('400 for a body that ends early, and the server keeps running', async () => {
    const head = ['POST /api/v1/setup HTTP/1.1', 'host: x', 'content-type: application/json', 'connection: close']
    for (const length of ['content-length: 100', 'transfer-encoding: chunked']) {
      const answer = await rawRequest(t.url, [...head, length, '', '5\r\n{"a":'], { end: true })
      expect(answer.status).toBe(400)
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    }
    expectStatus(await t.anyone.get('/healthz'), 200)
  })

  const padded = (bytes: number) => `{"content":"x"${' '.repeat(bytes - 15)}}`

  test('a body may have exactly 1,000,000 bytes', async () => {
    expectStatus(await post(padded(1_000_000)), 201)
    expectProblem(await post(padded(1_000_001)), 413, 'body_too_large')
    expectProblem(await post(`{"content":"${'ş'.repeat(600_000)}"}`), 413, 'body_too_large')
    const chunked = await send('/api/v1/posts', { cookie }, [padded(1_000_000)])
    expectStatus(chunked, 201)
    expectProblem(await send('/api/v1/posts', { cookie }, [padded(1_000_001)]), 413, 'body_too_large')
  })

  /** Sends the whole body in chunks without its length, then reads the response. */
  async function send(path: string, credentials: Record<string, string>, chunks: string[]): Promise<Answer> {
    const request = httpRequest(`${t.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
    })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve)
      request.on('error', reject)
    })
    for (const chunk of chunks) request.write(chunk)
    await new Promise<void>((resolve) => request.end(resolve))
    const answer = await answered
    const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString()
    const fields = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    return { status: answer.statusCode ?? 0, headers: new Headers(fields), body: JSON.parse(text) }
  }

  test('a client that sends 5 MB can read the refusal, with or without Content-Length', async () => {
    const megabytes = Array.from({ length: 5 }, () => ' '.repeat(1_000_000))
    expectProblem(await post(megabytes.join('')), 413, 'body_too_large')
    expectProblem(await send('/api/v1/posts', { cookie }, megabytes), 413, 'body_too_large')
    expectProblem(await send('/api/v1/posts', {}, megabytes), 401, 'unauthenticated')
    expectProblem(await send('/api/v1/nowhere', {}, megabytes), 404, 'not_found')
  })

  test('400 lists every error of a body, but only the first one of a body with thousands of elements', async () => {
    const { body } = await post('{"content":7,"labels":"x","colour":"red"}')
    expect(body.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual([
      '/colour',
      '/content',
      '/labels',
    ])
    const many = await post(JSON.stringify({ content: 7, labels: Array(100_000).fill(7) }))
    expect(many.body.errors).toHaveLength(1)
  })

  test('an unsupported method such as QUERY gets a problem document', async () => {
    const answer = await rawRequest(t.url, ['QUERY /api/v1/posts HTTP/1.1', 'host: x', 'connection: close', '', ''])
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
  })

  test('400 for deep nesting at any place, whatever else is invalid', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expectProblem(await post(deep(100_000)), 400, 'validation_failed')
    expectProblem(await post(`{"content":${deep(100_000)}}`), 400, 'validation_failed')
    expectProblem(await post(`{"content":${deep(90)}}`), 400, 'validation_failed', '/content')
    const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    expectProblem(await post(`{"content":"x","a":${objects}}`), 400, 'validation_failed')
    const account_id = await playgroundAccount(owner)
    for (const levels of [90, 7_000, 100_000]) {
      const body = `{"content":"x","targets":[{"account_id":"${account_id}","options":{"a":${deep(levels)}}}]}`
      const answer = await post(body)
      expect(answer.status).toBeLessThan(500)
      if (answer.status !== 201) expectProblem(answer, 400, 'validation_failed')
    }
  })

  test('__proto__ and similar names are treated like any unknown field', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      expectProblem(await post(`{"content":"x","${name}":{"labels":["x"]}}`), 400, 'validation_failed', `/${name}`)
      const account = await owner.call('POST', '/api/v1/accounts', { body: `{"network":"${name}","${name}":"x"}` })
      expectProblem(account, 400, 'validation_failed')
    }
    expect(({} as { labels?: unknown }).labels).toBeUndefined()
  })

  test('400 for NUL and unpaired surrogates at any place', async () => {
    for (const bad of ['\\u0000', '\\ud800', '\\udc00\\ud800', 'x\\udfff']) {
      expectProblem(await post(`{"content":"${bad}"}`), 400, 'validation_failed', '/content')
      expectProblem(await post(`{"content":"x","labels":["a","${bad}"]}`), 400, 'validation_failed', '/labels/1')
      expectProblem(await post(`{"content":"x","${bad}":1}`), 400, 'validation_failed')
      expectProblem(await post(`{"content":"x","targets":[{"options":{"a":{"${bad}":1}}}]}`), 400, 'validation_failed')
    }
    expectStatus(await post('{"content":"\\ud83d\\ude00 \\uffff"}'), 201)
    for (const query of ['cursor=%00', 'status=%00', 'limit=%00', '%00=1', 'from=%ED%A0%80'])
      expectProblem(await owner.get(`/api/v1/posts?${query}`), 400, 'validation_failed')
    for (const id of ['%00', 'a%00b', '%F0%9F%98%80', "'", '..%2f..'])
      expectProblem(await owner.get(`/api/v1/posts/${id}`), 400, 'validation_failed', '/id')
  })

  test('invalid UTF-8 in a text gets 201 or 400, and never a 5xx', async () => {
    const body = Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')])
    const answer = await fetch(`${t.url}/api/v1/posts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body,
    })
    expect([201, 400]).toContain(answer.status)
  })

  test('400 for years outside the calendar and for days that do not exist', async () => {
    for (const time of [
      '99999-01-01T00:00:00Z',
      '+275760-09-13T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '0000-01-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-01T25:00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00',
      'tomorrow',
      '1798761600',
      '',
    ]) {
      expectProblem(
        await owner.post('/api/v1/posts', { content: 'x', scheduled_at: time }),
        400,
        'validation_failed',
        '/scheduled_at',
      )
      if (!/^(9999|0000|2026-02-30)/.test(time) || time.startsWith('99999'))
        expectProblem(
          await owner.get(`/api/v1/posts?from=${encodeURIComponent(time)}`),
          400,
          'validation_failed',
          '/from',
        )
    }
    for (const time of [
      '9999-12-31T23:59:59Z',
      '0001-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
    ])
      expect((await owner.get(`/api/v1/posts?from=${encodeURIComponent(time)}`)).status).toBeLessThan(500)
  })
})

describe('ids, limits and cursors', () => {
  test.each(['1', 'x', 'null', '01890000-0000-7000-8000-00000000000', '{01890000-0000-7000-8000-000000000000}', '-'])(
    '400 for the id %j, with its pointer',
    async (id) => {
      for (const path of ['posts', 'webhooks', 'accounts'])
        expectProblem(await owner.get(`/api/v1/${path}/${id}`), 400, 'validation_failed', '/id')
    },
  )

  test('404 for an unknown id, in any letter case and version of UUID', async () => {
    for (const id of [randomUUID(), randomUUID().toUpperCase(), '00000000-0000-0000-0000-000000000000'])
      expectProblem(await owner.get(`/api/v1/posts/${id}`), 404, 'not_found')
  })

  test.each(['0', '-1', '101', '1.5', '1e400', '99999999999999999999999', 'x', '', 'null', 'Infinity', '1&limit=2'])(
    '400 for limit=%s, with its pointer',
    async (limit) => {
      for (const path of ['posts', 'webhooks', 'accounts', 'api-tokens', 'workspaces', 'playground'])
        expectProblem(await owner.get(`/api/v1/${path}?limit=${limit}`), 400, 'validation_failed', '/limit')
    },
  )

  test.each([
    'x',
    '',
    "'; drop table post; --",
    Buffer.from('not an id').toString('base64url'),
    Buffer.from(`${randomUUID()}'`).toString('base64url'),
    randomUUID(),
    'x'.repeat(101),
  ])('400 for the cursor %j, with its pointer', async (cursor) => {
    for (const path of ['posts', 'webhooks', 'accounts', 'api-tokens', 'workspaces', 'playground']) {
      const answer = await owner.get(`/api/v1/${path}?cursor=${encodeURIComponent(cursor)}`)
      expectProblem(answer, 400, 'validation_failed', '/cursor')
    }
  })

  test('400 for an unknown query parameter', async () => {
    expectProblem(await owner.get('/api/v1/posts?page=2'), 400, 'validation_failed', '/page')
    expectProblem(await owner.get('/api/v1/workspaces?__proto__=x'), 400, 'validation_failed', '/__proto__')
  })

  test('paging repeats and skips no row while rows are added and deleted', async () => {
    const own = await withWorkspace(t)
    const create = async (content: string) =>
      expectStatus(await own.post('/api/v1/posts', { content }), 201).body.id as string
    const before: string[] = []
    for (let n = 0; n < 23; n++) before.unshift(await create(`before ${n}`))
    const gone = before[12] ?? ''
    const seen: string[] = []
    let pages = 0
    for (let cursor = ''; ; ) {
      const { body } = expectStatus(await own.get(`/api/v1/posts?limit=5${cursor}`), 200)
      seen.push(...body.data.map((row: { id: string }) => row.id))
      pages++
      await create(`meanwhile ${pages}`)
      if (pages === 1) expectStatus(await own.delete(`/api/v1/posts/${gone}`), 204)
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(seen).toEqual(before.filter((id) => id !== gone))
    expect(pages).toBe(5)
  })

  test('a page that ends with the last row has no next_cursor', async () => {
    const own = await withWorkspace(t)
    for (let n = 0; n < 4; n++) expectStatus(await own.post('/api/v1/posts', { content: 'x' }), 201)
    const first = (await own.get('/api/v1/posts?limit=2')).body
    const second = (await own.get(`/api/v1/posts?limit=2&cursor=${first.next_cursor}`)).body
    expect([first.data.length, second.data.length, second.next_cursor]).toEqual([2, 2, null])
    // The format of all releases: a cursor must outlive an upgrade.
    expect(first.next_cursor).toBe(Buffer.from(first.data[1].id).toString('base64url'))
    expect((await own.get('/api/v1/posts?limit=4')).body.next_cursor).toBeNull()
  })
})

describe('pipelined requests', () => {
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nhost: meydan.test\r\ncookie: ${cookie}\r\n`

  test('run one after the other, so that each sees what the former one did', async () => {
    const body = '{"content":"sent without waiting"}'
    const create = `${head('POST', '/api/v1/posts')}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const list = `${head('GET', '/api/v1/posts?limit=1')}connection: close\r\n\r\n`
    const { port, hostname } = new URL(t.url)
    const socket = connect(Number(port), hostname)
    socket.write(create + list)
    const answers = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString()
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200'])
    expect(answers.match(/sent without waiting/g)).toHaveLength(2)
  })

  test('wait while the client does not read the former responses', async () => {
    const reader = await withWorkspace(t)
    for (let n = 0; n < 20; n++) expectStatus(await reader.post('/api/v1/posts', { content: 'x'.repeat(60_000) }), 201)
    const { port, hostname } = new URL(t.url)
    const session = sessionCookie(
      (await t.anyone.post('/api/auth/sign-in/email', { email: reader.email, password: PASSWORD })).headers,
    )
    const pages = `GET /api/v1/posts HTTP/1.1\r\nhost: meydan.test\r\ncookie: ${session}\r\n\r\n`.repeat(20)
    const create = `POST /api/v1/posts HTTP/1.1\r\nhost: meydan.test\r\ncookie: ${session}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 18\r\n\r\n{"content":"last"}`
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.pause()
    socket.write(pages + create)
    const contents = async () =>
      expectStatus(await reader.get('/api/v1/posts?limit=1'), 200).body.data.map(
        ({ content }: { content: string }) => content,
      )
    // Longer than all requests take when nothing holds them up.
    for (let round = 0; round < 40; round++) expect(await contents()).not.toContain('last')
    socket.resume()
    await once(socket, 'close')
    expect(await contents()).toContain('last')
  })
})

test('a client that pipelines hundreds of requests behind a slow one is disconnected', async () => {
  await t.deps.db.transaction().execute(async (tx) => {
    await sql`lock table post in access exclusive mode`.execute(tx)
    const { port, hostname } = new URL(t.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    const read = `GET /api/v1/posts HTTP/1.1\r\nhost: meydan.test\r\ncookie: ${cookie}\r\n\r\n`
    socket.write(read.repeat(200))
    await once(socket, 'close')
  })
  expectStatus(await owner.get('/api/v1/posts'), 200)
})

describe('large and slow reads', () => {
  test('a page of long posts ends before its limit, and cursors lead through all of them once', async () => {
    const writer = await withWorkspace(t)
    for (let n = 0; n < 40; n++)
      expectStatus(await writer.post('/api/v1/posts', { content: `${n} ${'x'.repeat(60_000)}` }), 201)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor && `&cursor=${cursor}`
      const { body } = expectStatus(await writer.get(`/api/v1/posts?limit=100${query}`), 200)
      expect(JSON.stringify(body).length).toBeLessThan(1_100_000)
      seen.push(...body.data.map(({ content }: { content: string }) => content.split(' ', 1)[0]))
      cursor = body.next_cursor
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => String(39 - n)))
  })

  test('the slow reads of one user leave database connections for others', async () => {
    const greedy = await withWorkspace(t)
    const other = await withWorkspace(t)
    const reads = await t.deps.db.transaction().execute(async (tx) => {
      await sql`lock table post in access exclusive mode`.execute(tx)
      const waiting = Array.from({ length: 40 }, () => greedy.get('/api/v1/posts'))
      // Answered while the reads wait: this does not need the table.
      for (let round = 0; round < 10; round++) expectStatus(await other.get('/api/v1/workspaces'), 200)
      return { waiting }
    })
    for (const answer of await Promise.all(reads.waiting)) expectStatus(answer, 200)
  })
})

describe('incomplete HTTP requests', () => {
  test('400 without Host and 417 for an unsupported expectation, both as problem documents with a request id', async () => {
    const noHost = await rawRequest(t.url, ['GET /api/v1/me HTTP/1.1', 'connection: close', '', ''])
    expectProblem(noHost, 400, 'malformed_request')
    const lines = ['POST /api/v1/setup HTTP/1.1', 'host: x', 'expect: banana', 'content-length: 0', '', '']
    const expectation = await rawRequest(t.url, lines)
    expectProblem(expectation, 417, 'expectation_failed')
    expectProblem(await rawRequest(t.url, 'this is no HTTP\r\n\r\n'), 400, 'malformed_request')
    const former = ['GET /healthz HTTP/1.0', 'host: x', 'connection: keep-alive', 'transfer-encoding: chunked']
    // Reads until the server closes the connection.
    const chunked = await rawRequest(t.url, [...former, '', '0', '', ''])
    expectProblem(chunked, 400, 'malformed_request')
    expect(chunked.headers.get('connection')).toBe('close')
  })

  test('408 for a request that takes too long to arrive', async () => {
    // Meydan waits a minute; this server has short timeouts and the same error handler.
    const hasty = createServer({ requestTimeout: 50, headersTimeout: 50, connectionsCheckingInterval: 10 })
    hasty.on('clientError', answerUnparsable).listen(0, '127.0.0.1')
    await once(hasty, 'listening')
    const address = hasty.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const answer = await rawRequest(`http://127.0.0.1:${port}`, 'GET /api/v1/me HTTP/1.1\r\nhost: x\r\n')
    expectProblem(answer, 408, 'request_timeout')
    hasty.close()
  })

  test('400 for a body that is not UTF-8, which is not converted', async () => {
    const body = Buffer.from('{"content":"a\xff\xfeb"}', 'latin1')
    const head = ['POST /api/v1/setup HTTP/1.1', 'host: x', 'connection: close', 'content-type: application/json']
    const answer = await rawRequest(
      t.url,
      Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n`), body]),
    )
    expectProblem(answer, 400, 'malformed_json')
  })
})

describe('X-Forwarded-For', () => {
  test('the address is the one that a trusted proxy reports, and a client cannot change it', async () => {
    const behind = await testApp({ TRUST_PROXY: 'true' })
    const person = await signedIn(behind)
    for (const [forwarded, ip] of [
      ['203.0.113.7, 198.51.100.9', '198.51.100.9'],
      // Without a valid address, the proxy's is used.
      ['garbage', '127.0.0.1'],
      ['fe80::1%eth0', 'fe80::1'],
    ] as const) {
      const answer = await person.post(
        '/api/v1/workspaces',
        { name: `From ${forwarded}` },
        { 'x-forwarded-for': forwarded },
      )
      expectStatus(answer, 201)
      const entry = await behind.deps.db
        .selectFrom('audit_entry')
        .select('ip')
        .where('target_id', '=', answer.body.id)
        .executeTakeFirstOrThrow()
      expect(entry.ip).toBe(ip)
    }
    await behind.close()
  })
})

describe('problem documents', () => {
  test('a problem document has the members of RFC 9457 and the documented ones, and no others', async () => {
    const answer = await owner.post('/api/v1/posts?x=1', { labels: 'x' }, { 'x-request-id': 'my-id_1' })
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(answer.body).toEqual({
      type: '/docs/errors#validation_failed',
      title: 'Some fields are not valid',
      status: 400,
      detail: expect.any(String),
      instance: '/api/v1/posts',
      code: 'validation_failed',
      request_id: 'my-id_1',
      errors: expect.arrayContaining([
        { pointer: '/content', code: 'required', message: expect.any(String) },
        { pointer: '/labels', code: 'invalid', message: expect.any(String) },
      ]),
    })
  })

  test('a problem document lists each field once, with a readable message', async () => {
    const answer = await owner.post('/api/v1/posts', { content: 'x', account_ids: ['x'], scheduled_at: 'tomorrow' })
    expect(answer.body.errors).toEqual([
      { pointer: '/account_ids/0', code: 'invalid', message: 'This is not an id.' },
      { pointer: '/scheduled_at', code: 'invalid', message: 'This is not a time such as 2026-03-01T09:00:00Z.' },
    ])
    const blank = await owner.post('/api/v1/workspaces', { name: '' })
    expect(blank.body.errors).toEqual([{ pointer: '/name', code: 'too_short', message: 'This must not be empty.' }])
  })

  test('every code is explained on the page that its type links to', async () => {
    const page = expectStatus(await t.anyone.get('/docs/errors'), 200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const code of Object.keys(catalogue)) expect(page.body).toContain(`id="${code}"`)
  })

  test('a valid X-Request-Id is returned, and any other is replaced by a UUIDv7', async () => {
    for (const id of ['a', 'A-z_0', 'x'.repeat(64)])
      expect((await owner.get('/api/v1/me', { 'x-request-id': id })).headers.get('x-request-id')).toBe(id)
    for (const id of ['', 'x'.repeat(65), 'a b', 'a.b', 'a:b', 'a,b', '{}']) {
      const given = (await owner.get('/api/v1/me', { 'x-request-id': id })).headers.get('x-request-id')
      expect(given).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    const twice = [
      'GET /healthz HTTP/1.1',
      'host: x',
      'x-request-id: a',
      'x-request-id: b',
      'connection: close',
      '',
      '',
    ]
    expect((await rawRequest(t.url, twice)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('paths beside the API', () => {
  test('/docs is a page without external resources', async () => {
    const page = await (await fetch(`${t.url}/docs`)).text()
    for (const url of ['/openapi.public.json', '/openapi.session.json']) expect(page).toContain(url)
    for (const [, source = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(source).not.toMatch(/^(https?:)?\/\//)
      expectStatus(await t.anyone.get(new URL(source, `${t.url}/docs/`).pathname), 200)
    }
  })

  test('/healthz checks the process, and /readyz the database', async () => {
    const own = await testApp({ LOG_LEVEL: 'silent' })
    try {
      expect((await own.anyone.get('/healthz')).body).toEqual({ status: 'ok' })
      expect((await own.anyone.get('/readyz')).body).toEqual({ status: 'ok' })
      await own.database.drop()
      expectProblem(await own.anyone.get('/readyz'), 503, 'unavailable')
      expectStatus(await own.anyone.get('/healthz'), 200)
      expectProblem(await own.anyone.get('/api/v1/me', { cookie: 'x=1' }), 401, 'unauthenticated')
    } finally {
      await own.close()
    }
  })
})

describe('random requests', () => {
  type Schema = {
    type?: string | string[]
    enum?: unknown[]
    properties?: Record<string, Schema>
    items?: Schema
    additionalProperties?: boolean | Schema
  }
  type Operation = {
    parameters?: { in: string; name: string }[]
    requestBody?: { content: Record<string, { schema: Schema }> }
  }

  const edges = [
    ...['', ' ', '\0', '\ud800', '😀', 'İ', 'null', '-1', '1e309', '../..', '%00', '{{x}}', "';--", '<b>', '__proto__'],
    ...['99999-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'],
    ...['http://127.0.0.1:1/', 'https://[::1]/', 'http://a', 'http://localhost:99999', 'file:///etc/passwd', '*'],
    ...['playground', 'post.published', 'posts:read', 'USD', 'Europe/Paris', 'tr', 'x'.repeat(70_000), 'ab'],
    ...[0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, 1e308, -1e308, true, false, null],
    ...[[], {}, [[]], [null], [''], { a: { b: {} } }],
  ]

  test('a random request never gets a 5xx, and every refusal is a problem document', { timeout: 120_000 }, async () => {
    const { body: document } = await t.anyone.get('/openapi.json')
    const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
    )
    const account = await playgroundAccount(owner)
    const draft = async () => expectStatus(await owner.post('/api/v1/posts', { content: 'x' }), 201).body.id as string
    const webhook = await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] })
    const ids = [owner.id, owner.workspace_id, account, await draft(), await draft(), webhook.body.id, randomUUID()]

    const anything = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom<unknown>(...edges) },
      { weight: 2, arbitrary: fc.constantFrom<unknown>(...ids) },
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    )
    /** Mostly the shape the route expects, with parts replaced now and then. */
    const like = (schema: Schema, depth = 0): fc.Arbitrary<unknown> => {
      const types = [schema.type ?? []].flat()
      const fitting = schema.enum
        ? fc.constantFrom(...schema.enum)
        : schema.properties && depth < 4
          ? fc.record(
              Object.fromEntries(
                Object.entries(schema.properties).map(([name, property]) => [name, like(property, depth + 1)]),
              ),
              { requiredKeys: [] },
            )
          : types.includes('array')
            ? fc.array(schema.items ? like(schema.items, depth + 1) : anything, { maxLength: 4 })
            : types.includes('boolean')
              ? fc.boolean()
              : types.includes('integer')
                ? fc.integer()
                : anything
      return fc.oneof({ weight: 4, arbitrary: fitting }, { weight: 1, arbitrary: anything })
    }
    const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : JSON.stringify(value))
    const encode = (value: unknown) => encodeURIComponent(text(value).toWellFormed())
    const requests = operations.map(({ method, path, parameters = [], requestBody }) => {
      const names = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
      return fc.record({
        method: fc.constant(method),
        path: fc
          .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, anything), { minLength: 1, maxLength: 1 })
          .map(([id]) => path.replace(/\{\w+\}/, encode(id) || '-')),
        query: fc.dictionary(fc.constantFrom('limit', 'cursor', 'x', ...names('query')), anything, { maxKeys: 2 }),
        body: method === 'GET' ? fc.constant(undefined) : fc.option(like(requestBody ? bodySchema(requestBody) : {})),
      })
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(...requests), { minLength: 10, maxLength: 10 }), async (batch) => {
        await Promise.all(
          batch.map(async ({ method, path, query, body }) => {
            const parameters = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`)
            const answer = await owner.call(method, `${path}${parameters.length ? '?' : ''}${parameters.join('&')}`, {
              body,
              headers: { 'x-workspace-id': owner.workspace_id },
            })
            if (answer.status >= 500) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
            if (answer.status >= 400) expectProblem(answer, answer.status, answer.body.code)
          }),
        )
      }),
      { numRuns: 150, seed: 20_260_101, endOnFailure: true },
    )
  })

  const bodySchema = ({ content }: NonNullable<Operation['requestBody']>) => Object.values(content)[0]?.schema ?? {}
})
