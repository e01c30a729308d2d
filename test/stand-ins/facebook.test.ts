import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facebookServer } from './facebook.ts'
import { fileOf, JPEG, MP4, request, signInPage } from './request.ts'

const VERSION = '/v26.0'

let facebook: Awaited<ReturnType<typeof facebookServer>>
let page: ReturnType<typeof facebook.addPage>
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
    expect(facebook.stored().map(({ media }) => media)).toContainEqual([{ type: 'image/jpeg', alt: 'A loaf' }])
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

describe('an account of Instagram that the stand-in of Facebook links to a Page', () => {
  const id = '17841400000000001'
  const FILES = 'https://files.example'
  const IMAGE = { image_url: `${FILES}/a.jpg` }
  const SCOPES = [
    ...['pages_show_list', 'pages_read_engagement', 'instagram_basic', 'instagram_content_publish'],
    ...['instagram_manage_comments', 'instagram_manage_insights'],
  ]
  let bearer: string
  let media: string
  beforeAll(async () => {
    page.instagram = { id, username: 'bakery' }
    facebook.setImage('/a.jpg', { status: 200, body: JPEG })
    facebook.fetchFrom(FILES, facebook.url)
    bearer = await pageToken(SCOPES.join())
    media = await publish()
  })

  const call = (method: string, path: string, body?: object, by = bearer) =>
    request(method, `${facebook.url}${VERSION}/${path}`, { authorization: `Bearer ${by}` }, body)
  const contain = async () => (await call('POST', `${id}/media`, IMAGE)).body.id
  const publish = async () => (await call('POST', `${id}/media_publish`, { creation_id: await contain() })).body.id

  test('is listed and shown by its permission, and has no id but its own', async () => {
    const linkedTo = async (scopes: string[], names: string) =>
      get('/me/accounts', { fields: `instagram_business_account{${names}}` }, await longToken(scopes.join()))
    const listed = await linkedTo(SCOPES, 'id,username')
    expect(listed.body.data[0].instagram_business_account).toMatchObject({ id, username: 'bakery' })
    expect((await linkedTo(SCOPES.slice(0, 2), 'id')).body.data[0].instagram_business_account).toBeUndefined()
    expect((await linkedTo(SCOPES, 'id,user_id')).body.error.code).toBe(100)
    expect((await call('GET', `${id}?fields=username`)).body).toEqual({ id, username: 'bakery' })
    expect((await call('GET', 'me?fields=id')).body).toEqual({ id: page.id })
  })

  test.each([
    ['POST', '/media', { ...IMAGE, color: 'red' }, 'color'],
    ['POST', '/media', { ...IMAGE, caption: 5 }, 'caption'],
    ['POST', '/media', { image_url: 'a.jpg' }, 'image_url'],
    ['POST', '/media', { media_type: 'VIDEO', video_url: `${FILES}/a.mp4` }, 'is_carousel_item'],
    ['POST', '/media', { media_type: 'STORIES', ...IMAGE, caption: 'Hi' }, 'caption'],
    ['POST', '/media', { media_type: 'CAROUSEL', children: ['1'] }, 'children'],
    ['POST', '/media_publish', { creation_id: 'a' }, 'creation_id'],
    ['GET', '?fields=user_id', undefined, 'fields'],
    ['GET', '/media?fields=text', undefined, 'fields'],
    ['GET', '/media?limit=101', undefined, 'limit'],
    ['GET', '/content_publishing_limit?fields=color', undefined, 'fields'],
    ['GET', '/published_posts', undefined, 'Unsupported'],
    ['POST', '/feed', { message: 'Hi' }, 'Unsupported'],
    ['DELETE', '', undefined, 'Unsupported'],
  ])('refuses %s of its user%s with %o', async (method, path, fields, name) => {
    const { status, body } = await call(method, `${id}${path}`, fields)
    expect([status, body.error.code, body.error.message]).toEqual([400, 100, expect.stringContaining(name)])
  })

  test.each([
    ['POST', '/comments', { message: '' }, 'message'],
    ['GET', '/comments?fields=message', undefined, 'fields'],
    ['GET', '/insights?metric=impressions', undefined, 'metric'],
    ['GET', '/insights', undefined, 'metric'],
    ['GET', '?fields=message', undefined, 'fields'],
  ])('refuses %s of a media%s with %o', async (method, path, fields, name) => {
    const { status, body } = await call(method, `${media}${path}`, fields)
    expect([status, body.error.code, body.error.message]).toEqual([400, 100, expect.stringContaining(name)])
  })

  test.each([
    ['instagram_basic', 'GET', () => `${id}?fields=username`],
    ['instagram_basic', 'GET', () => `${id}/media`],
    ['pages_read_engagement', 'GET', () => `${id}/stories`],
    ['instagram_content_publish', 'POST', () => `${id}/media`],
    ['instagram_content_publish', 'POST', () => `${id}/media_publish`],
    ['instagram_content_publish', 'GET', () => `${id}/content_publishing_limit`],
    ['instagram_content_publish', 'DELETE', () => media],
    ['instagram_manage_comments', 'POST', () => `${media}/comments`],
    ['instagram_manage_comments', 'GET', () => `${media}/comments`],
    ['instagram_manage_insights', 'GET', () => `${media}/insights?metric=views`],
  ])('requires %s of %s %s', async (scope, method, pathOf) => {
    const lacking = await pageToken(SCOPES.filter((each) => each !== scope).join())
    const { status, body } = await call(method, pathOf(), undefined, lacking)
    expect([status, body.error.message]).toEqual([403, expect.stringContaining(scope)])
  })

  test('counts posts of a day, lists the newest first, and takes comments', async () => {
    const usage = async () => (await call('GET', `${id}/content_publishing_limit`)).body.data[0].quota_usage
    const before = await usage()
    const newest = await publish()
    expect(await usage()).toBe(before + 1)
    expect((await call('GET', `${id}/media?limit=1`)).body.data).toEqual([{ id: newest }])
    facebook.instagram.limitPosts(before + 1)
    const refused = await call('POST', `${id}/media_publish`, { creation_id: await contain() })
    expect(refused.body.error).toMatchObject({ code: 9, error_subcode: 2_207_042 })
    facebook.instagram.limitPosts(100)
    const comment = (await call('POST', `${newest}/comments`, { message: 'Warm' })).body.id
    expect((await call('GET', `${newest}/comments?fields=text`)).body.data).toEqual([{ id: comment, text: 'Warm' }])
    expect((await call('GET', `${newest}/insights?metric=views`)).body.data).toHaveLength(1)
  })

  test('neither shows nor takes anything if the person may not publish on its Page', async () => {
    const { tasks } = page
    page.tasks = ['ANALYZE']
    for (const [method, path, body] of [
      ['GET', `${id}?fields=username`],
      ['GET', `${id}/media`],
      ['POST', `${id}/media`, IMAGE],
    ] as const)
      expect((await call(method, path, body)).body.error.message).toContain('CREATE_CONTENT')
    page.tasks = tasks
  })
})
