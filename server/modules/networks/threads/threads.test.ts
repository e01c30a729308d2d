import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { connectByOAuth } from '../../../../test/network-accounts.ts'
import { connectByOAuthTo, describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { threadsServer } from '../../../../test/stand-ins/threads.ts'
import { findDueGrants } from '../../accounts/grants/grants.jobs.ts'

const t = await testApp()

const HOUR = 3600_000
const DAY = 24 * HOUR

async function connect(how: { scopes?: string[] } = {}) {
  const server = await threadsServer()
  server.fetchFrom(t.deps.baseUrl, t.url)
  server.oauth.signInAs('ada', how)
  return connectByOAuthTo(t, server, 'threads')
}

async function withAccount(how: { scopes?: string[] } = {}) {
  const network = await connect(how)
  onTestFinished(network.server.close)
  const { owner, account } = network
  const publish = async (fields: object = {}, options: object = {}) => {
    const post = { content: 'Hello', targets: [{ account_id: account, options }], publish_now: true, ...fields }
    const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
    for (let wait = 0; wait < 5; wait++) {
      await t.runJobs()
      t.advance(60_000)
    }
    return (await owner.get(`/api/v1/posts/${body.id}`)).body
  }
  const check = async () => expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200).body
  return { ...network, publish, check }
}

const withImage = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [(await uploaded(owner, { fields: [['alt', 'A tray of simit']] })).id],
})

describe('connecting Threads', () => {
  test('the profile is connected at once, with a token of 60 days that a check uses', async () => {
    const { server, owner, account, check } = await withAccount()
    expect((await owner.get(`/api/v1/accounts/${account}`)).body).toMatchObject({
      ...{ name: 'Ada', handle: 'ada', url: 'https://www.threads.com/@ada', status: 'connected' },
    })
    server.rename('ada', 'lovelace')
    expect(await check()).toMatchObject({ status: 'connected', handle: 'lovelace' })
  })

  test('the token is renewed before its end', async () => {
    const { server } = await withAccount()
    server.advance(55 * DAY)
    t.advance(55 * DAY)
    await findDueGrants(t.deps)
    await t.runJobs()
    expect(server.renewals()).toBe(1)
  })

  test('a token is in no address', async () => {
    const { server, publish } = await withAccount()
    await publish()
    const tokens = server.oauth.grants.map(({ access }) => access)
    for (const { query } of server.calls)
      for (const value of query.values()) expect(tokens.some((token) => value.includes(token))).toBe(false)
  })

  test('an account whose token ended is disconnected by a check', async () => {
    const { server, check } = await withAccount()
    server.endTokens()
    expect((await check()).status).toBe('disconnected')
  })

  test('a person who refuses leaves no account', async () => {
    const { owner, server } = await withAccount()
    server.oauth.signInAs('ada', { denied: true })
    expect(await connectByOAuth(owner, 'threads')).toMatchObject({ status: 'failed' })
  })
})

describe('publishing on Threads', () => {
  test('a thread is a chain of replies, of which the first has the options', async () => {
    const { server, publish } = await withAccount()
    const fields = { thread: [{ content: 'Second' }, { content: 'Third' }] }
    const { targets } = await publish(fields, { reply_control: 'mentioned_only', topic_tag: 'Bread' })
    const [first, second, third] = [...server.posts.values()]
    expect([first?.text, second?.text, third?.text]).toEqual(['Hello', 'Second', 'Third'])
    expect([first?.replyTo, second?.replyTo, third?.replyTo]).toEqual([null, first?.id, second?.id])
    expect([first?.reply_control, first?.topic_tag, second?.reply_control, second?.topic_tag]).toEqual([
      ...['mentioned_only', 'Bread', '', ''],
    ])
    expect(targets[0]).toMatchObject({
      ...{ status: 'published', external_id: first?.id },
      url: expect.stringMatching(/^https:\/\/www\.threads\.com\/@ada\/post\//),
    })
  })

  test('Threads fetches an image from its signed address', async () => {
    const network = await withAccount()
    expect((await network.publish(await withImage('Warm', network))).status).toBe('published')
    expect(network.server.stored()).toMatchObject([
      { text: 'Warm', media: [{ type: 'image/png', alt: 'A tray of simit' }] },
    ])
  })

  test('an image and a video are one post', async () => {
    const { owner, server, publish } = await withAccount()
    const video = await uploaded(owner, { bytes: await videoFile(), name: 'a.mp4', type: 'video/mp4' })
    const media_ids = [(await uploaded(owner)).id, video.id]
    expect((await publish({ content: 'Both', media_ids })).status).toBe('published')
    expect(server.stored()).toMatchObject([{ text: 'Both', media: [{ type: 'image/png' }, { type: 'video/mp4' }] }])
  })

  test('a file that Threads cannot fetch fails the post with the reason', async () => {
    const network = await withAccount()
    network.server.fetchFrom('https://elsewhere.example', t.url)
    expect((await network.publish(await withImage('Lost', network))).targets[0]).toMatchObject({
      ...{ status: 'failed', error_code: 'rejected_by_network' },
      error_message: expect.stringContaining('FAILED_DOWNLOADING_IMAGE'),
    })
  })

  test('a post that a limit delays for half a day is published once', async () => {
    const { owner, server, publish } = await withAccount()
    server.fault('rate_limited')
    const { id } = await publish()
    t.advance(13 * 3600_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    expect(server.posts.size).toBe(1)
  })

  describe('a container that Threads does not find', () => {
    const details = { code: 24, error_subcode: 4_279_009, is_transient: false, error_user_title: 'Media Not Found' }
    const error = { ...details, message: 'The requested resource does not exist', type: 'OAuthException' }
    const notFound = { kind: 'response', status: 400, body: { error } } as const

    test('is published a moment later', async () => {
      const { server, publish } = await withAccount()
      server.failNext(notFound)
      expect((await publish()).status).toBe('published')
      expect([server.posts.size, server.containers.size]).toEqual([1, 1])
    })

    test('is made anew by a retry after half an hour', async () => {
      const { owner, server, publish } = await withAccount()
      server.failNext(notFound, notFound, notFound, notFound)
      const { id } = await publish()
      t.advance(HOUR)
      await t.runJobs()
      t.advance(HOUR)
      await t.runJobs()
      expect((await owner.get(`/api/v1/posts/${id}`)).body.targets[0]).toMatchObject({
        ...{ status: 'failed', error_code: 'rejected_by_network' },
      })
      expectStatus(await owner.post(`/api/v1/posts/${id}/retry`), 200)
      await t.runJobs()
      expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
      expect([server.posts.size, server.containers.size]).toEqual([1, 2])
    })
  })

  test('an emoji counts as its bytes', async () => {
    const { owner, account } = await withAccount()
    const post = (content: string) =>
      owner.post('/api/v1/posts', { content, account_ids: [account], publish_now: true })
    expectProblem(await post('🥯'.repeat(126)), 400, 'validation_failed')
    expectStatus(await post('🥯'.repeat(125)), 201)
  })
})

describe('deleting what is published on Threads', () => {
  test('a deletion removes every part of the thread', async () => {
    const { owner, server, publish } = await withAccount()
    const { id } = await publish({ thread: [{ content: 'Second' }] })
    expectStatus(await owner.post(`/api/v1/posts/${id}/unpublish`), 200)
    expect(server.stored().map(({ deleted }) => deleted)).toEqual([true, true])
  })

  test('a post that is deleted there counts as deleted', async () => {
    const { owner, server, publish } = await withAccount()
    const { id } = await publish()
    for (const post of server.posts.values()) post.deleted = true
    expectStatus(await owner.post(`/api/v1/posts/${id}/unpublish`), 200)
  })
})

describeFaults('Threads', { t: () => t, connect, upload: withImage })
