import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { connectByOAuth, setUpApp, signInAtNetwork, startedConnection } from '../../../../test/network-accounts.ts'
import { describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'
import { facebookPages, withVideo } from './facebook.fixture.ts'

const t = await testApp()
const { connect, withPage } = facebookPages(t)

const withPhotos = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [(await uploaded(owner, { fields: [['alt', 'A tray of simit']] })).id, (await uploaded(owner)).id],
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

  test('a list whose pages repeat themselves offers each Page once', async () => {
    const { owner, server, page } = await withPage()
    const other = server.addPage()
    server.repeatList()
    const { id, callback } = await signInAtNetwork(owner, 'facebook')
    const before = server.calls.length
    expectStatus(await owner.get(callback), 303)
    const { body } = expectStatus(await owner.get(`/api/v1/accounts/connections/${id}`), 200)
    expect(body.candidates.map(({ external_id }: { external_id: string }) => external_id)).toEqual([page.id, other.id])
    expect(server.calls.slice(before).filter(({ path }) => path.endsWith('/me/accounts'))).toHaveLength(2)
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
    expect(await connectByOAuth(owner, 'facebook')).toMatchObject({
      status: 'failed',
      error: { code: 'no_account', message: expect.stringContaining(`CREATE_CONTENT) on: ${page.name}`) },
    })
  })

  test('Pages of a business portfolio are found, its own and those of its clients, with their tokens', async () => {
    const { owner, server, page } = await withPage()
    const own = server.addPage({ portfolio: '9' })
    const ofClient = server.addPage({ portfolio: '9', of_client: true })
    const { account_ids } = await connectByOAuth(owner, 'facebook')
    const accounts = await Promise.all(account_ids.map((id: string) => owner.get(`/api/v1/accounts/${id}`)))
    expect(accounts.map(({ body }) => body.name)).toEqual([page, own, ofClient].map(({ name }) => name))
    for (const id of account_ids)
      expect((await owner.post(`/api/v1/accounts/${id}/check`)).body).toMatchObject({ status: 'connected' })

    page.portfolio = '9'
    server.oauth.signInAs('ada', { scopes: [...PUBLISH, 'pages_manage_engagement'] })
    expect((await connectByOAuth(owner, 'facebook')).error).toMatchObject({
      code: 'no_account',
      message: expect.stringContaining('business_management'),
    })
  })

  test('a business portfolio that fails keeps no other Page from being found, and is the reason if there is none', async () => {
    const { owner, server, page } = await withPage()
    const pages = ['8', '9'].map((portfolio) => server.addPage({ portfolio }))
    await connectByOAuth(owner, 'facebook')
    const failing = server.calls.find(({ path }) => path.endsWith('/8/owned_pages'))?.path ?? ''
    const fail = (status: number, error: object) => server.setImage(failing, { status, body: { error } })
    const idsOf = async (account_ids: string[]) =>
      (await Promise.all(account_ids.map((id) => owner.get(`/api/v1/accounts/${id}`)))).map(({ body }) => body.name)

    const reason = 'The portfolio cannot be read now.'
    fail(500, { message: reason, code: 2 })
    const { account_ids } = await connectByOAuth(owner, 'facebook')
    expect(await idsOf(account_ids)).toEqual([page, pages[1]].map((each) => each?.name))

    for (const each of [page, ...pages]) each.portfolio = '8'
    const message = expect.stringContaining(reason)
    expect((await connectByOAuth(owner, 'facebook')).error).toMatchObject({ code: 'unreachable', message })
    fail(403, { message: reason, code: 200 })
    expect((await connectByOAuth(owner, 'facebook')).error).toMatchObject({ code: 'no_account', message })
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
    server.failNextUpload('none', { kind: 'response', status: 400, body: { error } })
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
    server.failNextUpload({ kind: 'response', status: 400, body: { error } })
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
