import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { facebookPages, withVideo } from './facebook.fixture.ts'

const t = await testApp()
const { connect, withPage } = facebookPages(t)

const withUpright = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [(await uploaded(owner, { bytes: await videoFile(5, [540, 960]), name: 'a.mp4', type: 'video/mp4' })).id],
})
const withStory = async (_: string, { owner }: { owner: WorkspaceOwner }) => ({
  content: '',
  media_ids: [(await uploaded(owner)).id],
})

type Page = Awaited<ReturnType<typeof withPage>>

/** Publishes a post, and runs the polls that follow. */
async function publishAndWait({ owner, publish }: Page, fields: object, type?: string) {
  return ended(owner, await publish(fields, type === undefined ? {} : { type }))
}

async function ended(owner: WorkspaceOwner, { id }: { id: string }) {
  await t.runJobs()
  t.advance(60_000)
  await t.runJobs()
  return (await owner.get(`/api/v1/posts/${id}`)).body
}

describe('reels and stories on Facebook', () => {
  test('a reel is an upright video with a text and a first comment, which can be edited and deleted', async () => {
    const network = await withPage()
    const { owner, server } = network
    const fields = { ...(await withUpright('A reel', network)), first_comment: 'Order here' }
    const post = await publishAndWait(network, fields, 'reel')
    const [made] = server.videos.values()
    expect(post.targets[0]).toMatchObject({ status: 'published', external_id: made?.id })
    expect([made?.kind, made?.description, made?.bytes.length]).toEqual(['reel', 'A reel', made?.size])
    const path = `/api/v1/posts/${post.id}/targets/${post.targets[0].id}`
    expectStatus(await owner.patch(path, { content: 'Edited' }), 200)
    expect(server.stored()).toMatchObject([{ text: 'Edited' }, { text: 'Order here' }])
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(made?.deleted).toBe(true)
  })

  test('a story is a photo or an upright video without a text, and stays until it ends', async () => {
    const network = await withPage()
    const { owner, server } = network
    for (const fields of [await withStory('', network), { ...(await withUpright('', network)), content: '' }]) {
      const post = await publishAndWait(network, fields, 'story')
      expect(post.targets[0]).toMatchObject({
        status: 'published',
        url: `https://www.facebook.com/stories/${post.targets[0].external_id}`,
      })
      expectProblem(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 409, 'not_supported_by_network')
    }
    expect(server.stored()).toHaveLength(2)
  })

  test('a text of a story, and a wide video, are refused before the post is scheduled', async () => {
    const network = await withPage()
    const { owner, account } = network
    const create = (fields: object, type: string) =>
      owner.post('/api/v1/posts', {
        ...fields,
        targets: [{ account_id: account, options: { type } }],
        publish_now: true,
      })
    const story = { ...(await withStory('', network)), content: 'A text' }
    expectProblem(await create(story, 'story'), 400, 'validation_failed', '/content')
    expectProblem(await create(await withVideo('A reel', network), 'reel'), 400, 'validation_failed', '/media_ids/0')
  })
})

describe('a video that Facebook has not published', () => {
  const refused = { kind: 'response', status: 400 } as const

  /** Publishes a video that Facebook processes for hours. */
  async function publishSlowly(network: Page) {
    network.server.fault('processing_never_ends')
    const { id } = await publishAndWait(network, await withVideo('Slow', network))
    t.advance(3 * 3600_000)
    await t.runJobs()
    return id
  }

  test.each(['feed', 'reel'])('has the text of the post after a change (%s)', async (type) => {
    const network = await withPage()
    const { owner, server } = network
    server.failNext(refused)
    const post = await publishAndWait(network, await withUpright('Former', network), type)
    expect(post.status).toBe('failed')
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { content: 'Corrected' }), 200)
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200)
    expect((await ended(owner, post)).status).toBe('published')
    expect(server.stored().map(({ text }) => text)).toEqual(['Corrected'])
  })

  test('becomes a reel after a change', async () => {
    const network = await withPage()
    const { owner, server, account } = network
    server.failNext(refused)
    const post = await publishAndWait(network, await withUpright('Upright', network))
    const targets = [{ account_id: account, options: { type: 'reel' } }]
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { targets }), 200)
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200)
    expect((await ended(owner, post)).status).toBe('published')
    expect([...server.videos.values()].filter(({ state }) => state === 'ready')).toMatchObject([{ kind: 'reel' }])
  })

  test('can still be published after hours of processing, so it is neither changed nor sent again', async () => {
    const network = await withPage()
    const { owner, server } = network
    const id = await publishSlowly(network)
    const post = (await owner.get(`/api/v1/posts/${id}`)).body
    expect([post.status, post.targets[0].error_code]).toEqual(['partially_published', 'processing_timeout'])
    expectProblem(await owner.patch(`/api/v1/posts/${id}`, { content: 'Changed' }), 409, 'invalid_transition')
    for (const video of server.videos.values()) video.outcome = 'ready'
    expectStatus(await owner.post(`/api/v1/posts/${id}/retry`), 200)
    expect((await ended(owner, post)).status).toBe('published')
    expect(server.videos.size).toBe(1)
  })

  test('can be deleted while it is processed', async () => {
    const network = await withPage()
    const { owner, server } = network
    const id = await publishSlowly(network)
    expectStatus(await owner.post(`/api/v1/posts/${id}/unpublish`), 200)
    expect([...server.videos.values()].map(({ deleted }) => deleted)).toEqual([true])
  })
})

describeFaults('Facebook with a video', { t: () => t, connect, visible: 1, post: withVideo, upload: withVideo })

const targetAs =
  (type: string, make: typeof withUpright) =>
  async (content: string, network: { owner: WorkspaceOwner; account: string }) => ({
    ...(await make(content, network)),
    account_ids: undefined,
    targets: [{ account_id: network.account, options: { type } }],
  })

const asReel = targetAs('reel', withUpright)
describeFaults('Facebook with a reel', { t: () => t, connect, visible: 1, post: asReel, upload: asReel })

const asStory = targetAs('story', withStory)
describeFaults('Facebook with a story', {
  ...{ t: () => t, connect, visible: 1, post: asStory, upload: asStory },
  outcomes: { processing_never_ends: 'absent', processing_fails: 'absent' },
})
