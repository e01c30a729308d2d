import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facebookServer } from './facebook.ts'
import { fileOf, JPEG, MP4, request, signInPage } from './request.ts'

const VERSION = '/v26.0'

let facebook: Awaited<ReturnType<typeof facebookServer>>
let page: { id: string }
let token: string
beforeAll(async () => {
  facebook = await facebookServer()
  page = facebook.addPage()
  token = await pageToken()
})
afterAll(() => facebook.close())

const get = (path: string, query: Record<string, string> = {}, bearer?: string) =>
  request(
    'GET',
    `${facebook.url}${VERSION}${path}?${new URLSearchParams(query)}`,
    bearer ? { authorization: `Bearer ${bearer}` } : {},
  )
const post = (path: string, body: object) =>
  request('POST', `${facebook.url}${VERSION}${path}`, { authorization: `Bearer ${token}` }, body)

const PUBLISH = 'pages_show_list,pages_read_engagement,pages_manage_posts'

async function codeOf(changes: Record<string, string> = {}) {
  const { client_id, redirect_uri } = facebook.oauth.client
  const query = { client_id, redirect_uri, scope: PUBLISH, state: 'state', response_type: 'code', ...changes }
  return signInPage(`${facebook.url}${VERSION}/dialog/oauth`, query)
}

function askToken(code: string, changes: Record<string, string> = {}) {
  const { client_id, client_secret, redirect_uri } = facebook.oauth.client
  const fields = { client_id, client_secret, redirect_uri, code, grant_type: 'authorization_code', ...changes }
  return get('/oauth/access_token', fields)
}

/** Signs in, and returns a token of an hour. */
async function shortToken(scope = PUBLISH) {
  const back = await codeOf({ scope })
  expect(back?.hash).toBe('#_=_')
  return String((await askToken(back?.searchParams.get('code') ?? '')).body.access_token)
}

async function longToken(scope?: string) {
  const { client_id, client_secret } = facebook.oauth.client
  const fb_exchange_token = await shortToken(scope)
  const query = { client_id, client_secret, fb_exchange_token, grant_type: 'fb_exchange_token' }
  return String((await get('/oauth/access_token', query)).body.access_token)
}

async function pageToken(scope?: string) {
  const { body } = await get('/me/accounts', { fields: 'access_token' }, await longToken(scope))
  return String(body.data[0].access_token)
}

describe('the stand-in of Facebook', () => {
  test('reports errors in an object of its own, also at its endpoint for tokens', async () => {
    const { client_id } = facebook.oauth.client
    const wrong = await get('/oauth/access_token', {
      client_id,
      client_secret: 'wrong',
      fb_exchange_token: 'EAAwrong',
      grant_type: 'fb_exchange_token',
    })
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 1])
    expect((await get('/me', {}, 'EAAwrong')).body.error).toMatchObject({ type: 'OAuthException', code: 190 })
    expect((await get('/me')).body.error.code).toBe(104)
  })

  test('lists Pages only with a token of 60 days', async () => {
    expect((await get('/me/accounts', {}, await shortToken())).status).toBe(403)
    const { body } = await get('/me/accounts', { fields: 'id,tasks' }, await longToken())
    expect(body.data).toEqual([{ id: page.id, tasks: expect.arrayContaining(['CREATE_CONTENT']) }])
  })

  test('refuses an empty post, the same text twice, and a photo of nobody', async () => {
    const feed = `/${page.id}/feed`
    expect((await post(feed, {})).body.error.code).toBe(100)
    expect((await post(feed, { message: 'Hello' })).body).toEqual({ id: expect.stringMatching(`^${page.id}_`) })
    expect((await post(feed, { message: 'Hello' })).body.error).toMatchObject({
      code: 506,
      error_user_msg: expect.any(String),
    })
    expect((await post(feed, { attached_media: [{ media_fbid: '7' }] })).body.error.code).toBe(100)
  })

  test('refuses a comment without its permission, and an unknown field', async () => {
    const { body } = await post(`/${page.id}/feed`, { message: 'Comments' })
    expect((await post(`/${body.id}/comments`, { message: 'First' })).body.error.code).toBe(200)
    expect((await get(`/${body.id}`, { fields: 'text' }, token)).body.error.code).toBe(100)
  })

  test('publishes on a linked account of Instagram only with its permissions', async () => {
    const id = '17841400000000001'
    Object.assign(page, { instagram: { id, username: 'bakery' } })
    const linkedTo = async (bearer: string) => {
      const { body } = await get('/me/accounts', { fields: 'instagram_business_account{id,username}' }, bearer)
      return body.data[0].instagram_business_account
    }
    expect(await linkedTo(await longToken())).toBeUndefined()
    expect((await get(`/${id}`, { fields: 'username' }, token)).body.error.code).toBe(200)
    const scope = `${PUBLISH},instagram_basic,instagram_content_publish`
    expect(await linkedTo(await longToken(scope))).toMatchObject({ id, username: 'bakery' })
    const bearer = await pageToken(scope)
    expect((await get(`/${id}`, { fields: 'username' }, bearer)).body).toEqual({ id, username: 'bakery' })
    expect((await get(`/${id}`, { fields: 'user_id' }, bearer)).body.error.code).toBe(100)
    const authorization = `Bearer ${bearer}`
    const publish = { creation_id: '7' }
    const path = `${facebook.url}${VERSION}/${id}/media_publish`
    expect((await request('POST', path, { authorization }, publish)).body.error.code).toBe(100)
    expect((await post(`/${id}/media_publish`, publish)).body.error.code).toBe(200)
  })

  test('takes a video in parts from the first byte to the last', async () => {
    const videos = `/${page.id}/videos`
    const { body } = await post(videos, { upload_phase: 'start', file_size: 9000 })
    expect(body).toMatchObject({ start_offset: '0', end_offset: '8000' })
    const { upload_session_id } = body
    const send = (start_offset: number, bytes: number) => {
      const form = new FormData()
      const fields = { upload_phase: 'transfer', upload_session_id, start_offset: String(start_offset) }
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('video_file_chunk', fileOf(Buffer.alloc(bytes), 'video/mp4'))
      return post(videos, form)
    }
    expect((await send(8000, 1000)).status).toBe(400)
    await send(0, 8000)
    expect((await post(videos, { upload_phase: 'finish', upload_session_id })).status).toBe(400)
    expect((await send(8000, 1000)).body).toEqual({ start_offset: '9000', end_offset: '9000' })
    expect((await post(videos, { upload_phase: 'finish', upload_session_id })).body).toEqual({ success: true })
  })

  test('compares the whole address, takes a code once, and no fields that it does not know', async () => {
    const { redirect_uri } = facebook.oauth.client
    expect(await codeOf({ redirect_uri: `${redirect_uri}/` })).toBeUndefined()
    const code = (await codeOf())?.searchParams.get('code') ?? ''
    expect((await askToken(code, { redirect_uri: `${redirect_uri}/` })).status).toBe(400)
    expect((await askToken(code, { color: 'red' })).body.error.message).toContain('color')
    expect((await askToken(code)).status).toBe(200)
    expect((await askToken(code)).status).toBe(400)
  })

  test('allows what the person left ticked, and no more', async () => {
    facebook.oauth.signInAs('ada', { scopes: ['pages_show_list', 'pages_read_engagement'] })
    const token = await pageToken()
    facebook.oauth.signInAs('ada')
    const send = (method: string, path: string, body?: object) =>
      request(method, `${facebook.url}${VERSION}/${page.id}${path}`, { authorization: `Bearer ${token}` }, body)
    expect((await send('POST', '/feed', { message: 'Hi' })).body.error.code).toBe(200)
    expect((await send('GET', '/published_posts')).status).toBe(200)
  })

  test.each([
    ['feed', { message: 'Hi', color: 'red' }, 'color'],
    ['feed', { message: 5 }, 'message'],
    ['feed', { link: 'bakery' }, 'link'],
    ['feed', { attached_media: [{ id: '7' }] }, 'attached_media'],
    ['photos', { published: false }, 'source'],
    ['videos', { file_size: 9 }, 'upload_phase'],
    ['videos', { upload_phase: 'start' }, 'file_size'],
    ['videos', { upload_phase: 'finish', upload_session_id: '1', color: 'red' }, 'color'],
    ['video_reels', { upload_phase: 'start', file_size: 9 }, 'file_size'],
    ['video_reels', { upload_phase: 'finish', video_id: '1' }, 'video_state'],
    ['video_stories', { upload_phase: 'finish' }, 'video_id'],
    ['photo_stories', { photo_id: 'a' }, 'photo_id'],
  ])('refuses %s with %o', async (edge, fields, name) => {
    const { status, body } = await post(`/${page.id}/${edge}`, fields)
    expect([status, body.error.code, body.error.message]).toEqual([400, 100, expect.stringContaining(name)])
  })

  test('refuses a token in the address, and lists with names that it does not know', async () => {
    const { body } = await get('/me', { access_token: token }, token)
    expect(body.error.message).toContain('access_token')
    expect((await get(`/${page.id}/published_posts`, { fields: 'text' }, token)).body.error.code).toBe(100)
    expect((await get(`/${page.id}/published_posts`, { limit: '101' }, token)).status).toBe(400)
    expect((await get('/me/groups', {}, await longToken())).body.error.code).toBe(100)
  })

  test('edits a post and deletes it, and then knows it no more', async () => {
    const path = `/${(await post(`/${page.id}/feed`, { message: 'Draft' })).body.id}`
    expect((await post(path, { color: 'red' })).status).toBe(400)
    expect((await post(path, { message: 'Final' })).body).toEqual({ success: true })
    expect((await get(path, { fields: 'message' }, token)).body.message).toBe('Final')
    const remove = () => request('DELETE', `${facebook.url}${VERSION}${path}`, { authorization: `Bearer ${token}` })
    expect((await remove()).body).toEqual({ success: true })
    expect((await remove()).body.error).toMatchObject({ code: 100, error_subcode: 33 })
  })

  test('lets one post have a photo, whose alternative text readers get', async () => {
    const form = new FormData()
    form.set('published', 'false')
    form.set('alt_text_custom', 'A loaf')
    form.set('source', fileOf(JPEG, 'image/jpeg'))
    const { id } = (await post(`/${page.id}/photos`, form)).body
    const attached_media = [{ media_fbid: id }]
    expect((await post(`/${page.id}/feed`, { attached_media })).status).toBe(200)
    expect(facebook.stored().findLast(({ media }) => media.length > 0)?.media).toEqual([
      { type: 'image/jpeg', alt: 'A loaf' },
    ])
    expect((await post(`/${page.id}/feed`, { attached_media })).status).toBe(400)
    expect((await post(`/${page.id}/photo_stories`, { photo_id: id })).status).toBe(400)
  })

  test('takes the bytes of a reel at an address of its own, and processes them', async () => {
    const reels = `/${page.id}/video_reels`
    const { video_id, upload_url } = (await post(reels, { upload_phase: 'start' })).body
    const send = (changes: Record<string, string>) =>
      request(
        'POST',
        `${facebook.url}${new URL(upload_url).pathname}`,
        { authorization: `OAuth ${token}`, offset: '0', file_size: String(MP4.length), ...changes },
        MP4,
      )
    const finish = () => post(reels, { upload_phase: 'finish', video_id, video_state: 'PUBLISHED' })
    expect((await finish()).status).toBe(400)
    expect((await send({ authorization: `Bearer ${token}` })).body.error.code).toBe(104)
    expect((await send({ file_size: '9' })).status).toBe(400)
    expect((await send({})).body).toEqual({ success: true })
    expect((await finish()).body).toEqual({ success: true })
    const stateOf = async () => (await get(`/${video_id}`, { fields: 'status' }, token)).body.status.video_status
    expect([await stateOf(), await stateOf()]).toEqual(['processing', 'ready'])
  })

  test('saves a post whose response is lost, and refuses it when it comes again', async () => {
    facebook.fault('response_lost_after_saving')
    await expect(post(`/${page.id}/feed`, { message: 'Lost' })).rejects.toThrow()
    expect(
      (await get(`/${page.id}/published_posts`, { fields: 'message', limit: '1' }, token)).body.data,
    ).toMatchObject([{ message: 'Lost' }])
    expect((await post(`/${page.id}/feed`, { message: 'Lost' })).body.error.code).toBe(506)
  })
})
