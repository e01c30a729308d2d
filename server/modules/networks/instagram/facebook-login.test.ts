import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { testImage, uploaded, videoFile } from '../../../../test/media.ts'
import { connectByOAuth, setUpApp, signInAtNetwork } from '../../../../test/network-accounts.ts'
import { connectByOAuthTo, describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'
import { instagramServer } from '../../../../test/stand-ins/instagram.ts'

const t = await testApp()

const NETWORK = 'instagram_facebook'
const PUBLISH = ['instagram_basic', 'instagram_content_publish', 'pages_show_list', 'pages_read_engagement']

let ids = 0
const linked = (username: string) => ({ instagram: { id: `1784140000000${++ids + 1000}`, username } })

async function connect(how: { scopes?: string[] } = {}) {
  const server = await facebookServer()
  server.fetchFrom(t.deps.baseUrl, t.url)
  const page = server.addPage(linked('bakery'))
  server.oauth.signInAs('ada', how)
  return { ...(await connectByOAuthTo(t, server, NETWORK, { origin: 'facebook' })), page }
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
  const read = async (id = account) => expectStatus(await owner.get(`/api/v1/accounts/${id}`), 200).body
  const check = async () => expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200).body
  return { ...network, create, publish, read, check }
}

const imageId = async (owner: WorkspaceOwner) =>
  (await uploaded(owner, { fields: [['alt', 'A tray of simit']] })).id as string
const videoId = async (owner: WorkspaceOwner) =>
  (await uploaded(owner, { bytes: await videoFile(4), name: 'a.mp4', type: 'video/mp4' })).id as string

const withImage = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [await imageId(owner)],
})

describe('connecting Instagram through Facebook', () => {
  test('the only linked account is connected at once, with the token of its Page, which does not end', async () => {
    const { page, server, read, check } = await withAccount()
    expect(await read()).toMatchObject({
      ...{ name: page.name, handle: 'bakery', url: 'https://www.instagram.com/bakery/', status: 'connected' },
      limits: {},
    })
    Object.assign(page.instagram ?? {}, { username: 'simit' })
    server.oauth.endAccess()
    expect(await check()).toMatchObject({ status: 'connected', handle: 'simit' })
  })

  test('of several Pages, those with a linked account are offered, each account once', async () => {
    const { owner, server, page } = await withAccount()
    const other = server.addPage(linked('oven'))
    server.addPage()
    server.addPage({ ...linked('foreign'), tasks: ['ANALYZE'] })
    server.addPage({ ...(page.instagram && { instagram: page.instagram }) })
    const { id, callback } = await signInAtNetwork(owner, NETWORK)
    expectStatus(await owner.get(callback), 303)
    const { body } = expectStatus(await owner.get(`/api/v1/accounts/connections/${id}`), 200)
    expect(body.candidates).toMatchObject([
      { external_id: page.instagram?.id, handle: 'bakery', kind: 'profile', connected: true },
      { external_id: other.instagram?.id, handle: 'oven', name: other.name, connected: false },
    ])
  })

  test('accounts of Pages of a business portfolio are found, its own and those of its clients', async () => {
    const { owner, server, page, read } = await withAccount()
    server.addPage({ ...linked('own'), portfolio: '9' })
    server.addPage({ ...linked('of_client'), portfolio: '9', of_client: true })
    const { account_ids } = await connectByOAuth(owner, NETWORK)
    const accounts = await Promise.all(account_ids.map(read))
    expect(accounts.map(({ handle }) => handle)).toEqual(['bakery', 'own', 'of_client'])
    for (const id of account_ids)
      expect((await owner.post(`/api/v1/accounts/${id}/check`)).body).toMatchObject({ status: 'connected' })

    page.portfolio = '9'
    server.oauth.signInAs('ada', { scopes: PUBLISH })
    expect((await connectByOAuth(owner, NETWORK)).error).toMatchObject({
      code: 'no_account',
      message: expect.stringContaining('business_management'),
    })
  })

  test('a sign-in without a linked account is refused with what to do', async () => {
    const { owner, server, page } = await withAccount()
    delete page.instagram
    const { status, error } = await connectByOAuth(owner, NETWORK)
    expect([status, error.code]).toEqual(['failed', 'no_account'])
    expect(error.message).toMatch(`No professional account of Instagram is linked to: ${page.name}. Switch`)
    expect(error.message).not.toContain('business_management')
    server.oauth.signInAs('ada', { scopes: PUBLISH })
    expect((await connectByOAuth(owner, NETWORK)).error.message).toMatch(/business_management, which was not granted/)
  })

  test('a sign-in without a permission to publish is refused', async () => {
    const { owner, server } = await withAccount()
    server.oauth.signInAs('ada', { scopes: PUBLISH.filter((scope) => scope !== 'instagram_content_publish') })
    expect(await connectByOAuth(owner, NETWORK)).toMatchObject({
      status: 'failed',
      error: { code: 'scopes_missing', message: expect.stringContaining('instagram_content_publish') },
    })
  })

  test('an account whose owner did not allow comments takes no first comment', async () => {
    const network = await withAccount({ scopes: PUBLISH })
    expect((await network.read()).limits).toEqual({ first_comment: false })
    const fields = { ...(await withImage('Warm', network)), first_comment: 'Order here' }
    expectProblem(await network.create(fields), 400, 'validation_failed')
  })

  test('an account that signed in itself can be connected a second time', async () => {
    const { owner, page, read, account } = await withAccount()
    const own = await instagramServer()
    onTestFinished(own.close)
    own.oauth.signInAs('ada')
    Object.assign(t.deps.config.NETWORK_ORIGINS, { instagram: own.url })
    await setUpApp(t, 'instagram', own.oauth)
    const { account_ids } = await connectByOAuth(owner, 'instagram')
    const { external_id: id } = await t.deps.db
      .selectFrom('account')
      .select('external_id')
      .where('id', '=', account_ids[0])
      .executeTakeFirstOrThrow()
    Object.assign(page.instagram ?? {}, { id })
    page.name = 'Ada'
    const { account_ids: again } = await connectByOAuth(owner, NETWORK)
    expect(await read(again[0])).toMatchObject({ network: NETWORK, name: 'Ada', status: 'connected' })
    expect((await read(account)).status).toBe('connected')
  })

  test('an account whose token ended is disconnected by a check, and its reason does not contain the token', async () => {
    const { server, check } = await withAccount()
    server.endTokens()
    const { status, status_detail } = await check()
    expect([status, status_detail]).toEqual(['disconnected', expect.stringMatching(/Session has expired/)])
  })

  test('a token is in the address of no call but the one that exchanges it', async () => {
    const network = await withAccount()
    await network.publish(await withImage('Warm', network))
    for (const { path, query } of network.server.calls)
      if (!path.endsWith('/access_token'))
        expect([...query].filter(([name, value]) => name === 'access_token' || value.startsWith('EAA'))).toEqual([])
  })
})

describe('publishing on Instagram through Facebook', () => {
  test('an image becomes a JPEG with its texts, and a comment follows', async () => {
    const network = await withAccount()
    const fields = { ...(await withImage('Warm', network)), first_comment: 'Order here' }
    const post = await network.publish(fields, { collaborators: ['@oven'] })
    const [stored] = network.server.instagram.media.values()
    expect(network.server.stored()).toMatchObject([
      { text: 'Warm', media: [{ type: 'image/jpeg', alt: 'A tray of simit' }] },
      { text: 'Order here', replyTo: stored?.id },
    ])
    expect(stored).toMatchObject({ owner: network.page.instagram?.id, fields: { collaborators: ['oven'] } })
    expect(post.targets[0]).toMatchObject({
      ...{ status: 'published', external_id: stored?.id },
      url: `https://www.instagram.com/p/${stored?.id}/`,
    })
  })

  test('a video is a reel, and an image and a video are a carousel', async () => {
    const { owner, server, publish } = await withAccount()
    const media_ids = [await videoId(owner)]
    await publish({ content: 'Moving', media_ids }, { share_to_feed: false, cover_second: '1.5' })
    await publish({ content: 'Both', media_ids: [await imageId(owner), ...media_ids] })
    expect([...server.instagram.media.values()]).toMatchObject([
      { kind: 'REELS', fields: { caption: 'Moving', share_to_feed: false, thumb_offset: 1500 } },
      { kind: 'CAROUSEL', files: [{ type: 'image/jpeg', alt: 'A tray of simit' }, { type: 'video/mp4' }] },
    ])
  })

  test('a story is a tall image without a text, and is found again after a lost response', async () => {
    const { owner, server, publish } = await withAccount()
    server.fault('response_lost_after_saving')
    const file = await uploaded(owner, { bytes: await testImage(90, 160) })
    const { id } = await publish({ content: '', media_ids: [file.id] }, { type: 'story' })
    t.advance(3600_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    expect([...server.instagram.media.values()]).toMatchObject([{ kind: 'STORIES' }])
  })
})

describeFaults('Instagram through Facebook', { t: () => t, connect, visible: 1, post: withImage, upload: withImage })

describeFaults('Instagram through Facebook with a comment', {
  ...{ t: () => t, connect },
  post: async (content, network) => ({
    ...(await withImage(content, network)),
    first_comment: `${content}, comment`,
  }),
})
