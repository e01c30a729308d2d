import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { testImage, uploaded, videoFile } from '../../../../test/media.ts'
import { describeFaults } from '../../../../test/network-faults.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { webSite } from '../../../../test/web-site.ts'

const t = await testApp()
const owner = await withWorkspace(t)

async function connect() {
  const server = await blueskyServer()
  t.deps.config.NETWORK_ORIGINS['bluesky.video'] = server.url
  const fields = { network: 'bluesky', service: server.url, ...server.addAccount() }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  return { server, owner, account: body.id as string }
}

async function withServer() {
  const network = await connect()
  onTestFinished(network.server.close)
  const { server, account } = network
  const publish = async (fields: object = {}, options: object = {}) => {
    const targets = [{ account_id: account, options }]
    const post = { content: 'Hello', targets, publish_now: true, ...fields }
    const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
    await t.runJobs()
    return (await owner.get(`/api/v1/posts/${body.id}`)).body
  }
  const recordsOf = (collection: string) =>
    [...server.records.values()]
      .filter(({ uri }) => uri.includes(`/${collection}/`))
      .map(({ uri, value }) => ({ uri, value }))
  return { ...network, publish, recordsOf }
}

const fileWith = async (alt: string, width = 40, height = 30) => {
  const { id } = await uploaded(owner, { bytes: await testImage(width, height), name: 'a.png', fields: [['alt', alt]] })
  return id as string
}

const videoWith = async (alt: string) => {
  const sent = {
    bytes: await videoFile(),
    name: 'a.mp4',
    type: 'video/mp4',
    fields: [['alt', alt]] as [string, string][],
  }
  const { id } = await uploaded(owner, sent)
  return id as string
}

describe('publishing to Bluesky', () => {
  test('four images are shown with their texts and shapes, each uploaded once', async () => {
    const { server, publish, recordsOf } = await withServer()
    const media_ids: string[] = []
    for (const [index, alt] of ['One', 'Two', '', 'Four'].entries()) media_ids.push(await fileWith(alt, 40 + index, 30))
    const { status } = await publish({ media_ids, thread: [{ content: 'Next' }] })
    expect(status).toBe('published')
    expect(server.count('uploadBlob')).toBe(4)
    const [first, second] = recordsOf('app.bsky.feed.post')
    const images = ['One', 'Two', '', 'Four'].map((alt, index) => ({
      alt,
      aspectRatio: { width: 40 + index, height: 30 },
    }))
    expect(first?.value.embed).toMatchObject({ $type: 'app.bsky.embed.images', images })
    expect(second?.value.reply).toMatchObject({ root: { uri: first?.uri }, parent: { uri: first?.uri } })
  })

  test('a video is sent to the video service, and shown once it is processed', async () => {
    const { server, publish, recordsOf } = await withServer()
    const media_ids = [await videoWith('A video')]
    const { id } = await publish({ media_ids })
    t.advance(60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    const embed = { $type: 'app.bsky.embed.video', alt: 'A video', aspectRatio: { width: 320, height: 180 } }
    expect(recordsOf('app.bsky.feed.post')).toMatchObject([{ value: { embed } }])
    // The service knows the video, and returns the job of the first time.
    expect((await publish({ media_ids })).status).toBe('published')
    expect(server.count('uploadVideo')).toBe(2)
  })

  test('images that the server has deleted before the post is retried are uploaded again', async () => {
    const { server, publish, recordsOf } = await withServer()
    server.fault('refused')
    const { id, status } = await publish({ media_ids: [await fileWith('One')] })
    expect(status).toBe('failed')
    server.dropBlobs()
    expectStatus(await owner.post(`/api/v1/posts/${id}/retry`), 200)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    expect(recordsOf('app.bsky.feed.post')).toHaveLength(1)
  })

  test('an account is called at the server that holds its records, also with a session that was opened before', async () => {
    const server = await blueskyServer()
    onTestFinished(server.close)
    const fields = server.addAccount()
    const home = server.url.replace('127.0.0.1', 'localhost')
    server.moveAccount(server.didOf(fields.handle), home)
    const account = { network: 'bluesky', service: server.url, ...fields }
    const { body } = expectStatus(await owner.post('/api/v1/accounts', account), 201)
    for (const content of ['One', 'Two'])
      expectStatus(await owner.post('/api/v1/posts', { content, account_ids: [body.id], publish_now: true }), 201)
    await t.runJobs()
    const sent = server.calls.filter(({ name }) => /putRecord|createSession/.test(name))
    const [service, records] = [server.url, home].map((url) => new URL(url).host)
    expect(sent.map(({ name, host }) => [name.split('.').at(-1), host])).toEqual([
      ['createSession', service],
      ['putRecord', records],
      ['putRecord', records],
    ])
  })

  test('who may reply and quote is stored beside the post, and unpublishing deletes all of it', async () => {
    const { publish, recordsOf } = await withServer()
    const options = { replies: 'mentioned', quotes: false, self_label: 'nudity' }
    const { id } = await publish({ thread: [{ content: 'Next' }] }, options)
    const [post] = recordsOf('app.bsky.feed.post')
    expect(post?.value.labels).toMatchObject({ values: [{ val: 'nudity' }] })
    const gates = recordsOf('app.bsky.feed.threadgate')
    expect(gates).toMatchObject([
      { value: { post: post?.uri, allow: [{ $type: 'app.bsky.feed.threadgate#mentionRule' }] } },
    ])
    expect(recordsOf('app.bsky.feed.postgate')).toHaveLength(2)
    expectStatus(await owner.post(`/api/v1/posts/${id}/unpublish`), 200)
    for (const name of ['post', 'threadgate', 'postgate']) expect(recordsOf(`app.bsky.feed.${name}`)).toEqual([])
  })
})

describe('link cards', () => {
  const head = (image: string) =>
    `<html><head><title>Fallback</title><meta property="og:title" content="Simit &amp; tea"><meta name="description" content="Fresh"><meta property="og:image" content="${image}"></head></html>`

  test('the first link of a post is shown with title, description and image of its page', async () => {
    const { publish, recordsOf } = await withServer()
    const { url: site } = await webSite({
      '/moved': { location: '/page' },
      '/page': { type: 'text/html; charset=utf-8', body: head('/image.png') },
      '/image.png': { type: 'image/png', body: await testImage() },
    })
    await publish({ content: `Look: ${site}/moved` })
    const [post] = recordsOf('app.bsky.feed.post')
    expect(post?.value.embed).toMatchObject({
      $type: 'app.bsky.embed.external',
      external: {
        uri: `${site}/moved`,
        title: 'Simit & tea',
        description: 'Fresh',
        thumb: { $type: 'blob', mimeType: 'image/png' },
      },
    })
  })

  test.each([
    ['is absent', {}],
    ['is no page', { '/page': { type: 'application/pdf', body: 'x' } }],
    ['redirects to an address that is not allowed', { '/page': { location: 'http://10.0.0.1/' } }],
    ['redirects for ever', { '/page': { location: '/page' } }],
    ['is endless', { '/page': { type: 'text/html', body: Buffer.alloc(3_000_000, 'x') } }],
  ])('a page that %s costs the card, not the post', async (_, pages) => {
    const { publish, recordsOf } = await withServer()
    const { url: site } = await webSite(pages)
    const { status } = await publish({ content: `Look: ${site}/page` })
    expect(status).toBe('published')
    expect(recordsOf('app.bsky.feed.post')[0]?.value).not.toHaveProperty('embed')
  })

  test('a card has whole characters only, and no NUL', async () => {
    const { publish, recordsOf } = await withServer()
    const title = `${'x'.repeat(299)}🥐`
    const { url: site } = await webSite({
      '/page': { type: 'text/html', body: `<title>${title} and more</title><meta name="description" content="a\0b">` },
    })
    expect((await publish({ content: `Look: ${site}/page` })).status).toBe('published')
    const embed = Object(recordsOf('app.bsky.feed.post')[0]?.value.embed)
    expect(embed.external).toMatchObject({ title, description: 'ab' })
  })

  test('an image that cannot be read costs the image, not the card', async () => {
    const { publish, recordsOf } = await withServer()
    const { url: site } = await webSite({
      '/page': { type: 'text/html', body: head('/image.png') },
      '/image.png': { type: 'image/png', body: 'no image' },
    })
    await publish({ content: `Look: ${site}/page` })
    const embed = Object(recordsOf('app.bsky.feed.post')[0]?.value.embed)
    expect(embed.external.title).toBe('Simit & tea')
    expect(embed.external).not.toHaveProperty('thumb')
  })
})

describeFaults('Bluesky', {
  t: () => t,
  connect,
  upload: async (content) => ({ content, media_ids: [await videoWith('One')] }),
})
