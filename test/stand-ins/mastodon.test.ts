import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mastodonServer } from './mastodon.ts'
import { fileOf, MP4, request } from './request.ts'

type Server = Awaited<ReturnType<typeof mastodonServer>>

let png: Buffer

beforeAll(async () => {
  png = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})

const call = (server: Server, token: string, method: string, path: string, body?: unknown, key?: string) =>
  request(
    method,
    `${server.url}${path}`,
    { authorization: `Bearer ${token}`, ...(key ? { 'idempotency-key': key } : {}) },
    body,
  )

const post = (server: Server, token: string, body: object, key?: string) =>
  call(server, token, 'POST', '/api/v1/statuses', body, key)

function upload(server: Server, token: string, bytes: Buffer, type: string, description?: string) {
  const form = new FormData()
  form.set('file', fileOf(bytes, type))
  if (description !== undefined) form.set('description', description)
  return call(server, token, 'POST', '/api/v2/media', form)
}

describe('the stand-in of Mastodon', () => {
  let server: Server
  let token: string
  beforeAll(async () => {
    server = await mastodonServer()
  })
  beforeEach(() => {
    token = server.addAccount().token
  })
  afterAll(() => server.close())

  test('refuses a text over 500 characters, in which a link is 23 and a server of a mention nothing', async () => {
    const long = `https://example.com/${'a'.repeat(100)} @ada@example.org `
    const fits = long + '👩‍👩‍👧‍👦'.repeat(500 - 23 - 1 - 4 - 1)
    expect((await post(server, token, { status: fits })).status).toBe(200)
    expect(await post(server, token, { status: `${fits}a` })).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Text character limit of 500 exceeded' },
    })
    expect((await post(server, token, { status: fits, spoiler_text: 'a' })).status).toBe(422)
    const warning = `https://example.com/${'a'.repeat(481)}`
    expect((await post(server, token, { status: 'a', spoiler_text: warning })).status).toBe(422)
  })

  test('refuses wrong tokens, missing scopes, empty posts and replies to nothing', async () => {
    const reader = server.addAccount(['read'])
    expect((await post(server, 'wrong', { status: 'Hello' })).status).toBe(401)
    expect((await post(server, reader.token, { status: 'Hello' })).status).toBe(403)
    expect((await post(server, token, { status: ' ' })).status).toBe(422)
    expect((await post(server, token, { status: 'Hello', in_reply_to_id: '7' })).status).toBe(404)
    expect((await post(server, token, { status: 'Hello', visibility: 'secret' })).status).toBe(422)
  })

  test('takes an image at once and a video after processing, and refuses what is neither', async () => {
    const image = await upload(server, token, png, 'image/png', 'A teal field')
    const video = await upload(server, token, MP4, 'video/mp4')
    expect([image.status, video.status]).toEqual([200, 202])
    expect((await upload(server, token, Buffer.from('text'), 'image/png')).status).toBe(422)
    expect((await upload(server, token, png, 'image/png', 'a'.repeat(1501))).status).toBe(422)
    const early = await post(server, token, { media_ids: [video.body.id] })
    const path = `/api/v1/media/${video.body.id}`
    const polls = [await call(server, token, 'GET', path), await call(server, token, 'GET', path)]
    expect([early.status, ...polls.map(({ status }) => status)]).toEqual([422, 206, 200])
    expect((await post(server, token, { media_ids: [video.body.id, image.body.id] })).status).toBe(422)
    expect((await post(server, token, { media_ids: [image.body.id] })).status).toBe(200)
    expect((await post(server, token, { media_ids: [image.body.id] })).status).toBe(422)
    expect(server.stored().at(-1)?.media).toEqual([{ type: 'image/png', alt: 'A teal field' }])
  })

  test('says that a file cannot be processed only after it took it', async () => {
    server.fault('processing_fails')
    const { status, body } = await upload(server, token, MP4, 'video/mp4')
    const poll = async () => (await call(server, token, 'GET', `/api/v1/media/${body.id}`)).status
    expect([status, await poll(), await poll()]).toEqual([202, 206, 422])
    expect((await post(server, token, { media_ids: [body.id] })).status).toBe(422)
  })

  test('edits, lists and deletes own posts', async () => {
    const { id } = (await post(server, token, { status: 'First' })).body
    const account = (await call(server, token, 'GET', '/api/v1/accounts/verify_credentials')).body
    expect((await call(server, token, 'PUT', `/api/v1/statuses/${id}`, { status: 'Second' })).status).toBe(200)
    const list = () => call(server, token, 'GET', `/api/v1/accounts/${account.id}/statuses`)
    expect((await list()).body).toMatchObject([{ id, content: '<p>Second</p>' }])
    expect((await call(server, token, 'DELETE', `/api/v1/statuses/${id}`)).status).toBe(200)
    expect((await call(server, token, 'DELETE', `/api/v1/statuses/${id}`)).status).toBe(404)
    expect((await list()).body).toEqual([])
  })

  test('names the end of a rate limit as a time, without Retry-After', async () => {
    server.fault('rate_limited')
    const { status, headers } = await post(server, token, { status: 'Hello' })
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBeNull()
    expect(Date.parse(headers.get('x-ratelimit-reset') ?? '')).toBeGreaterThan(Date.now())
  })
})

describe('a repeated idempotency key', () => {
  test.each([
    { software: 'mastodon', afterSuccess: 200, afterRefusal: 200, stored: 2 },
    { software: 'pleroma', afterSuccess: 200, afterRefusal: 422, stored: 1 },
    { software: 'gotosocial', afterSuccess: 200, afterRefusal: 200, stored: 3 },
    { software: 'pixelfed', afterSuccess: 400, afterRefusal: 400, stored: 1 },
  ] as const)('on $software', async ({ software, afterSuccess, afterRefusal, stored }) => {
    const server = await mastodonServer({ software })
    const { token } = server.addAccount()
    const media_ids = [(await upload(server, token, png, 'image/png')).body.id]
    const images = software === 'pixelfed' ? { media_ids } : {}
    expect((await post(server, token, { status: 'Once', ...images }, 'one')).status).toBe(200)
    expect((await post(server, token, { status: 'Again' }, 'one')).status).toBe(afterSuccess)
    expect((await post(server, token, { status: '' }, 'two')).status).toBeGreaterThanOrEqual(400)
    expect((await post(server, token, { status: 'Mended' }, 'two')).status).toBe(afterRefusal)
    expect(server.stored().length).toBe(stored)
    server.close()
  })
})
