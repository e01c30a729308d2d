import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { connectByOAuth, setUpApp } from '../../../../test/network-accounts.ts'
import { connectByOAuthTo, describeFaults } from '../../../../test/network-faults.ts'
import { linkedinServer } from '../../../../test/stand-ins/linkedin.ts'

type Server = Awaited<ReturnType<typeof linkedinServer>>

const pages = {
  ada: [
    { id: '501', name: 'Bakery', role: 'ADMINISTRATOR' },
    { id: '502', name: 'Mill', role: 'CONTENT_ADMINISTRATOR' },
    { id: '503', name: 'Museum', role: 'ANALYST' },
  ],
}

let t: TestApp
let forPages: TestApp
let members: Server
let companies: Server
beforeAll(async () => {
  members = await linkedinServer()
  companies = await linkedinServer({ pages })
  t = await testApp()
  forPages = await testApp({ NETWORK_ORIGINS: `linkedin=${companies.url}` })
})
afterAll(async () => {
  await Promise.all([t.close(), forPages.close()])
  members.close()
  companies.close()
})

const connected = () => connectByOAuthTo(t, members, 'linkedin')

async function publish({ owner, account }: { owner: WorkspaceOwner; account: string }, fields: object, on = t) {
  const { options = {}, ...post } = fields as { options?: object }
  const body = { targets: [{ account_id: account, options }], publish_now: true, ...post }
  const { body: created } = expectStatus(await owner.post('/api/v1/posts', body), 201)
  await on.runJobs()
  for (let minute = 0; minute < 3; minute++) {
    on.advance(60_000)
    await on.runJobs()
  }
  return (await owner.get(`/api/v1/posts/${created.id}`)).body
}

const uploadedVideo = async (owner: WorkspaceOwner) =>
  uploaded(owner, { bytes: await videoFile(3), name: 'video.mp4', type: 'video/mp4' })

const last = (server: Server) => server.posts.at(-1)

describe('publishing to a profile', () => {
  test('readers see the text as it was written, with its hashtags', async () => {
    const network = await connected()
    const content =
      'Prices (today) [new] {a|b} a_b *c* <d> ~e~ @f \\g #bread C# issue#4 “#simit” "#çay" [#fırın] ‘#tatlı’'
    const post = await publish(network, { content })
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    expect(last(members)?.text).toBe(content)
    for (const tag of [' #bread ', '“#simit”', '"#çay"', '#fırın', '‘#tatlı’'])
      expect(last(members)?.commentary).toContain(tag)
    expect(last(members)?.commentary).not.toMatch(/\\#(simit|çay|fırın|tatlı)/)
    expect(post.targets[0].url).toBe(`https://www.linkedin.com/feed/update/${last(members)?.id}/`)
  })

  test('a mention of a page goes with its id, and its name counts', async () => {
    const network = await connected()
    const content = 'With @[Simit & Co. (Ankara)](urn:li:organization:2414183), not @[me](urn:li:person:1) #tag'
    const checked = await network.owner.post('/api/v1/posts/validate', { content, account_ids: [network.account] })
    expect(expectStatus(checked, 200).body.targets[0].parts[0].length).toBe(
      content.length - '@[](urn:li:organization:2414183)'.length,
    )
    await publish(network, { content })
    expect(last(members)?.text).toBe('With Simit & Co. (Ankara), not @[me](urn:li:person:1) #tag')
    expect(last(members)?.commentary).toContain('@[Simit & Co. \\(Ankara\\)](urn:li:organization:2414183), not')
  })

  test('a post can be for connections only, with a card for a link', async () => {
    const network = await connected()
    const options = { visibility: 'CONNECTIONS', title: 'Our bread', article_url: 'https://bakery.example/bread' }
    await publish(network, { content: 'Fresh today', options })
    expect(last(members)?.content).toEqual({
      article: { source: 'https://bakery.example/bread', title: 'Our bread' },
    })
    expect(members.calls.findLast(({ path }) => path === '/rest/posts')?.fields.visibility).toBe('CONNECTIONS')
  })

  test.each([1, 3])('%d images have their alternative texts', async (count) => {
    const network = await connected()
    const media = await Promise.all(
      Array.from({ length: count }, (_, index) => uploaded(network.owner, { fields: [['alt', `Bread ${index}`]] })),
    )
    const post = await publish(network, { content: `With ${count} pictures`, media_ids: media.map(({ id }) => id) })
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    expect(members.stored().at(-1)?.media).toEqual(media.map((_, index) => ({ type: 'image', alt: `Bread ${index}` })))
  })

  test('a video is published once it is processed', async () => {
    const network = await connected()
    const { id } = await uploadedVideo(network.owner)
    const post = await publish(network, { content: 'A video', media_ids: [id] })
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    expect(members.stored().at(-1)?.media).toMatchObject([{ type: 'video' }])
  })

  test('a published post can be deleted', async () => {
    const network = await connected()
    const post = await publish(network, { content: 'Soon gone' })
    expectStatus(await network.owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(last(members)?.deleted).toBe(true)
  })

  test('a text that is there already fails, with the reason of LinkedIn', async () => {
    const network = await connected()
    await publish(network, { content: 'The same text' })
    const post = await publish(network, { content: 'The same text' })
    expect(post.targets[0]).toMatchObject({ status: 'failed', error_code: 'rejected_by_network' })
    expect(post.targets[0].error_message).toContain('duplicate')
  })

  test('whether a lost text arrived that was changed since is decided by a person, and nothing is sent', async () => {
    const { owner, account } = await connected()
    const sent = () => members.calls.filter(({ method, path }) => method === 'POST' && path === '/rest/posts').length
    const read = async (id: string) => (await owner.get(`/api/v1/posts/${id}`)).body
    members.failNext({ kind: 'hang_up', arrives: true })
    const post = { content: 'Lost', account_ids: [account], publish_now: true }
    const { id } = expectStatus(await owner.post('/api/v1/posts', post), 201).body
    await t.runJobs()
    members.failAlways({ kind: 'response', status: 503 })
    t.advance(25 * 3600_000)
    await t.runJobs()
    members.failAlways()
    expect((await read(id)).targets[0]).toMatchObject({ status: 'failed', error_code: 'unconfirmed' })
    const before = sent()
    expectStatus(await owner.patch(`/api/v1/posts/${id}`, { content: 'Corrected' }), 200)
    expectStatus(await owner.post(`/api/v1/posts/${id}/publish`), 200)
    await t.runJobs()
    expect((await read(id)).targets[0]).toMatchObject({ status: 'unconfirmed', needs_resolution: true })
    expect(sent()).toBe(before)
  })

  test('a version of the API that has ended keeps posts waiting, and names the setting', async () => {
    const ended = await testApp({ NETWORK_VERSIONS: 'linkedin=202501', NETWORK_ORIGINS: `linkedin=${members.url}` })
    await setUpApp(ended, 'linkedin', members.oauth)
    const owner = await withWorkspace(ended)
    const { account_ids } = await connectByOAuth(owner, 'linkedin')
    const { body } = await owner.post('/api/v1/posts', { content: 'Hi', account_ids, publish_now: true })
    await ended.runJobs()
    const { targets } = (await owner.get(`/api/v1/posts/${body.id}`)).body
    expect(targets[0]).toMatchObject({ status: 'pending', error_message: expect.stringContaining('NETWORK_VERSIONS') })
    await ended.close()
  })
})

describe('publishing to a page', () => {
  beforeEach(() => setUpApp(forPages, 'linkedin_page', companies.oauth))

  test('offers the pages for which the person may publish', async () => {
    const owner = await withWorkspace(forPages)
    const { account_ids } = await connectByOAuth(owner, 'linkedin_page')
    const { body } = await owner.get('/api/v1/accounts')
    expect(account_ids.length).toBe(2)
    expect(body.data.map(({ name, handle }: { name: string; handle: string }) => [name, handle]).sort()).toEqual([
      ['Bakery', 'bakery'],
      ['Mill', 'mill'],
    ])
  })

  test('a first comment stands below the post', async () => {
    const owner = await withWorkspace(forPages)
    const { account_ids } = await connectByOAuth(owner, 'linkedin_page')
    const network = { owner, account: account_ids[0] }
    const post = await publish(network, { content: 'New hours', first_comment: 'From Monday on' }, forPages)
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    expect(companies.comments.at(-1)).toEqual({ urn: last(companies)?.id, text: 'From Monday on' })
  })

  test('a page that was taken away from the person is disconnected by a check', async () => {
    const server = await linkedinServer({ pages: { ada: [...pages.ada] } })
    const network = await connectByOAuthTo(forPages, server, 'linkedin_page', { origin: 'linkedin' })
    server.takePages()
    const { body } = expectStatus(await network.owner.post(`/api/v1/accounts/${network.account}/check`), 200)
    expect(body).toMatchObject({ status: 'disconnected', status_detail: expect.stringContaining('page') })
    server.close()
  })
})

const single = (text: string) => ({ content: text })

describeFaults('LinkedIn', {
  t: () => t,
  connect: async () => connectByOAuthTo(t, await linkedinServer(), 'linkedin'),
  post: single,
  visible: 1,
  upload: async (text, { owner }) => ({ content: text, media_ids: [(await uploadedVideo(owner)).id] }),
  canLookUp: true,
})

describeFaults('LinkedIn pages', {
  t: () => forPages,
  connect: async () =>
    connectByOAuthTo(forPages, await linkedinServer({ pages }), 'linkedin_page', { origin: 'linkedin' }),
  post: single,
  visible: 1,
  canLookUp: true,
})
