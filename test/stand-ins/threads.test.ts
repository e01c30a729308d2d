import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metaAccount } from './meta-account.ts'
import { JPEG, MP4 } from './request.ts'
import { threadsServer } from './threads.ts'

const DAY_MS = 24 * 3600_000
const SCOPE = [
  ...['threads_basic', 'threads_content_publish', 'threads_manage_replies', 'threads_read_replies'],
  ...['threads_manage_insights', 'threads_delete'],
].join()
const FILES = 'https://files.example'
const TEXT = { media_type: 'TEXT', text: 'Hi' }
const IMAGE = { media_type: 'IMAGE', image_url: `${FILES}/a.jpg` }
const VIDEO = { media_type: 'VIDEO', video_url: `${FILES}/a.mp4` }

let threads: Awaited<ReturnType<typeof threadsServer>>
let account: ReturnType<typeof metaAccount>
let token: string
let owner: string
beforeAll(async () => {
  threads = await threadsServer()
  threads.setImage('/a.jpg', { status: 200, body: JPEG })
  threads.setImage('/a.mp4', { status: 200, body: MP4 })
  threads.fetchFrom(FILES, threads.url)
  account = metaAccount(threads, { prefix: 'th', version: '/v1.0', scope: SCOPE, tokenIn: 'header' })
  token = await account.longToken()
  owner = (await call('GET', '/me')).body.id
})
afterAll(() => threads.close())

const call = (method: string, path: string, body?: unknown) => account.call(token, method, path, body)
const contain = (fields: object) => call('POST', `/${owner}/threads`, fields)
const publish = (creation_id: string) => call('POST', `/${owner}/threads_publish`, { creation_id })
const stateOf = async (id: string) => (await call('GET', `/${id}?fields=status`)).body.status
async function ready(fields: object) {
  const { id } = (await contain(fields)).body
  while ((await stateOf(id)) === 'IN_PROGRESS');
  return String(id)
}
const posted = async (fields: object) => String((await publish(await ready(fields))).body.id)

describe('the stand-in of Threads', () => {
  test.each([
    ['a field that is not known', { ...TEXT, color: 'red' }, 'color'],
    ['a post without its kind', { text: 'Hi' }, 'media_type'],
    ['a text post without text', { media_type: 'TEXT' }, 'text'],
    ['a text post with a file', { ...TEXT, image_url: IMAGE.image_url }, 'image_url'],
    ['a tag with a period', { ...TEXT, topic_tag: 'v1.0' }, 'topic_tag'],
    ['a rule on replies that is not known', { ...TEXT, reply_control: 'nobody' }, 'reply_control'],
    ['a poll with one option', { ...TEXT, poll_attachment: { option_a: 'Yes' } }, 'poll_attachment'],
    ['alternative text that is too long', { ...IMAGE, alt_text: 'a'.repeat(1001) }, 'alt_text'],
    ['an image post with a video', { ...VIDEO, media_type: 'IMAGE' }, 'image_url'],
    ['a text on a part', { ...IMAGE, is_carousel_item: true, text: 'Hi' }, 'text'],
    ['a card beside a file', { ...IMAGE, link_attachment: 'https://a.example' }, 'link_attachment'],
    ['a carousel with one part', { media_type: 'CAROUSEL', children: ['1'] }, 'children'],
    ['a post that is published at once', { ...TEXT, auto_publish_text: true }, 'auto_publish_text'],
  ])('refuses %s', async (_, fields, name) => {
    const { status, body } = await contain(fields)
    expect([status, body.error.code, body.error.message]).toEqual([400, 100, expect.stringContaining(name)])
  })

  test('counts an emoji by its bytes, and five links', async () => {
    expect((await contain({ ...TEXT, text: 'ş'.repeat(500) })).status).toBe(200)
    expect((await contain({ ...TEXT, text: 'a'.repeat(501) })).status).toBe(400)
    for (const [emoji, bytes] of Object.entries({ '🥐': 4, '🇹🇷': 8, '❤️': 6, '©': 1 })) {
      expect((await contain({ ...TEXT, text: `${'a'.repeat(500 - bytes)}${emoji}` })).status).toBe(200)
      expect((await contain({ ...TEXT, text: `${'a'.repeat(501 - bytes)}${emoji}` })).status).toBe(400)
    }
    const links = [1, 2, 3, 4, 5].map((nth) => `https://${nth}.example`).join(' ')
    expect((await contain({ ...TEXT, text: links })).status).toBe(200)
    const sixth = await contain({ ...TEXT, text: links, link_attachment: 'https://6.example' })
    expect(sixth.body.error.message).toContain('THREADS_API__LINK_LIMIT_EXCEEDED')
  })

  test('publishes a text once, and shows its address', async () => {
    const container = await ready({ ...TEXT, text: 'Fresh', reply_control: 'followers_only', topic_tag: 'Bread' })
    const { id } = (await publish(container)).body
    expect((await publish(container)).body.error).toMatchObject({ code: 24, error_subcode: 4_279_009 })
    expect(await stateOf(container)).toBe('PUBLISHED')
    const { body } = await call('GET', `/${id}?fields=permalink,text`)
    expect(body).toMatchObject({ text: 'Fresh', permalink: expect.stringContaining('threads.com/@ada/post/') })
    expect(threads.posts.get(id)).toMatchObject({ reply_control: 'followers_only', topic_tag: 'Bread' })
  })

  test('processes files before they can be published', async () => {
    const { id } = (await contain({ ...VIDEO, text: 'An oven', alt_text: 'Flames' })).body
    expect((await publish(id)).body.error.code).toBe(24)
    expect([await stateOf(id), await stateOf(id)]).toEqual(['IN_PROGRESS', 'FINISHED'])
    expect((await publish(id)).status).toBe(200)
    expect(threads.stored().at(-1)?.media).toEqual([{ type: 'video/mp4', alt: 'Flames' }])
  })

  test('reports a file that it cannot fetch or read in the container', async () => {
    const errorOf = async (id: string) => (await call('GET', `/${id}?fields=status,error_message`)).body
    const missing = await ready({ ...VIDEO, video_url: `${FILES}/b.mp4` })
    expect(await errorOf(missing)).toMatchObject({ status: 'ERROR', error_message: 'FAILED_DOWNLOADING_VIDEO' })
    threads.fault('processing_fails')
    const unusable = await ready(IMAGE)
    expect(await errorOf(unusable)).toMatchObject({ status: 'ERROR', error_message: 'INVALID_ASPECT_RATIO' })
    expect((await publish(unusable)).status).toBe(400)
  })

  test('takes parts that are ready, and publishes none of them alone', async () => {
    const { id: video } = (await contain({ ...VIDEO, is_carousel_item: true })).body
    const image = await ready({ ...IMAGE, is_carousel_item: true })
    const carousel = { media_type: 'CAROUSEL', children: [image, video], text: 'Both' }
    expect((await contain(carousel)).status).toBe(400)
    while ((await stateOf(video)) !== 'FINISHED');
    expect((await contain({ ...carousel, children: [image, await ready(IMAGE)] })).status).toBe(400)
    expect((await publish(image)).status).toBe(400)
    await posted(carousel)
    expect(
      threads
        .stored()
        .at(-1)
        ?.media.map(({ type }) => type),
    ).toEqual(['image/jpeg', 'video/mp4'])
  })

  test('forgets containers after a day', async () => {
    const container = await ready(TEXT)
    threads.advance(DAY_MS + 1000)
    expect(await stateOf(container)).toBe('EXPIRED')
    expect((await publish(container)).status).toBe(400)
  })

  test('lists replies apart from posts, and takes none to what is not there', async () => {
    const id = await posted({ ...TEXT, text: 'Root' })
    const reply = await posted({ ...TEXT, text: 'Reply', reply_to_id: id })
    const listed = async (edge: string) => (await call('GET', `/${owner}/${edge}?fields=text&limit=1`)).body.data
    expect(await listed('replies')).toEqual([{ id: reply, text: 'Reply' }])
    expect(await listed('threads')).toEqual([{ id, text: 'Root' }])
    expect((await contain({ ...TEXT, reply_to_id: '1' })).body.error.code).toBe(100)
  })

  test('counts posts, replies and deletions of a day apart, and refuses more than its limit', async () => {
    threads.advance(DAY_MS + 1000)
    const id = await posted(TEXT)
    await posted({ ...TEXT, reply_to_id: id })
    const fields = 'quota_usage,config,reply_quota_usage,delete_quota_usage'
    expect((await call('GET', `/${owner}/threads_publishing_limit?fields=${fields}`)).body.data).toEqual([
      {
        ...{ quota_usage: 1, config: { quota_total: 250, quota_duration: 86_400 } },
        ...{ reply_quota_usage: 1, delete_quota_usage: 0 },
      },
    ])
    threads.quotas.posts.setTotal(1)
    const container = await ready(TEXT)
    expect((await publish(container)).body.error.code).toBe(4)
    threads.quotas.posts.setTotal(250)
    expect((await publish(container)).status).toBe(200)
  })

  test('deletes a post, and then knows it no more', async () => {
    const id = await posted(TEXT)
    expect((await call('DELETE', `/${id}`)).body).toEqual({ success: true, deleted_id: id })
    expect((await call('DELETE', `/${id}`)).body.error).toMatchObject({ code: 100, error_subcode: 33 })
    expect((await call('GET', `/${id}?fields=text`)).status).toBe(400)
    expect(threads.stored().at(-1)?.deleted).toBe(true)
  })

  test('saves a post whose response is lost, and shows it in the container', async () => {
    const container = await ready({ ...TEXT, text: 'Lost' })
    threads.fault('response_lost_after_saving')
    await expect(publish(container)).rejects.toThrow()
    expect(await stateOf(container)).toBe('PUBLISHED')
    expect((await call('GET', '/me/threads?fields=text&limit=1')).body.data[0].text).toBe('Lost')
  })

  test('reports the metrics of a post and of an account, and no others', async () => {
    const id = await posted(TEXT)
    const { data } = (await call('GET', `/${id}/insights?metric=views,likes`)).body
    expect(data[0]).toMatchObject({ name: 'views', values: [{ value: expect.any(Number) }] })
    const followers = (await call('GET', '/me/threads_insights?metric=followers_count')).body.data[0]
    expect(followers).toMatchObject({ total_value: { value: expect.any(Number) } })
    for (const path of [`/${id}/insights`, `/${id}/insights?metric=clicks`, '/me/threads_insights?metric=saves'])
      expect((await call('GET', path)).body.error.code).toBe(100)
  })
})
