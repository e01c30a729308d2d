import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, withWorkspace } from '../factories.ts'
import { expectProblem } from '../problem.ts'
import { rawRequest } from '../raw-http.ts'

const t = await testApp()
const owner = await withWorkspace(t)

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
      const response = await rawRequest(t.url, [`GET ${target} HTTP/1.1`, 'host: x', 'connection: close', '', ''])
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
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
      const response = await owner.call(method, path)
      expectProblem(response, 405, 'method_not_allowed')
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort())
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
    const response = await owner.call('HEAD', '/api/v1/posts')
    expect([response.status, response.body]).toEqual([200, ''])
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

describe('paths beside the API', () => {
  test('/docs is a page without external resources', async () => {
    const page = await (await fetch(`${t.url}/docs`)).text()
    for (const url of ['/openapi.public.json', '/openapi.session.json']) expect(page).toContain(url)
    for (const [, source = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(source).not.toMatch(/^(https?:)?\/\//)
      expectStatus(await t.anyone.get(new URL(source, `${t.url}/docs/`).pathname), 200)
    }
  })

  test('/readyz is 200 as soon as the disk of the database, which was full, has room again', async () => {
    const own = await testApp()
    try {
      own.deps.outageLog.note(Object.assign(new Error('could not extend file'), { code: '53100' }))
      expectStatus(await own.anyone.get('/readyz'), 200)
    } finally {
      await own.close()
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
