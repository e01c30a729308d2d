import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { fileOf, request, signInPage } from './request.ts'
import { xServer } from './x.ts'

const SCOPES = 'tweet.read tweet.write users.read media.write offline.access'
const verifier = 'v'.repeat(43)

let x: Awaited<ReturnType<typeof xServer>>
let token: string
beforeEach(async () => {
  x = await xServer()
  token = (await signIn()).body.access_token
  return x.close
})

const call = (method: string, path: string, body?: unknown, bearer = token) =>
  request(method, `${x.url}${path}`, { authorization: `Bearer ${bearer}` }, body)
const post = (body: object) => call('POST', '/2/tweets', body)

async function codeOf(changes: Record<string, string> = {}) {
  const { client_id, redirect_uri } = x.oauth.client
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = { client_id, redirect_uri, response_type: 'code', scope: SCOPES, state: 's', code_challenge }
  return signInPage(`${x.url}/i/oauth2/authorize`, { ...query, code_challenge_method: 'S256', ...changes })
}
function askToken(fields: Record<string, string>) {
  const { client_id, client_secret } = x.oauth.client
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
  return request('POST', `${x.url}/2/oauth2/token`, { authorization }, new URLSearchParams(fields))
}
async function exchange(code: string, changes: Record<string, string> = {}) {
  const { redirect_uri } = x.oauth.client
  return askToken({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier, ...changes })
}
const signIn = async () => exchange((await codeOf())?.searchParams.get('code') ?? '')
const renew = (refresh_token: string) => askToken({ grant_type: 'refresh_token', refresh_token })

async function upload(parts: number[], media_type = 'image/png', media_category = 'tweet_image', total_bytes = 0) {
  const total = total_bytes || parts.length * 10
  const { body } = await call('POST', '/2/media/upload/initialize', { media_type, media_category, total_bytes: total })
  const { id } = body.data
  for (const segment_index of parts) {
    const form = new FormData()
    form.set('segment_index', String(segment_index))
    form.set('media', fileOf(Buffer.alloc(10), 'application/octet-stream'))
    expect((await call('POST', `/2/media/upload/${id}/append`, form)).status).toBe(200)
  }
  return { id, finalized: await call('POST', `/2/media/upload/${id}/finalize`) }
}

describe('the sign-in of X', () => {
  test.each([
    ['another address', { redirect_uri: 'http://meydan.test/api/v1/accounts/oauth/callback/' }],
    ['another client', { client_id: 'other' }],
  ])('shows an error to a person who comes with %s', async (_, changes) => {
    expect(await codeOf(changes)).toBeUndefined()
  })

  test('asks for a challenge that is a hash', async () => {
    const back = await codeOf({ code_challenge_method: 'plain' })
    expect(back?.searchParams.get('error')).toBe('invalid_request')
  })

  test.each([
    ['without its verifier', { code_verifier: 'w'.repeat(43) }],
    ['with another address', { redirect_uri: 'http://meydan.test/other' }],
  ])('refuses a code %s', async (_, changes) => {
    const code = (await codeOf())?.searchParams.get('code') ?? ''
    expect(await exchange(code, changes)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('refuses credentials outside of the header, and a body of JSON', async () => {
    const { client_id, client_secret } = x.oauth.client
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret })
    expect((await request('POST', `${x.url}/2/oauth2/token`, {}, form)).body.error).toBe('invalid_client')
    const json = await request('POST', `${x.url}/2/oauth2/token`, {}, { grant_type: 'refresh_token' })
    expect(json.body.error).toBe('invalid_request')
  })

  test('ends everything of a code that comes twice', async () => {
    const code = (await codeOf())?.searchParams.get('code') ?? ''
    const { access_token } = (await exchange(code)).body
    expect((await exchange(code)).status).toBe(400)
    expect((await call('GET', '/2/users/me', undefined, access_token)).status).toBe(401)
  })

  test('changes the refresh token, and ends everything when an old one comes again', async () => {
    const first = (await signIn()).body
    const second = (await renew(first.refresh_token)).body
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await call('GET', '/2/users/me', undefined, second.access_token)).status).toBe(200)
    expect((await renew(first.refresh_token)).body.error).toBe('invalid_grant')
    expect((await renew(second.refresh_token)).body.error).toBe('invalid_grant')
    expect((await call('GET', '/2/users/me', undefined, second.access_token)).status).toBe(401)
  })

  test('names the scopes that the person left, and allows no more', async () => {
    x.oauth.signInAs('ada', { scopes: ['tweet.read', 'users.read', 'tweet.write'] })
    const { body } = await signIn()
    x.oauth.signInAs('ada')
    expect(body).toMatchObject({ scope: 'tweet.read tweet.write users.read' })
    expect(body.refresh_token).toBeUndefined()
    const image = { media_type: 'image/png', media_category: 'tweet_image', total_bytes: 1 }
    expect((await call('POST', '/2/media/upload/initialize', image, body.access_token)).status).toBe(403)
    expect((await call('GET', '/2/users/me', undefined, body.access_token)).status).toBe(200)
  })
})

describe('the stand-in of X', () => {
  test.each([
    ['an unknown field', { text: 'a', color: 'red' }, 'color'],
    ['a text that is none', { text: 5 }, 'text'],
    ['five files', { media: { media_ids: ['1', '2', '3', '4', '5'] } }, 'media.media_ids'],
    ['ids as numbers', { media: { media_ids: [1] } }, 'media.media_ids.0'],
    ['media without ids', { text: 'a', media: {} }, 'media.media_ids'],
    ['a file of nobody', { media: { media_ids: ['1'] } }, 'media.media_ids'],
    ['a poll with one option', { text: 'a', poll: { options: ['a'], duration_minutes: 5 } }, 'poll.options'],
    [
      'a poll beside media',
      { text: 'a', poll: { options: ['a', 'b'], duration_minutes: 5 }, media: { media_ids: ['1'] } },
      'media, poll',
    ],
    ['unknown people who may reply', { text: 'a', reply_settings: 'everyone' }, 'reply_settings'],
    ['nothing', { text: ' ' }, 'text'],
  ])('refuses %s', async (_, body, name) => {
    const { status, body: error } = await post(body)
    expect({ status, type: error.type, names: Object.keys(error.errors[0].parameters) }).toEqual({
      ...{ status: 400, type: 'https://api.x.com/2/problems/invalid-request', names: [name] },
    })
  })

  test.each([
    ['POST', '/2/media/upload/initialize', { media_type: 'image/png', total_bytes: 1 }, 'media_category'],
    [
      'POST',
      '/2/media/upload/initialize',
      { media_type: 'video/mp4', media_category: 'tweet_image', total_bytes: 1 },
      'media_type',
    ],
    [
      'POST',
      '/2/media/upload/initialize',
      { media_type: 'image/png', media_category: 'tweet_image', total_bytes: 6e6 },
      'total_bytes',
    ],
    [
      'POST',
      '/2/media/metadata',
      { id: '1', metadata: { alt_text: { text: 'a'.repeat(1001) } } },
      'metadata.alt_text.text',
    ],
    ['GET', '/2/tweets?ids=a', undefined, 'ids'],
    ['GET', '/2/tweets?ids=1&tweet.fields=created_at', undefined, 'tweet.fields'],
    ['GET', '/2/tweets?ids=1&post.fields=referenced_tweets', undefined, 'post.fields'],
    ['GET', '/2/users/me?fields=name', undefined, 'fields'],
    ['GET', '/2/users/1/tweets?max_results=2', undefined, 'max_results'],
  ])('refuses %s %s with a wrong field', async (method, path, body, name) => {
    const { status, body: error } = await call(method, path, body)
    expect([status, Object.keys(error.errors[0].parameters)]).toEqual([400, [name]])
  })

  test('takes segments in any order and again, and no file that lacks one', async () => {
    const complete = await upload([1, 0, 2])
    expect(complete.finalized.body.data).toMatchObject({ id: complete.id, size: 30 })
    expect((await upload([0, 2], 'image/png', 'tweet_image', 20)).finalized.status).toBe(400)
    expect((await upload([0, 1, 1], 'image/png', 'tweet_image', 20)).finalized.status).toBe(200)
    expect((await upload([0, 1], 'image/png', 'tweet_image', 30)).finalized.status).toBe(400)
  })

  test('lets a post have a video once it is processed, and nothing beside it', async () => {
    const video = await upload([0], 'video/mp4', 'tweet_video')
    const image = await upload([0])
    expect(video.finalized.body.data.processing_info).toEqual({ state: 'pending', check_after_secs: 1 })
    const media = { media_ids: [video.id] }
    expect((await post({ media })).status).toBe(400)
    const states = []
    for (let polls = 0; polls < 2; polls++)
      states.push(
        (await call('GET', `/2/media/upload?command=STATUS&media_id=${video.id}`)).body.data.processing_info.state,
      )
    expect(states).toEqual(['in_progress', 'succeeded'])
    expect((await post({ media: { media_ids: [video.id, image.id] } })).status).toBe(400)
    expect((await post({ media })).status).toBe(201)
  })

  test('refuses the same text twice, and a reply to a stranger', async () => {
    const { body } = await post({ text: 'Twice' })
    expect((await post({ text: 'Twice' })).body).toMatchObject({
      status: 403,
      detail: expect.stringMatching('duplicate'),
    })
    x.oauth.signInAs('grace')
    const stranger = (await signIn()).body.access_token
    x.oauth.signInAs('ada')
    const reply = { text: 'Hi', reply: { in_reply_to_tweet_id: body.data.id } }
    expect((await call('POST', '/2/tweets', reply, stranger)).status).toBe(403)
    expect((await call('DELETE', `/2/tweets/${body.data.id}`, undefined, stranger)).status).toBe(403)
    expect((await post(reply)).status).toBe(201)
  })

  test('saves a post whose response is lost, and shows of it what a caller asks for', async () => {
    const parent = (await post({ text: 'Parent' })).body.data.id
    x.fault('response_lost_after_saving')
    await expect(post({ text: 'See example.com', reply: { in_reply_to_tweet_id: parent } })).rejects.toThrow()
    const owner = (await call('GET', '/2/users/me')).body.data.id
    const newest = async (query: string) =>
      (await call('GET', `/2/users/${owner}/tweets?max_results=5&since_id=${parent}&${query}`)).body.data[0]
    const references = [{ type: 'replied_to', id: parent }]
    expect(await newest('')).toEqual({ id: expect.any(String), text: expect.stringMatching('^See https://t.co/') })
    expect(await newest('post.fields=public_metrics&expansions=referenced_posts')).toMatchObject({
      referenced_posts: references,
      public_metrics: { repost_count: expect.any(Number) },
    })
    expect(await newest('post.fields=entities,created_at')).toEqual({
      ...{ id: expect.any(String), text: expect.any(String), created_at: expect.any(String) },
      entities: { urls: [{ url: expect.any(String), expanded_url: 'http://example.com' }] },
    })
  })

  test('names the rest of the quarter of an hour, and refuses what is over', async () => {
    const seen = await call('GET', '/2/users/me')
    const remaining = Number(seen.headers.get('x-rate-limit-remaining'))
    expect(seen.headers.get('x-rate-limit-limit')).toBe('75')
    for (let left = remaining; left > 0; left--) expect((await call('GET', '/2/users/me')).status).toBe(200)
    const over = await call('GET', '/2/users/me')
    expect(over.status).toBe(429)
    expect(Number(over.headers.get('x-rate-limit-reset')) * 1000).toBeGreaterThan(Date.now())
  })
})
