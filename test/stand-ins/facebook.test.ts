import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facebookServer } from './facebook.ts'
import { fileOf, request } from './request.ts'

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

/** Signs in, and returns a token of an hour. */
async function shortToken(scope = PUBLISH) {
  const { client_id, client_secret, redirect_uri } = facebook.oauth.client
  const query = new URLSearchParams({ client_id, redirect_uri, scope, state: 'state', response_type: 'code' })
  const { headers } = await fetch(`${facebook.url}${VERSION}/dialog/oauth?${query}`, { redirect: 'manual' })
  const back = new URL(headers.get('location') ?? '')
  expect(back.hash).toBe('#_=_')
  const code = back.searchParams.get('code') ?? ''
  const { body } = await get('/oauth/access_token', {
    client_id,
    client_secret,
    redirect_uri,
    code,
    grant_type: 'authorization_code',
  })
  return String(body.access_token)
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
})
