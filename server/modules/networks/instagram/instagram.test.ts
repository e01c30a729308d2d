import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { testImage, uploaded, videoFile } from '../../../../test/media.ts'
import { connectByOAuthTo, describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { instagramServer } from '../../../../test/stand-ins/instagram.ts'
import { findDueGrants } from '../../accounts/grants/grants.jobs.ts'

const t = await testApp()

const DAY = 24 * 3600_000

async function connect(how: { scopes?: string[] } = {}) {
  const server = await instagramServer()
  server.fetchFrom(t.deps.baseUrl, t.url)
  server.oauth.signInAs('ada', how)
  return connectByOAuthTo(t, server, 'instagram')
}

async function withAccount(how: { scopes?: string[] } = {}) {
  const network = await connect(how)
  onTestFinished(network.server.close)
  const { owner, account } = network
  const create = (fields: object, options: object = {}) =>
    owner.post('/api/v1/posts', {
      ...{ content: 'Hello', targets: [{ account_id: account, options }], publish_now: true },
      ...fields,
    })
  const publish = async (fields: object, options: object = {}) => {
    const { body } = expectStatus(await create(fields, options), 201)
    for (let wait = 0; wait < 8; wait++) {
      await t.runJobs()
      t.advance(60_000)
    }
    return (await owner.get(`/api/v1/posts/${body.id}`)).body
  }
  const check = async () => expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200).body
  return { ...network, create, publish, check }
}

const imageId = async (owner: WorkspaceOwner) =>
  (await uploaded(owner, { fields: [['alt', 'A tray of simit']] })).id as string
const videoId = async (owner: WorkspaceOwner) =>
  (await uploaded(owner, { bytes: await videoFile(4), name: 'a.mp4', type: 'video/mp4' })).id as string

const withImage = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [await imageId(owner)],
})

describe('connecting Instagram', () => {
  test('the account is connected under its id that is the same for every app, and a check reads its name', async () => {
    const { server, owner, account, check } = await withAccount()
    expect((await owner.get(`/api/v1/accounts/${account}`)).body).toMatchObject({
      ...{ name: 'Ada', handle: 'ada', url: 'https://www.instagram.com/ada/', status: 'connected' },
    })
    server.rename('ada', 'lovelace')
    expect(await check()).toMatchObject({ status: 'connected', handle: 'lovelace' })
  })

  test('the token of 60 days is renewed before its end', async () => {
    const { server } = await withAccount()
    server.advance(55 * DAY)
    t.advance(55 * DAY)
    await findDueGrants(t.deps)
    await t.runJobs()
    expect(server.renewals()).toBe(1)
  })

  test('a token is in the address of no call but those that exchange it', async () => {
    const network = await withAccount()
    await network.publish(await withImage('Warm', network))
    const tokens = network.server.oauth.grants.map(({ access }) => access)
    for (const { path, query } of network.server.calls)
      if (!/\/(refresh_)?access_token$/.test(path))
        for (const value of query.values()) expect(tokens.some((token) => value.includes(token))).toBe(false)
  })

  test('an account whose owner did not allow comments takes no first comment', async () => {
    const network = await withAccount({
      scopes: ['instagram_business_basic', 'instagram_business_content_publish'],
    })
    const fields = { ...(await withImage('Warm', network)), first_comment: 'Order here' }
    expectProblem(await network.create(fields), 400, 'validation_failed')
  })
})

describe('publishing on Instagram', () => {
  test('an image becomes a JPEG with its alternative text, caption and collaborators', async () => {
    const network = await withAccount()
    const post = await network.publish(await withImage('Warm', network), { collaborators: ['@bakery', 'oven'] })
    const [stored] = network.server.media.values()
    expect(network.server.stored()).toMatchObject([
      { text: 'Warm', media: [{ type: 'image/jpeg', alt: 'A tray of simit' }] },
    ])
    expect(stored).toMatchObject({ kind: 'IMAGE', fields: { collaborators: ['bakery', 'oven'] } })
    expect(post.targets[0]).toMatchObject({
      ...{ status: 'published', external_id: stored?.id },
      url: `https://www.instagram.com/p/${stored?.id}/`,
    })
  })

  test('a video is a reel, with its place in the feed and its cover', async () => {
    const { owner, server, publish } = await withAccount()
    const media_ids = [await videoId(owner)]
    await publish({ content: 'Moving', media_ids }, { share_to_feed: false, cover_second: '1.5' })
    expect([...server.media.values()]).toMatchObject([
      { kind: 'REELS', fields: { caption: 'Moving', share_to_feed: false, thumb_offset: 1500 } },
    ])
  })

  test('an image and a video are a carousel', async () => {
    const { owner, server, publish } = await withAccount()
    const media_ids = [await imageId(owner), await videoId(owner)]
    expect((await publish({ content: 'Both', media_ids })).status).toBe('published')
    expect(server.stored()).toMatchObject([{ text: 'Both', media: [{ type: 'image/jpeg' }, { type: 'video/mp4' }] }])
  })

  test('a first comment stands below the post', async () => {
    const network = await withAccount()
    await network.publish({ ...(await withImage('Warm', network)), first_comment: 'Order here' })
    const [post] = network.server.media.values()
    expect(network.server.comments).toMatchObject([{ media: post?.id, text: 'Order here' }])
  })

  test('a post without a file, or with one that is too wide, is refused before it is scheduled', async () => {
    const { owner, create } = await withAccount()
    expectProblem(await create({}), 400, 'validation_failed')
    const { id } = await uploaded(owner, { bytes: await testImage(800, 200) })
    expectProblem(await create({ media_ids: [id] }), 400, 'validation_failed')
  })

  test('a file that Instagram cannot fetch fails the post with the reason, after more than one try', async () => {
    const network = await withAccount()
    network.server.fetchFrom('https://elsewhere.example', t.url)
    const { id } = await network.publish(await withImage('Lost', network))
    for (let wait = 0; wait < 6; wait++) {
      t.advance(3 * 3600_000)
      await t.runJobs()
    }
    expect((await network.owner.get(`/api/v1/posts/${id}`)).body.targets[0]).toMatchObject({
      ...{ status: 'failed', error_message: expect.stringContaining('could not be fetched') },
    })
    expect(network.server.calls.filter(({ path }) => path.endsWith('/media')).length).toBeGreaterThan(1)
  })

  const errorOf = (code: number, error_subcode: number) => ({
    ...{ kind: 'response' as const, status: 400 },
    body: { error: { message: 'Fatal', type: 'OAuthException', code, error_subcode, is_transient: false } },
  })

  test.each([
    ['cannot make a container now', 'failNextUpload', errorOf(-1, 2_207_032)],
    ['takes too long to fetch a file', 'failNextUpload', errorOf(-2, 2_207_003)],
    ['fails inside before it publishes', 'failNext', errorOf(-1, 2_207_001)],
    ['fails inside after it published', 'failNext', { ...errorOf(-1, 2_207_001), arrives: true }],
    ['does not find a container yet', 'failNext', errorOf(24, 2_207_008)],
  ] as const)('a post is published once if Instagram %s', async (_, when, failure) => {
    const network = await withAccount()
    network.server[when](failure)
    const { id } = await network.publish(await withImage('Once', network))
    for (let wait = 0; wait < 3; wait++) {
      t.advance(3600_000)
      await t.runJobs()
    }
    expect((await network.owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    expect(network.server.media.size).toBe(1)
  })
})

describe('stories on Instagram', () => {
  const asStory = { type: 'story' }

  test('a story is a tall image or a video without a text', async () => {
    const { owner, server, publish } = await withAccount()
    const { id } = await uploaded(owner, { bytes: await testImage(90, 160) })
    for (const media_id of [id, await videoId(owner)])
      expect((await publish({ content: '', media_ids: [media_id] }, asStory)).status).toBe('published')
    expect([...server.media.values()]).toMatchObject([
      { kind: 'STORIES', fields: { image_url: expect.any(String) } },
      { kind: 'STORIES', fields: { video_url: expect.any(String) } },
    ])
  })

  test('a text, a second file, or a first comment of a story is refused', async () => {
    const { owner, create } = await withAccount()
    const [one, two] = [await imageId(owner), await imageId(owner)]
    for (const [fields, pointer] of [
      [{ media_ids: [one] }, '/content'],
      [{ content: '', media_ids: [one, two] }, '/media_ids/1'],
      [{ content: '', media_ids: [one], first_comment: 'Order here' }, '/first_comment'],
    ] as const)
      expectProblem(await create(fields, asStory), 400, 'validation_failed', pointer)
  })

  test('a story whose response was lost is found again', async () => {
    const { owner, server, publish } = await withAccount()
    server.fault('response_lost_after_saving')
    const { id } = await publish({ content: '', media_ids: [await imageId(owner)] }, asStory)
    t.advance(3600_000)
    await t.runJobs()
    const { targets } = (await owner.get(`/api/v1/posts/${id}`)).body
    expect([targets[0].status, targets[0].error_message]).toEqual(['published', null])
    expect(server.media.size).toBe(1)
  })
})

describeFaults('Instagram', { t: () => t, connect, visible: 1, post: withImage, upload: withImage })

describeFaults('Instagram with a comment', {
  ...{ t: () => t, connect },
  post: async (content, network) => ({
    ...(await withImage(content, network)),
    first_comment: `${content}, comment`,
  }),
})
