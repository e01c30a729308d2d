import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import type { ApiResponse } from '../client.ts'
import { expectStatus, openSession, playgroundAccount, withWorkspace } from '../factories.ts'
import { expectProblem } from '../problem.ts'
import { rawRequest } from '../raw-http.ts'

/** The owner's session, for hand-made requests. */
let cookie: string
const t = await testApp()
const owner = await withWorkspace(t)
;({ cookie } = await openSession(t, owner.id))

const post = (body: string, headers: Record<string, string> = {}) =>
  owner.call('POST', '/api/v1/posts', { body, headers })

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
      const response = await rawRequest(t.url, [...head, length, '', '5\r\n{"a":'], { end: true })
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
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
  async function send(path: string, credentials: Record<string, string>, chunks: string[]): Promise<ApiResponse> {
    const request = httpRequest(`${t.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
    })
    const responded = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve)
      request.on('error', reject)
    })
    for (const chunk of chunks) request.write(chunk)
    await new Promise<void>((resolve) => request.end(resolve))
    const response = await responded
    const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString()
    const fields = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
    return { status: response.statusCode ?? 0, headers: new Headers(fields), body: JSON.parse(text) }
  }

  test('a client that sends 5 MB can read the refusal, with or without Content-Length', async () => {
    const megabytes = Array.from({ length: 5 }, () => ' '.repeat(1_000_000))
    expectProblem(await post(megabytes.join('')), 413, 'body_too_large')
    expectProblem(await send('/api/v1/posts', { cookie }, megabytes), 413, 'body_too_large')
    expectProblem(await send('/api/v1/posts', {}, megabytes), 401, 'unauthenticated')
    expectProblem(await send('/api/v1/nowhere', {}, megabytes), 404, 'not_found')
  })

  test('a client that goes on sending after a refusal is disconnected after 10 MB', async () => {
    const { port, hostname } = new URL(t.url)
    const socket = connect(Number(port), hostname)
    const received: Buffer[] = []
    socket.on('data', (chunk) => received.push(chunk)).on('error', () => undefined)
    const head = ['POST /api/v1/posts HTTP/1.1', 'host: x', 'content-type: application/json']
    socket.write([...head, 'content-length: 1000000000', '', ''].join('\r\n'))
    const megabyte = Buffer.alloc(1_000_000, ' ')
    let sent = 0
    const sendMore = () => {
      while (sent < 1000 && !socket.destroyed) {
        sent++
        if (!socket.write(megabyte)) break
      }
    }
    socket.on('drain', sendMore)
    sendMore()
    await new Promise((resolve) => socket.once('close', resolve))
    expect(Buffer.concat(received).toString()).toContain('unauthenticated')
    // Buffers of the network hold more than was read.
    expect(sent).toBeLessThan(50)
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
    const response = await rawRequest(t.url, ['QUERY /api/v1/posts HTTP/1.1', 'host: x', 'connection: close', '', ''])
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
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
      const response = await post(body)
      expect(response.status).toBeLessThan(500)
      if (response.status !== 201) expectProblem(response, 400, 'validation_failed')
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
    const response = await fetch(`${t.url}/api/v1/posts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body,
    })
    expect([201, 400]).toContain(response.status)
  })

  test('400 for years outside the calendar and for days that do not exist', async () => {
    for (const time of [
      '99999-01-01T00:00:00Z',
      '+275760-09-13T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '0000-01-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
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
