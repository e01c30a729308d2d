import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { testApp } from './app.ts'
import { expectStatus, openSession, signedIn } from './factories.ts'

let post: { id: string }
const t = await testApp()
const user = await signedIn(t)
const { cookie } = await openSession(t, user.id)
const headersOf = (coding: string | undefined) => ({
  cookie,
  ...(coding !== undefined && { 'accept-encoding': coding }),
})
expectStatus(await user.post('/api/v1/workspaces', { name: 'Compressed' }), 201)
for (let n = 0; n < 10; n++)
  post = expectStatus(await user.post('/api/v1/posts', { content: `${n} ${'simit '.repeat(500)}` }), 201).body

/** The response as it is sent: `fetch` would decode it. */
async function read(path: string, coding?: string, more: Record<string, string> = {}) {
  const { statusCode, headers, body } = await request(`${t.url}${path}`, { headers: { ...headersOf(coding), ...more } })
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) }
}

describe('a list that is read with GET', () => {
  test('is sent in the best coding that the client accepts, with the same content', async () => {
    const plain = await read('/api/v1/posts')
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [accepted, coding, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await read('/api/v1/posts', accepted)
      expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
      expect(headers['content-length']).toBe(String(bytes.length))
      expect(bytes.length).toBeLessThan(plain.bytes.length / 4)
      expect(decode(bytes).equals(plain.bytes)).toBe(true)
    }
  })

  test('is sent as it is to a client that accepts no coding, and says that this depends on the client', async () => {
    for (const accepted of [undefined, '', 'identity', 'gzip;q=0', 'br;q=0.000, gzip;q=0', 'zstd']) {
      const { headers, bytes } = await read('/api/v1/posts', accepted)
      expect([accepted, headers['content-encoding'], headers.vary]).toEqual([accepted, undefined, 'accept-encoding'])
      expect(JSON.parse(bytes.toString()).data).toHaveLength(10)
    }
  })

  test('is sent as it is when it fits a packet', async () => {
    const { headers } = await read('/api/v1/me', 'br')
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
  })

  test('is whole for a hundred clients at once, though only a few are compressed at a time', async () => {
    const plain = await read('/api/v1/posts')
    const all = await Promise.all(Array.from({ length: 100 }, () => read('/api/v1/posts', 'br')))
    for (const { headers, bytes } of all)
      expect((headers['content-encoding'] ? brotliDecompressSync(bytes) : bytes).equals(plain.bytes)).toBe(true)
  })
})

test('a record with a strong ETag is not compressed, and If-Match accepts the tag', async () => {
  const { headers } = await read(`/api/v1/posts/${post.id}`, 'br, gzip')
  expect(headers['content-encoding']).toBeUndefined()
  expect(headers.etag).toMatch(/^"\d+"$/)
  const changed = await t.anyone
    .with({ cookie, 'if-match': String(headers.etag) })
    .patch(`/api/v1/posts/${post.id}`, { content: 'y'.repeat(5000) })
  expectStatus(changed, 200)
  expect(changed.headers.get('content-encoding')).toBeNull()
})

test('a response that shows a secret once is not compressed', async () => {
  const created = await t.anyone
    .with({ ...headersOf('br'), 'content-type': 'application/json' })
    .open('POST', '/api/v1/api-tokens', { body: { name: 'x' } })
  expect([created.status, created.headers.get('content-encoding')]).toEqual([201, null])
})

describe('the reference', () => {
  test('its documents are compressed once and revalidated by their ETag', async () => {
    for (const path of ['/openapi.json', '/openapi.public.json', '/openapi.session.json']) {
      const plain = await read(path)
      const { headers, bytes } = await read(path, 'gzip, br')
      expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-cache', vary: 'accept-encoding' })
      expect(bytes.length).toBeLessThan(plain.bytes.length / 8)
      expect(brotliDecompressSync(bytes).equals(plain.bytes)).toBe(true)
      const again = await read(path, 'br', { 'if-none-match': String(headers.etag) })
      expect([again.status, again.headers['content-length']]).toEqual([304, undefined])
    }
  })

  test('its script is compressed, and the address that the page loads is cached for good', async () => {
    const page = (await read('/docs/')).bytes.toString()
    const address = /src="(js\/scalar\.js\?v=[\d.]+)"/.exec(page)?.[1]
    expect(address).toBeDefined()
    const script = await read(`/docs/${address}`, 'gzip, br')
    expect(script.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(script.bytes.length).toBeLessThan(1_100_000)
    expect(brotliDecompressSync(script.bytes).length).toBeGreaterThan(3_000_000)
    expect((await read('/docs/js/scalar.js', 'br')).headers['cache-control']).toBe('no-cache')
    const known = { 'if-none-match': String(script.headers.etag) }
    const again = await read(`/docs/${address}`, 'br', known)
    expect([again.status, again.headers['content-length']]).toEqual([304, undefined])
  })
})
