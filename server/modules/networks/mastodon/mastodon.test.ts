import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { mastodonServer } from '../../../../test/stand-ins/mastodon.ts'

const t = await testApp()
const owner = await withWorkspace(t)

type Software = NonNullable<Parameters<typeof mastodonServer>[0]>

/** An account of a new workspace on a separate server. */
async function connectTo(software: Software = {}) {
  const server = await mastodonServer(software)
  const fields = { network: 'mastodon', server: server.url, access_token: server.addAccount().token }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  return { server, owner, account: body.id as string, connected: body }
}

async function withServer(software: Software = {}) {
  const network = await connectTo(software)
  onTestFinished(network.server.close)
  const publish = async (fields: object = {}, options: object = {}) => {
    const targets = [{ account_id: network.account, options }]
    const post = { content: 'Hello', targets, publish_now: true, ...fields }
    const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
    await t.runJobs()
    return (await owner.get(`/api/v1/posts/${body.id}`)).body
  }
  const live = () => [...network.server.posts.values()].filter(({ deleted }) => !deleted)
  return { ...network, publish, live }
}

describe('connecting a Mastodon account', () => {
  test('an account is named by its server, and takes what its server allows', async () => {
    const { server, connected } = await withServer({ software: 'gotosocial' })
    const { host } = new URL(server.url)
    expect(connected).toMatchObject({
      handle: `person1@${host}`,
      url: `${server.url}/@person1`,
      limits: {
        max_length: 5000,
        link_length: null,
        short_mentions: false,
        counting: 'code_points',
        media: { max: 6, mixed: true, kinds: { image: { max: 6, max_bytes: 40 * 1024 ** 2 } } },
      },
    })
  })

  test.each(['mastodon', 'pleroma', 'pixelfed'] as const)(
    'the limits of %s are read from its server',
    async (software) => {
      const { connected } = await withServer({ software })
      expect(connected.limits).toMatchObject({
        max_length: software === 'pleroma' ? 5000 : 500,
        link_length: software === 'mastodon' ? 23 : null,
        media: { required: software === 'pixelfed' },
      })
    },
  )

  test('a check reads the limits of the server again', async () => {
    const { account } = await withServer()
    await t.deps.db.updateTable('account').set({ limits: '{}' }).where('id', '=', account).execute()
    const { body } = expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200)
    expect(body).toMatchObject({ status: 'connected', limits: { max_length: 500 } })
  })

  test('what is wrong is named at its field', async () => {
    const { server } = await withServer()
    const connect = (fields: object) =>
      owner.post('/api/v1/accounts', { network: 'mastodon', server: server.url, access_token: 'none', ...fields })
    expectProblem(await connect({}), 400, 'account_refused', '/access_token')
    expectProblem(await connect({ access_token: 'a b' }), 400, 'account_refused', '/access_token')
    expectProblem(await connect({ server: 'http://10.0.0.1' }), 400, 'url_not_allowed', '/server')
    expectProblem(await connect({ server: 'http://127.0.0.1:9' }), 400, 'account_unreachable', '/server')
    for (const missing of ['read:accounts', 'read:statuses', 'write:statuses', 'write:media']) {
      const scopes = ['read:accounts', 'read:statuses', 'write:statuses', 'write:media']
      const { token } = server.addAccount(scopes.filter((scope) => scope !== missing))
      expectProblem(await connect({ access_token: token }), 400, 'account_refused', '/access_token')
    }
    server.failAlways({ kind: 'garbage' })
    expectProblem(await connect({}), 400, 'account_unreachable', '/server')
  })
})

const hostile = { id: '7', username: 'bakery', display_name: '\0Simit\0', url: `https://x/${'a'.repeat(9000)}` }

test('how a server describes an account and a post is stored as it can be shown', async () => {
  const { server } = await withServer()
  server.failAlways({ kind: 'response', status: 200, body: hostile })
  const form = { network: 'mastodon', server: server.url, access_token: 'token' }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', form), 201)
  expect(body).toMatchObject({ name: 'Simit', url: null })
  expectStatus(await owner.delete(`/api/v1/accounts/${body.id}`), 204)
  server.failAlways({ kind: 'response', status: 401, body: { error: `a\0${'<'.repeat(100_000)}` } })
  const { errors } = expectProblem(await owner.post('/api/v1/accounts', form), 400, 'account_refused', '/access_token')
  expect(errors[0].message.length).toBeLessThan(500)
  expect(errors[0].message).not.toContain('\0')
})

describe('publishing to Mastodon', () => {
  test('an address that no browser should open is not stored', async () => {
    const { server, publish } = await withServer()
    server.failNext({ kind: 'response', status: 200, body: { id: '7', url: 'javascript:alert(1)//\0' } })
    const { status, targets } = await publish()
    expect([status, targets[0].external_id, targets[0].url]).toEqual(['published', '7', null])
  })

  test('a post has its settings, and so do the other parts and the comment', async () => {
    const { publish, live } = await withServer()
    const options = { visibility: 'unlisted', spoiler_text: 'Food', sensitive: true, language: 'tr' }
    const { status, targets } = await publish({ thread: [{ content: 'Two' }], first_comment: 'Comment' }, options)
    expect([status, targets[0].published_parts]).toEqual(['published', 2])
    const [one, two] = live()
    expect(targets[0]).toMatchObject({ external_id: one?.id, url: expect.stringContaining(`/@person1/${one?.id}`) })
    const settings = { visibility: 'unlisted', spoiler: 'Food', sensitive: true, language: 'tr' }
    expect(live()).toMatchObject([
      { ...settings, text: 'Hello', replyTo: null },
      { ...settings, text: 'Two', replyTo: one?.id },
      { ...settings, text: 'Comment', replyTo: one?.id },
    ])
    expect(two?.replyTo).toBe(one?.id)
  })

  test('a content warning counts towards the length, and a link as 23 characters', async () => {
    const { account, publish } = await withServer()
    const link = `https://example.com/${'x'.repeat(200)}`
    const content = `${'x'.repeat(470)} ${link}`
    const post = (spoiler_text: string) => ({
      content,
      targets: [{ account_id: account, options: { spoiler_text } }],
      publish_now: true,
    })
    expectProblem(await owner.post('/api/v1/posts', post('7 chars')), 400, 'validation_failed', '/content')
    expect((await publish({ content }, { spoiler_text: '6 char' })).status).toBe('published')
  })

  test.each([`https://example.com/${'x'.repeat(38)}`, '@ada@mastodon.example'])(
    'a content warning counts as written: %s',
    async (spoiler_text) => {
      const { account } = await withServer()
      const validated = async (length: number) => {
        const targets = [{ account_id: account, options: { spoiler_text } }]
        const body = { content: 'x'.repeat(length), targets }
        return expectStatus(await owner.post('/api/v1/posts/validate', body), 200).body.problems
      }
      const room = 500 - spoiler_text.length
      expect(await validated(room)).toEqual([])
      expect(await validated(room + 1)).toMatchObject([{ code: 'too_long', pointer: '/content' }])
    },
  )

  test('a file that the server still processes although it was ready is waited for', async () => {
    const { server, publish, live } = await withServer()
    const error = 'Cannot attach files that have not finished processing. Try again in a moment!'
    server.failNext({ kind: 'response', status: 422, error })
    const { id, status } = await publish(await withImage('Soon ready'))
    expect(status).toBe('publishing')
    t.advance(60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    expect(live()).toHaveLength(1)
    expect(server.calls.filter(({ files }) => files.length > 0)).toHaveLength(1)
  })

  test('a limit is waited for as long as the server says by its own clock', async () => {
    const { server, account, publish } = await withServer({ retryAfterSeconds: 600 })
    server.fault('rate_limited')
    expect((await publish()).targets[0]).toMatchObject({ status: 'pending', error_code: 'network_unavailable' })
    const { held_until } = await t.deps.db
      .selectFrom('account')
      .select('held_until')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
    const wait_s = ((held_until?.getTime() ?? 0) - t.clock.now().getTime()) / 1000
    expect(wait_s).toBeGreaterThan(590)
    expect(wait_s).toBeLessThanOrEqual(601)
  })
})

describe('changing what is published on Mastodon', () => {
  const pathOf = ({ id, targets }: { id: string; targets: { id: string }[] }) =>
    `/api/v1/posts/${id}/targets/${targets[0]?.id}`

  test.each(['mastodon', 'gotosocial', 'pleroma'] as const)(
    'an edit on %s changes the text, and keeps files, warning and language',
    async (software) => {
      const { publish, live } = await withServer({ software })
      const { id } = await uploaded(owner, { fields: [['alt', 'A tray']] })
      const options = { spoiler_text: 'Food & <drinks>', sensitive: true, language: 'tr' }
      const post = await publish({ media_ids: [id] }, options)
      const { body } = expectStatus(await owner.patch(pathOf(post), { content: 'Edited' }), 200)
      expect(body.targets[0].content).toBe('Edited')
      const kept = { spoiler: 'Food & <drinks>', sensitive: true, language: 'tr', media: [{ alt: 'A tray' }] }
      expect(live()).toMatchObject([{ text: 'Edited', ...kept }])
    },
  )

  test('400 for an edit that is too long together with the content warning', async () => {
    const { server, publish, live } = await withServer()
    const post = await publish({}, { spoiler_text: '6 char' })
    const edit = (length: number) => owner.patch(pathOf(post), { content: 'x'.repeat(length) })
    expectProblem(await edit(495), 400, 'validation_failed', '/content')
    expect(server.calls.some(({ method }) => method === 'PUT')).toBe(false)
    expectStatus(await edit(494), 200)
    expect(live()[0]?.text).toHaveLength(494)
  })

  test('400 with the reason of the server for an edit of a post that is deleted there', async () => {
    const { server, publish } = await withServer()
    const post = await publish()
    for (const each of server.posts.values()) each.deleted = true
    expectProblem(await owner.patch(pathOf(post), { content: 'Edited' }), 400, 'validation_failed', '/content')
  })

  test('unpublishing deletes the comment and the parts, the last first, with their files', async () => {
    const { server, publish, live } = await withServer()
    const { id } = await publish({ thread: [{ content: 'Two' }, { content: 'Three' }], first_comment: 'Four' })
    const ids = live().map((post) => post.id)
    const third = server.posts.get(ids[2] ?? '')
    if (third) third.deleted = true
    expect(expectStatus(await owner.post(`/api/v1/posts/${id}/unpublish`), 200).body.status).toBe('unpublished')
    expect(live()).toEqual([])
    const deleted = server.calls.filter(({ method }) => method === 'DELETE')
    expect(deleted.map(({ path }) => path.split('/').at(-1))).toEqual(ids.toReversed())
    expect(deleted.every(({ query }) => query.get('delete_media') === 'true')).toBe(true)
  })
})

/** Fields of a post with a video, which servers take a while to process. */
async function withVideo(content: string) {
  const sent = {
    bytes: await videoFile(),
    name: 'a.mp4',
    type: 'video/mp4',
    fields: [['alt', 'A video']] as [string, string][],
  }
  return { content, media_ids: [(await uploaded(owner, sent)).id] }
}

describeFaults('mastodon', { t: () => t, connect: () => connectTo(), upload: withVideo })
for (const software of ['gotosocial', 'pleroma'] as const)
  describeFaults(software, { t: () => t, connect: () => connectTo({ software }) })

const withImage = async (content: string) => ({ content, media_ids: [(await uploaded(owner)).id] })
describeFaults('pixelfed', {
  t: () => t,
  connect: () => connectTo({ software: 'pixelfed' }),
  post: async (text) => ({ ...(await withImage(text)), thread: [await withImage(`${text}, second part`)] }),
  upload: withVideo,
})

test('Pixelfed gets a file with every part and no key, which it would refuse the second time', async () => {
  const { account, server, publish } = await withServer({ software: 'pixelfed' })
  const post = { content: 'No file', account_ids: [account], publish_now: true }
  expectProblem(await owner.post('/api/v1/posts', post), 400, 'validation_failed', '/media_ids')
  expect((await publish(await withImage('A file'))).status).toBe('published')
  const sent = server.calls.filter(({ method, path }) => method === 'POST' && path === '/api/v1/statuses')
  expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined])
})
