import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { connectByOAuth, setUpApp, signInAtNetwork, startedConnection } from '../../../../test/network-accounts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'
import { connectByOAuthTo, describeFaults } from '../faults.fixture.ts'

const t = await testApp()

async function connect(how: { scopes?: string[] } = {}) {
  const server = await facebookServer()
  const page = server.addPage({ username: 'bakery' })
  server.oauth.signInAs('ada', how)
  return { ...(await connectByOAuthTo(t, server, 'facebook')), page }
}

async function withPage(how: { scopes?: string[] } = {}) {
  const network = await connect(how)
  onTestFinished(network.server.close)
  const { owner, account } = network
  const publish = async (fields: object = {}, options: object = {}) => {
    const post = { content: 'Hello', targets: [{ account_id: account, options }], publish_now: true, ...fields }
    const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
    await t.runJobs()
    return (await owner.get(`/api/v1/posts/${body.id}`)).body
  }
  const read = async () => (await owner.get(`/api/v1/accounts/${account}`)).body
  const check = async () => expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200).body
  return { ...network, publish, read, check }
}

const withPhotos = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [(await uploaded(owner, { fields: [['alt', 'A tray of simit']] })).id, (await uploaded(owner)).id],
})

const withVideo = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [(await uploaded(owner, { bytes: await videoFile(), name: 'a.mp4', type: 'video/mp4' })).id],
})

const PUBLISH = ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts']

describe('connecting Facebook', () => {
  test('the only Page of a person is connected at once, with a token that does not end', async () => {
    const { page, server, read, check } = await withPage()
    expect(await read()).toMatchObject({
      name: page.name,
      handle: 'bakery',
      url: 'https://www.facebook.com/bakery',
      status: 'connected',
      limits: {},
    })
    page.username = 'simit'
    server.oauth.endAccess()
    expect(await check()).toMatchObject({ status: 'connected', handle: 'simit' })
  })

  test('the Pages on which the person can create content are offered', async () => {
    const { owner, server, page } = await withPage()
    const others = Array.from({ length: 120 }, () => server.addPage())
    const plus = server.addPage({ tasks: ['PROFILE_PLUS_CREATE_CONTENT'] })
    server.addPage({ tasks: ['ANALYZE', 'ADVERTISE'] })
    const { id, callback } = await signInAtNetwork(owner, 'facebook')
    expectStatus(await owner.get(callback), 303)
    const { body } = expectStatus(await owner.get(`/api/v1/accounts/connections/${id}`), 200)
    const offered = body.candidates.map(({ external_id }: { external_id: string }) => external_id)
    expect(offered).toEqual([page, ...others, plus].map((each) => each.id))
    expect(body.candidates[0]).toMatchObject({ name: page.name, handle: 'bakery', kind: 'page', connected: true })
  })

  test('without the permission to comment, a Page takes no first comment', async () => {
    const { read } = await withPage({ scopes: PUBLISH })
    expect((await read()).limits).toEqual({ first_comment: false })
  })

  test('a sign-in without a permission to publish, or without a Page, is refused', async () => {
    const { owner, server, page } = await withPage()
    server.oauth.signInAs('ada', { scopes: ['pages_show_list', 'pages_read_engagement'] })
    expect(await connectByOAuth(owner, 'facebook')).toMatchObject({
      status: 'failed',
      error: { code: 'scopes_missing', message: expect.stringContaining('pages_manage_posts') },
    })
    page.tasks = []
    server.oauth.signInAs('ada')
    expect(await connectByOAuth(owner, 'facebook')).toMatchObject({ status: 'failed', error: { code: 'no_account' } })
  })

  test('a Page whose token ended is disconnected by a check, and its reason does not contain the token', async () => {
    const { server, check } = await withPage()
    server.endTokens()
    const { status, status_detail } = await check()
    expect([status, status_detail]).toEqual(['disconnected', expect.stringMatching(/Session has expired/)])
  })
})

test('NETWORK_VERSIONS sets the version of every address', async () => {
  const server = await facebookServer()
  const newer = await testApp({
    NETWORK_ORIGINS: `facebook=${server.url}`,
    NETWORK_VERSIONS: 'facebook=v27.0',
  })
  const admin = await setUpApp(newer, 'facebook', server.oauth)
  const { authorize_url } = await startedConnection(await withWorkspace(newer), 'facebook')
  expect(new URL(authorize_url).pathname).toBe('/v27.0/dialog/oauth')
  expectStatus(await admin.post('/api/v1/admin/network-apps/facebook/test', {}), 200)
  expect(server.calls.map(({ path }) => path)).toEqual(['/v27.0/oauth/access_token'])
  await newer.close()
  server.close()
})

describe('publishing on Facebook', () => {
  test('a text has the card of its first link, unless the post is without one', async () => {
    const { server, page, publish } = await withPage()
    const content = 'Fresh: https://example.com/a and https://example.com/b.'
    const { targets } = await publish({ content })
    await publish({ content: `${content} Again` }, { link_preview: false })
    const [first, second] = [...server.posts.values()]
    expect([first?.message, first?.link, second?.link]).toEqual([content, 'https://example.com/a', ''])
    expect(targets[0]).toMatchObject({
      status: 'published',
      external_id: first?.id,
      url: `https://www.facebook.com/${page.id}/posts/${first?.id.split('_')[1]}`,
    })
  })

  test('a link that Facebook cannot read is published without a card', async () => {
    const { server, publish } = await withPage()
    expect((await publish({ content: 'https://unreachable.example' })).status).toBe('published')
    expect([...server.posts.values()].map(({ link }) => link)).toEqual([''])
  })

  test('a post whose response was lost is found by its text, also if its link is shown as a video', async () => {
    const { owner, server, publish } = await withPage()
    server.fault('response_lost_after_saving')
    const { id } = await publish({ content: 'Watch https://example.com/video' })
    t.advance(60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    expect(server.posts.size).toBe(1)
  })

  test('photos are one post with their alternative texts, and a comment follows', async () => {
    const { owner, server, publish } = await withPage()
    const fields = await withPhotos('Fresh & warm', { owner })
    expect((await publish({ ...fields, first_comment: 'Order here' })).status).toBe('published')
    const [post, comment] = server.stored()
    expect(post).toMatchObject({
      text: 'Fresh & warm',
      media: [
        { type: 'image/png', alt: 'A tray of simit' },
        { type: 'image/png', alt: null },
      ],
    })
    expect(comment).toMatchObject({ text: 'Order here', replyTo: post?.id })
    await publish({ content: '', media_ids: fields.media_ids.slice(0, 1) })
    expect([...server.posts.values()].map(({ photos }) => photos.length)).toEqual([2, 1])
  })

  test('a video is sent in parts, and published when Facebook has processed it', async () => {
    const { owner, server, publish } = await withPage()
    const bytes = await videoFile()
    const file = await uploaded(owner, { bytes, name: 'a.mp4', type: 'video/mp4' })
    const { id } = await publish({ content: 'A video', media_ids: [file.id] })
    t.advance(60_000)
    await t.runJobs()
    const [made] = [...server.videos.values()]
    const post = (await owner.get(`/api/v1/posts/${id}`)).body
    expect(post.targets[0]).toMatchObject({
      status: 'published',
      external_id: made?.id,
      url: `https://www.facebook.com/bakery/videos/${made?.id}/`,
    })
    expect(made?.bytes.equals(bytes)).toBe(true)
    expect(server.calls.filter(({ files }) => files[0]?.field === 'video_file_chunk').length).toBeGreaterThan(1)
  })

  test('a video whose upload Facebook gave up is sent again from its first byte', async () => {
    const { owner, server, publish } = await withPage()
    const error = { code: 6000, error_subcode: 1_363_030, message: 'Your video upload timed out.' }
    server.failNextUpload('none', { kind: 'answer', status: 400, body: { error } })
    const { id } = await publish(await withVideo('A video', { owner }))
    for (let times = 0; times < 2; times++) {
      t.advance(60_000)
      await t.runJobs()
    }
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    expect([...server.videos.values()].map(({ state }) => state)).toEqual(['uploading', 'ready'])
  })

  test('uploads that are too old for a post are sent again', async () => {
    const { owner, server, publish } = await withPage()
    server.fault('rate_limited')
    const { id } = await publish(await withPhotos('Late', { owner }))
    t.advance(13 * 3600_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    expect(server.calls.filter(({ path }) => path.endsWith('/photos'))).toHaveLength(4)
  })

  test('a limit makes every post of the account wait as long as Facebook asks for', async () => {
    const { server, account, publish } = await withPage()
    server.fault('rate_limited')
    await publish()
    const { held_until } = await t.deps.db
      .selectFrom('account')
      .select('held_until')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
    expect(held_until).toEqual(new Date(t.clock.now().getTime() + 300_000))
  })

  test('a photo that Facebook cannot read fails the post with the reason', async () => {
    const { owner, server, publish } = await withPage()
    const error_user_msg = 'Photos should be less than 4 MB.'
    const error = {
      code: 1,
      error_subcode: 1_366_046,
      message: 'Invalid parameter',
      is_transient: false,
      error_user_msg,
    }
    server.failNextUpload({ kind: 'answer', status: 400, body: { error } })
    expect((await publish(await withPhotos('Large', { owner }))).targets[0]).toMatchObject({
      status: 'failed',
      error_message: 'Photos should be less than 4 MB. (1)',
    })
  })

  test('a refusal has the reason that Facebook writes for people', async () => {
    const { server, publish } = await withPage()
    server.fault('refused')
    expect((await publish()).targets[0]).toMatchObject({
      status: 'failed',
      error_code: 'rejected_by_network',
      error_message: 'You need to complete Page Publishing Authorization. (200)',
    })
  })

  test('the same text again is refused as a duplicate, and not taken for the earlier post', async () => {
    const { server, publish } = await withPage()
    await publish()
    for (const post of server.posts.values()) post.at = new Date(Date.now() - 60_000)
    const { targets } = await publish()
    expect(targets[0]).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/identical.*\(506\)/) })
    expect(server.posts.size).toBe(1)
  })
})

/** An MP4 of five seconds, upright. */
const withUpright = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [(await uploaded(owner, { bytes: await videoFile(5, [540, 960]), name: 'a.mp4', type: 'video/mp4' })).id],
})
const withStory = async (_: string, { owner }: { owner: WorkspaceOwner }) => ({
  content: '',
  media_ids: [(await uploaded(owner)).id],
})

describe('reels and stories on Facebook', () => {
  const publishedAs = async (
    { owner, publish }: Awaited<ReturnType<typeof withPage>>,
    fields: object,
    options: object,
  ) => {
    const { id } = await publish(fields, options)
    t.advance(60_000)
    await t.runJobs()
    return (await owner.get(`/api/v1/posts/${id}`)).body
  }

  test('a reel is an upright video with a text and a first comment, which can be edited and deleted', async () => {
    const network = await withPage()
    const { owner, server } = network
    const fields = { ...(await withUpright('A reel', network)), first_comment: 'Order here' }
    const post = await publishedAs(network, fields, { type: 'reel' })
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
      const post = await publishedAs(network, fields, { type: 'story' })
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
  const refused = { kind: 'answer', status: 400 } as const

  /** Publishes a post, and runs the polls that follow. */
  async function publishAndWait(
    { owner, account }: Awaited<ReturnType<typeof withPage>>,
    fields: object,
    type?: string,
  ) {
    const targets = [{ account_id: account, options: type === undefined ? {} : { type } }]
    const { body } = expectStatus(await owner.post('/api/v1/posts', { ...fields, targets, publish_now: true }), 201)
    return ended(owner, body)
  }

  async function ended(owner: WorkspaceOwner, { id }: { id: string }) {
    await t.runJobs()
    t.advance(60_000)
    await t.runJobs()
    return (await owner.get(`/api/v1/posts/${id}`)).body
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
    server.fault('processing_never_ends')
    const { id } = await publishAndWait(network, await withVideo('Slow', network))
    t.advance(3 * 3600_000)
    await t.runJobs()
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
    server.fault('processing_never_ends')
    const { id } = await publishAndWait(network, await withVideo('Slow', network))
    t.advance(3 * 3600_000)
    await t.runJobs()
    expectStatus(await owner.post(`/api/v1/posts/${id}/unpublish`), 200)
    expect([...server.videos.values()].map(({ deleted }) => deleted)).toEqual([true])
  })
})

describe('changing what is published on Facebook', () => {
  const pathOf = ({ id, targets }: { id: string; targets: { id: string }[] }) =>
    `/api/v1/posts/${id}/targets/${targets[0]?.id}`

  test('an edit changes the text, and a deletion removes the post', async () => {
    const { owner, server, publish } = await withPage()
    const post = await publish()
    expectStatus(await owner.patch(pathOf(post), { content: 'Edited' }), 200)
    expect(server.stored()).toMatchObject([{ text: 'Edited', deleted: false }])
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(server.stored()).toMatchObject([{ deleted: true }])
  })

  test('an edit of a video changes its description', async () => {
    const { owner, server, publish } = await withPage()
    const { id } = await publish(await withVideo('A video', { owner }))
    t.advance(60_000)
    await t.runJobs()
    const post = (await owner.get(`/api/v1/posts/${id}`)).body
    expectStatus(await owner.patch(pathOf(post), { content: 'Edited' }), 200)
    expect(server.stored()).toMatchObject([{ text: 'Edited' }])
    expectStatus(await owner.post(`/api/v1/posts/${id}/unpublish`), 200)
    expect(server.stored()).toMatchObject([{ deleted: true }])
  })

  test('a post that is deleted there counts as deleted, and cannot be edited', async () => {
    const { owner, server, publish } = await withPage()
    const post = await publish()
    for (const each of server.posts.values()) each.deleted = true
    expectProblem(await owner.patch(pathOf(post), { content: 'Edited' }), 400, 'validation_failed', '/content')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
  })
})

describeFaults('Facebook', {
  t: () => t,
  connect,
  post: (content) => ({ content, first_comment: `${content}, comment` }),
})

describeFaults('Facebook with photos', {
  t: () => t,
  connect,
  visible: 1,
  post: withPhotos,
  upload: withPhotos,
  outcomes: { processing_never_ends: 'absent', processing_fails: 'absent' },
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
