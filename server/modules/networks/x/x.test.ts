import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, signedIn, type WorkspaceOwner } from '../../../../test/factories.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { connectByOAuthTo, describeFaults } from '../../../../test/network-faults.ts'
import { optionCalls } from '../../../../test/options.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { accountNumbers } from '../../../../test/stand-ins/numbers.ts'
import { xServer } from '../../../../test/stand-ins/x.ts'
import { findDueAccountMetrics } from '../../accounts/metrics/read-metrics.ts'
import { publishOnX } from './x.fixture.ts'

const server = await xServer()
afterAll(() => server.close())
const t = await testApp()

const connected = () => connectByOAuthTo(t, server, 'x')

const publish = (
  { owner, account }: { owner: WorkspaceOwner; account: string },
  fields: Parameters<typeof publishOnX>[3],
) => publishOnX(t, owner, account, fields)

const uploadedVideo = async (owner: WorkspaceOwner) =>
  uploaded(owner, { bytes: await videoFile(2), name: 'video.mp4', type: 'video/mp4' })

describe('publishing on X', () => {
  test('a thread replies to itself, and the first comment to the first post', async () => {
    const network = await connected()
    const post = await publish(network, {
      content: 'One & <two> https://bakery.example/menu?a=1&b=2',
      thread: [{ content: 'Second part' }],
      first_comment: 'A comment',
      options: { reply_settings: 'following', made_with_ai: true },
    })
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    const [first, second, comment] = server.posts.slice(-3)
    expect(post.targets[0].url).toBe(`https://x.com/ada/status/${first?.id}`)
    expect([second?.parent, comment?.parent]).toEqual([first?.id, first?.id])
    expect(first?.fields).toMatchObject({ reply_settings: 'following', made_with_ai: true })
    expect([second, comment].map((reply) => reply?.fields.reply_settings)).toEqual([undefined, undefined])
  })

  test('images have their alternative texts', async () => {
    const network = await connected()
    const { id } = await uploaded(network.owner, { fields: [['alt', 'A loaf']] })
    const post = await publish(network, { content: 'With a picture', media_ids: [id] })
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    expect(server.stored().at(-1)?.media).toEqual([{ type: 'image/png', alt: 'A loaf' }])
  })

  test('a video is published once it is processed', async () => {
    const network = await connected()
    const { id } = await uploadedVideo(network.owner)
    const post = await publish(network, { content: 'With a video', media_ids: [id] })
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    expect(server.stored().at(-1)?.media).toEqual([{ type: 'video/mp4', alt: null }])
  })

  test('a published thread can be deleted with its comment', async () => {
    const network = await connected()
    const post = await publish(network, {
      content: 'Soon gone',
      thread: [{ content: 'This too' }],
      first_comment: 'And this',
    })
    expectStatus(await network.owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(server.posts.slice(-3).map(({ deleted }) => deleted)).toEqual([true, true, true])
  })

  test('a text that is there already fails, with the reason of X', async () => {
    const network = await connected()
    await publish(network, { content: 'The same text' })
    for (const post of server.posts) post.at -= 60_000
    const [target] = (await publish(network, { content: 'The same text' })).targets
    expect(target).toMatchObject({ status: 'failed', error_code: 'rejected_by_network' })
    expect(target.error_message).toContain('duplicate')
  })

  test('a post waits while the app has no credit, and is published afterwards', async () => {
    const network = await connected()
    server.setCredit(false)
    const post = await publish(network, { content: 'Costs money' })
    expect(post.targets[0]).toMatchObject({ status: 'pending', error_message: expect.stringContaining('no credit') })
    server.setCredit(true)
    t.advance(3600_000)
    await t.runJobs()
    const { targets } = (await network.owner.get(`/api/v1/posts/${post.id}`)).body
    expect(targets[0].status).toBe('published')
  })

  test('a lost post is found although X rewrites its links', async () => {
    const network = await connected()
    server.failNext({ kind: 'hang_up', arrives: true })
    const before = server.posts.length
    const content = "See bakery.com, https://bakery.example/?a=$&b=$' & <us>"
    const post = await publish(network, { content })
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    expect(server.posts.slice(before).map(({ text }) => text)).toEqual([content])
  })

  test.each([
    ['new', false],
    ['old', true],
  ])('a lost reply is found, and numbers are read, under the %s names of the API', async (names, isOld) => {
    const network = await connected()
    server.useOldNames(isOld)
    onTestFinished(() => server.useOldNames(false))
    server.failNext('none', { kind: 'hang_up', arrives: true })
    const before = server.posts.length
    const post = await publish(network, { content: `A thread ${names}`, thread: [{ content: `Its reply ${names}` }] })
    expect(post.targets[0]).toMatchObject({ status: 'published' })
    expect(server.posts).toHaveLength(before + 2)
    await findDueAccountMetrics(t.deps)
    await t.runJobs()
    const { body } = expectStatus(await network.owner.get(`/api/v1/accounts/${network.account}/metrics`), 200)
    expect(body.metrics).toMatchObject({ posts: accountNumbers.posts })
  })

  test('a text of 281 weighted characters is refused before it is sent', async () => {
    const { owner, account } = await connected()
    const schedule = (content: string) =>
      owner.post('/api/v1/posts', { content, account_ids: [account], publish_now: true })
    expect((await schedule('パ'.repeat(141))).status).toBe(400)
    expectStatus(await schedule(`${'パ'.repeat(128)} https://bakery.com/a/very/long/address`), 201)
    await t.runJobs()
  })
})

describe('the price of a post on X', () => {
  const priceOf = async ({ owner, account }: Awaited<ReturnType<typeof connected>>, post: object) => {
    const body = { targets: [{ account_id: account }, { account_id: await playgroundAccount(owner) }], ...post }
    const { targets } = expectStatus(await owner.post('/api/v1/posts/validate', body), 200).body
    return targets.map(({ price_usd_micros }: Record<string, unknown>) => price_usd_micros)
  }

  test('counts each text, a link with or without https://, and each alternative text', async () => {
    const network = await connected()
    expect(await priceOf(network, { content: 'One' })).toEqual([15_000, null])
    expect(await priceOf(network, { content: 'See https://bakery.com/menu' })).toEqual([200_000, null])
    const { id: described } = await uploaded(network.owner, { fields: [['alt', 'A loaf']] })
    const { id: other } = await uploadedVideo(network.owner)
    const thread = [
      { content: 'See bakery.com', media_ids: [described] },
      { content: 'index.html', media_ids: [other] },
    ]
    expect(await priceOf(network, { content: 'One', thread, first_comment: 'Two' })).toEqual([
      15_000 + 200_000 + 5000 + 15_000 + 15_000,
      null,
    ])
  })

  test('follows the prices that an instance admin sets', async () => {
    const network = await connected()
    const pricing = async () => {
      const { data } = expectStatus(await network.owner.get('/api/v1/accounts/networks'), 200).body
      return data.find(({ id }: { id: string }) => id === 'x').pricing
    }
    expect(await pricing()).toMatchObject({ post: 15_000, as_of: '2026-08-22', is_changed: false })
    const root = await signedIn(t, { instanceAdmin: true })
    const { setOption, withOption } = optionCalls(() => ({ t, root }))
    expectProblem(await setOption('networks.prices', 'x.post=dear'), 400, 'validation_failed')
    await withOption('networks.prices', 'x.post=0.0201, x.alt_text=0', async () => {
      expect(await priceOf(network, { content: 'One' })).toEqual([20_100, null])
      expect(await pricing()).toMatchObject({ post: 20_100, post_with_link: 200_000, alt_text: 0, is_changed: true })
    })
  })
})

describeFaults('X', {
  t: () => t,
  connect: async () => connectByOAuthTo(t, await xServer(), 'x'),
  upload: async (text, { owner }) => ({ content: text, media_ids: [(await uploadedVideo(owner)).id] }),
})
