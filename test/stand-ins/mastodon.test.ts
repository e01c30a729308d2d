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

  const poll = { options: ['Yes', 'No'], expires_in: 300 }
  test.each([
    ['an unknown field', { color: 'red' }, 'color is not a known field'],
    ['a text that is none', { status: 5 }, 'status must be string'],
    ['a flag that is a text', { sensitive: 'true' }, 'sensitive must be boolean'],
    ['an id that is a number', { media_ids: [1] }, 'media_ids.0 must be string'],
    ['an empty id', { in_reply_to_id: '' }, "in_reply_to_id can't be blank"],
    ['a language by its name', { language: 'English' }, 'language must match pattern'],
    ['a time that is none', { scheduled_at: 'noon' }, 'scheduled_at must match format'],
    ['unknown people who may quote', { quote_approval_policy: 'some' }, 'quote_approval_policy must be equal'],
    ['a poll with one option', { poll: { ...poll, options: ['Yes'] } }, 'poll.options must not have fewer than 2'],
    ['a poll without an end', { poll: { options: poll.options } }, "poll.expires_in can't be blank"],
  ])('refuses a post with %s', async (_, fields, sentence) => {
    const { status, body } = await post(server, token, { status: 'Hello', ...fields })
    expect([status, body.error]).toEqual([422, expect.stringMatching(`^Validation failed: ${sentence}`)])
  })

  test.each([
    ['PUT', '/api/v1/statuses/1', { visibility: 'public' }, 'visibility is not a known field'],
    ['PUT', '/api/v1/statuses/1', { media_attributes: [{ description: 'x' }] }, "media_attributes.0.id can't be blank"],
    ['DELETE', '/api/v1/statuses/1?delete_media=maybe', undefined, 'delete_media must be boolean'],
    ['GET', '/api/v1/accounts/1/statuses?limit=41', undefined, 'limit must be <= 40'],
    ['GET', '/api/v1/accounts/search?limit=5', undefined, "q can't be blank"],
    ['PUT', '/api/v1/media/1', { focus: '2,0' }, 'focus must match pattern'],
    ['POST', '/api/v2/media', { description: 'x' }, "File can't be blank"],
    ['POST', '/api/v1/apps', { redirect_uris: 'https://a.example' }, "Application name can't be blank"],
    ['POST', '/api/v1/apps', { client_name: 'A', redirect_uris: ['https://a.example'], website: 'me' }, 'website must'],
  ])('refuses %s %s with a wrong field', async (method, path, body, sentence) => {
    const reply = await call(server, token, method, path, body)
    expect([reply.status, reply.body.error]).toEqual([422, expect.stringMatching(`^Validation failed: ${sentence}`)])
  })

  test('names a missing right before a missing field', async () => {
    const reader = server.addAccount(['read'])
    expect((await call(server, reader.token, 'POST', '/api/v2/media', {})).status).toBe(403)
    expect((await call(server, 'wrong', 'POST', '/api/v2/media', {})).status).toBe(401)
  })

  test('refuses wrong parameters of the sign-in as OAuth does', async () => {
    const client = { client_id: 'a', client_secret: 'b' }
    const ask = (path: string, fields: Record<string, string>) =>
      request('POST', `${server.url}${path}`, {}, new URLSearchParams(fields))
    const invalid = { status: 400, body: { error: 'invalid_request' } }
    expect(await ask('/oauth/token', client)).toMatchObject(invalid)
    expect(await ask('/oauth/token', { ...client, grant_type: 'client_credentials', state: 'x' })).toMatchObject(
      invalid,
    )
    expect(await ask('/oauth/revoke', client)).toMatchObject(invalid)
    expect(await request('GET', `${server.url}/oauth/authorize?client_id=a`, {})).toMatchObject(invalid)
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
