import { beforeEach, describe, expect, test } from 'vitest'
import { instagramServer } from './instagram.ts'
import { requestsOf } from './instagram-requests.ts'
import { metaAccount } from './meta-account.ts'
import { JPEG, MP4, PNG } from './request.ts'

const DAY_MS = 24 * 3600_000
const SCOPE =
  'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_comments,instagram_business_manage_insights'
const FILES = 'https://files.example'
const IMAGE = { image_url: `${FILES}/a.jpg` }
const REEL = { media_type: 'REELS', video_url: `${FILES}/a.mp4` }

let instagram: Awaited<ReturnType<typeof instagramServer>>
let account: ReturnType<typeof metaAccount>
let token: string
let owner: string
beforeEach(async () => {
  instagram = await instagramServer()
  instagram.setImage('/a.jpg', { status: 200, body: JPEG })
  instagram.setImage('/a.png', { status: 200, body: PNG })
  instagram.setImage('/a.mp4', { status: 200, body: MP4 })
  instagram.fetchFrom(FILES, instagram.url)
  account = metaAccount(instagram, { prefix: 'ig', version: '/v26.0', scope: SCOPE, tokenIn: 'address' })
  token = await account.longToken()
  owner = (await call('GET', '/me?fields=user_id')).body.user_id
  return instagram.close
})

const call = (method: string, path: string, body?: unknown) => account.call(token, method, path, body)
const contain = (fields: object) => call('POST', `/${owner}/media`, fields)
const publish = (creation_id: string) => call('POST', `/${owner}/media_publish`, { creation_id })
const stateOf = async (id: string) => (await call('GET', `/${id}?fields=status_code`)).body.status_code
/** Creates a container, waits until it is ready, and returns its id. */
async function ready(fields: object) {
  const { id } = (await contain(fields)).body
  while ((await stateOf(id)) === 'IN_PROGRESS');
  return String(id)
}

describe('the stand-in of Instagram', () => {
  test.each([
    ['a field that is not known', { ...IMAGE, color: 'red' }, 'color'],
    ['a caption that is too long', { ...IMAGE, caption: 'a'.repeat(2201) }, 'caption'],
    ['a text as a number', { ...IMAGE, caption: 5 }, 'caption'],
    ['no file', { caption: 'Hi' }, 'image_url'],
    ['a file that is no address', { image_url: 'a.jpg' }, 'image_url'],
    ['four collaborators', { ...IMAGE, collaborators: ['a', 'b', 'c', 'd'] }, 'collaborators'],
    ['a kind that is not known', { ...IMAGE, media_type: 'IMAGE' }, 'media_type'],
    ['a caption on a part', { ...IMAGE, is_carousel_item: true, caption: 'Hi' }, 'caption'],
    ['a video that is neither a reel nor a part', { ...REEL, media_type: 'VIDEO' }, 'is_carousel_item'],
    ['alternative text of a reel', { ...REEL, alt_text: 'An oven' }, 'alt_text'],
    ['a reel with an image', { media_type: 'REELS', ...IMAGE }, 'video_url'],
    ['a story with a caption', { media_type: 'STORIES', ...IMAGE, caption: 'Hi' }, 'caption'],
    ['a story with two files', { media_type: 'STORIES', ...IMAGE, video_url: REEL.video_url }, 'media_type'],
    ['a carousel with one part', { media_type: 'CAROUSEL', children: ['1'] }, 'children'],
    ['a part that is a number', { media_type: 'CAROUSEL', children: [1, 2] }, 'children'],
  ])('refuses %s', async (_, fields, name) => {
    const { status, body } = await contain(fields)
    expect([status, body.error.code, body.error.message]).toEqual([400, 100, expect.stringContaining(name)])
  })

  test.each([
    ['POST', '/media_publish', { creation_id: 'a' }],
    ['POST', '/media_publish', {}],
    ['GET', '/media?limit=101', undefined],
    ['GET', '/media?fields=color', undefined],
    ['DELETE', '', undefined],
  ])('refuses %s of its user%s', async (method, path, body) => {
    expect((await call(method, `/${owner}${path}`, body)).body.error.code).toBe(100)
  })

  test('has requests for the sign-in at Facebook that differ in permissions and in deletion', () => {
    const differing = (['instagram', 'facebook'] as const).map((login) => {
      const rules = requestsOf(login)
      const { scopes } = rules.find(({ path }) => path === '/{id}/media_publish') ?? {}
      return [scopes, rules.some(({ method }) => method === 'DELETE')]
    })
    expect(differing).toEqual([
      [['instagram_business_basic', 'instagram_business_content_publish'], false],
      [['instagram_basic', 'pages_read_engagement', 'instagram_content_publish'], true],
    ])
  })

  test('fetches JPEG files and videos, and nothing else', async () => {
    expect((await contain({ image_url: `${FILES}/a.png` })).body.error.error_subcode).toBe(2_207_005)
    for (const fields of [
      { image_url: `${FILES}/b.jpg` },
      { image_url: 'http://127.0.0.1/a.jpg' },
      { ...REEL, video_url: IMAGE.image_url },
    ])
      expect((await contain(fields)).body.error).toMatchObject({ code: 9004, error_user_msg: expect.any(String) })
  })

  test('publishes an image once, and shows it under the id of a media', async () => {
    const container = await ready({ ...IMAGE, caption: 'Fresh', alt_text: 'A loaf' })
    const { id } = (await publish(container)).body
    expect(await stateOf(container)).toBe('PUBLISHED')
    expect((await publish(container)).body.error).toMatchObject({ code: 24, error_subcode: 2_207_008 })
    const { body } = await call('GET', `/${id}?fields=permalink,caption`)
    expect(body).toEqual({ id, caption: 'Fresh', permalink: `https://www.instagram.com/p/${id}/` })
    expect(instagram.stored().at(-1)).toMatchObject({ text: 'Fresh', media: [{ type: 'image/jpeg', alt: 'A loaf' }] })
    const { data } = (await call('GET', `/${owner}/media?fields=caption&limit=1`)).body
    expect(data).toEqual([{ id, caption: 'Fresh' }])
  })

  test('processes a reel before it can be published', async () => {
    const { id } = (await contain({ ...REEL, share_to_feed: true, thumb_offset: 500 })).body
    expect((await publish(id)).body.error).toMatchObject({ code: 9007, error_subcode: 2_207_027 })
    const states = [await stateOf(id), await stateOf(id)]
    expect(states).toEqual(['IN_PROGRESS', 'FINISHED'])
    expect((await publish(id)).status).toBe(200)
  })

  test('reports a file that cannot be processed in the container', async () => {
    instagram.fault('processing_fails')
    const { id } = (await contain(REEL)).body
    while ((await stateOf(id)) === 'IN_PROGRESS');
    expect((await call('GET', `/${id}?fields=status_code,status`)).body).toMatchObject({
      ...{ status_code: 'ERROR', status: expect.stringContaining('2207026') },
    })
    expect((await publish(id)).status).toBe(400)
  })

  test('takes parts that are ready, in their order, and publishes none of them alone', async () => {
    const video = (await contain({ ...REEL, media_type: 'VIDEO', is_carousel_item: true })).body.id
    const image = await ready({ ...IMAGE, is_carousel_item: true })
    const children = [video, image]
    expect((await contain({ media_type: 'CAROUSEL', children })).status).toBe(400)
    while ((await stateOf(video)) !== 'FINISHED');
    expect((await contain({ media_type: 'CAROUSEL', children: [image, await ready(IMAGE)] })).status).toBe(400)
    expect((await publish(image)).body.error.code).toBe(100)
    await publish(await ready({ media_type: 'CAROUSEL', children: children.join(), caption: 'Both' }))
    expect(
      instagram
        .stored()
        .at(-1)
        ?.media.map(({ type }) => type),
    ).toEqual(['video/mp4', 'image/jpeg'])
  })

  test('lists stories apart, and forgets containers after a day', async () => {
    const container = await ready(IMAGE)
    const { id } = (await publish(await ready({ media_type: 'STORIES', ...IMAGE }))).body
    expect((await call('GET', '/me/stories')).body.data).toEqual([{ id }])
    expect((await call('GET', '/me/media')).body.data).not.toContainEqual({ id })
    instagram.advance(DAY_MS + 1000)
    expect((await publish(container)).body.error.error_subcode).toBe(2_207_008)
    expect(await stateOf(container)).toBe('EXPIRED')
  })

  test('counts posts of a day, and refuses more than its limit', async () => {
    const limit = async () => (await call('GET', `/${owner}/content_publishing_limit?fields=quota_usage,config`)).body
    instagram.advance(DAY_MS + 1000)
    instagram.limitPosts(1)
    expect((await limit()).data).toEqual([{ quota_usage: 0, config: { quota_total: 1, quota_duration: 86_400 } }])
    await publish(await ready(IMAGE))
    const container = await ready(IMAGE)
    expect((await publish(container)).body.error).toMatchObject({ code: 9, error_subcode: 2_207_042 })
    expect((await limit()).data[0].quota_usage).toBe(1)
    instagram.limitPosts(100)
    expect((await publish(container)).status).toBe(200)
  })

  test('saves a post whose response is lost, and shows it in the container', async () => {
    const container = await ready({ ...IMAGE, caption: 'Lost' })
    instagram.fault('response_lost_after_saving')
    await expect(publish(container)).rejects.toThrow()
    expect(await stateOf(container)).toBe('PUBLISHED')
    expect((await call('GET', `/${owner}/media?fields=caption`)).body.data[0].caption).toBe('Lost')
  })

  test('takes comments, and lists the newest first', async () => {
    const { id } = (await publish(await ready(IMAGE))).body
    const comment = (message?: string) => call('POST', `/${id}/comments`, { message })
    expect((await comment()).body.error.message).toContain('message')
    expect((await comment('')).status).toBe(400)
    await comment('First')
    const second = (await comment('Second')).body.id
    const { data } = (await call('GET', `/${id}/comments?fields=text,timestamp&limit=1`)).body
    expect(data).toEqual([{ id: second, text: 'Second', timestamp: expect.stringMatching(/\+0000$/) }])
  })

  test('reports the metrics that a call names, and no others', async () => {
    const { id } = (await publish(await ready(IMAGE))).body
    const insights = (query: string) => call('GET', `/${id}/insights${query}`)
    const { data } = (await insights('?metric=views,reach')).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['views', 'reach'])
    expect((await insights('?metric=views,follows')).body.data).toHaveLength(1)
    expect((await insights('')).status).toBe(400)
    expect((await insights('?metric=impressions')).body.error.message).toContain('metric')
  })
})
