import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { webhookReceiver } from '../../../test/receiver.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { newWebhookSecret } from '../../lib/crypto/webhook-signature.ts'
import { advance, eventsOf, HOUR, publishNow, read, withBluesky } from './publishing/publishing.fixture.ts'

let t: TestApp
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
beforeAll(async () => {
  t = await testApp()
  receiver = await webhookReceiver()
})
afterAll(async () => {
  await t.close()
  receiver.close()
})

/** Responds to posts with this status, and accepts all else. */
const answerPosts = (status: number) =>
  receiver.answerWith((response, { type }) => response.writeHead(type === 'post.publish' ? status : 200).end())

async function withChannel() {
  const owner = await withWorkspace(t)
  const form = { network: 'http', url: receiver.url, secret: newWebhookSecret() }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', form), 201)
  return { owner, account: body.id as string }
}

/** A post whose response was lost on a network that cannot be asked. */
async function withLostPost() {
  const { owner, account } = await withChannel()
  answerPosts(500)
  const post = await publishNow(owner, { account_ids: [account] })
  await t.runJobs()
  answerPosts(200)
  const { targets } = await read(owner, post)
  expect(targets).toMatchObject([{ status: 'unconfirmed', needs_resolution: true }])
  return { owner, post, path: `/api/v1/posts/${post.id}/targets/${targets[0]?.id}/resolve` }
}

const sentPosts = () => receiver.received.filter(({ type }) => type === 'post.publish').length

describe('POST /posts/:id/targets/:target_id/resolve', () => {
  test('200 publishes a target that a member found on the network, and sends nothing again', async () => {
    const { owner, post, path } = await withLostPost()
    const before = sentPosts()
    const url = 'https://blog.example/1'
    expectStatus(await owner.post(path, { published: true, url }), 200)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({
      status: 'published',
      targets: [{ status: 'published', needs_resolution: false, url }],
    })
    expect(sentPosts()).toBe(before)
    expect((await eventsOf(t, owner)).map(({ type, data }) => data.change ?? type)).toEqual([
      'post.created',
      'target_resolved',
      'post.published',
    ])
  })

  test('200 fails a target that is not on the network, and a retry sends it again', async () => {
    const { owner, post, path } = await withLostPost()
    const before = sentPosts()
    expectStatus(await owner.post(path, { published: false }), 200)
    expect(await read(owner, post)).toMatchObject({ status: 'failed', targets: [{ error_code: 'not_published' }] })
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    expect(sentPosts()).toBe(before + 1)
  })

  test('409 for a target that needs no resolution, 404 for an unknown one, and 403 for the post of another author', async () => {
    const { owner, post, path } = await withLostPost()
    const other = await memberOf(t, owner.workspace_id, 'author')
    expectProblem(await other.post(path, { published: true }), 403, 'forbidden_role')
    expectStatus(await owner.post(path, { published: false }), 200)
    expectProblem(await owner.post(path, { published: false }), 409, 'invalid_transition')
    const unknown = `/api/v1/posts/${post.id}/targets/${post.id}/resolve`
    expectProblem(await owner.post(unknown, { published: true }), 404, 'not_found')
  })

  test('after a day without a resolution the target fails, and a retry must confirm that it is not published', async () => {
    const { owner, post } = await withLostPost()
    const before = sentPosts()
    await advance(t, 24 * HOUR)
    expect(await read(owner, post)).toMatchObject({ status: 'failed', targets: [{ error_code: 'unconfirmed' }] })
    const retry = (body?: object) => owner.post(`/api/v1/posts/${post.id}/retry`, body)
    expectProblem(await retry(), 409, 'confirmation_required')
    expectStatus(await retry({ confirm_not_published: true }), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    expect(sentPosts()).toBe(before + 1)
  })
})

const timelineOf = async (owner: WorkspaceOwner) =>
  (await owner.get('/api/v1/playground')).body.data.map(({ content }: { content: string }) => content)

async function withPublished(fields: object = {}) {
  const owner = await withWorkspace(t)
  const post = await publishNow(owner, { account_ids: [await playgroundAccount(owner)], ...fields })
  await t.runJobs()
  return { owner, post, target: (await read(owner, post)).targets[0]?.id }
}

describe('POST /posts/:id/unpublish', () => {
  test('200 deletes the post with its thread on its network, once and for all', async () => {
    const { owner, post } = await withPublished({ thread: [{ content: 'Two' }], first_comment: 'Three' })
    expect(await timelineOf(owner)).toHaveLength(3)
    const { body } = expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(body).toMatchObject({ status: 'unpublished', targets: [{ status: 'unpublished', published_parts: 0 }] })
    expect(await timelineOf(owner)).toEqual([])
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 409, 'invalid_transition')
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/retry`), 409, 'invalid_transition')
    expectStatus(await owner.delete(`/api/v1/posts/${post.id}`), 204)
  })

  test('200 leaves a target published with the error when its network fails, and a further call deletes it', async () => {
    const { owner, account } = await withChannel()
    receiver.answerWith((response, { type }) => response.writeHead(type === 'post.delete' ? 503 : 200).end())
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    const unpublish = async () => expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200).body
    const failed = { status: 'published', error_code: 'unpublish_failed' }
    expect(await unpublish()).toMatchObject({ status: 'published', targets: [failed] })
    answerPosts(200)
    expect(await unpublish()).toMatchObject({ status: 'unpublished', targets: [{ error_code: null }] })
  })

  test('409 not_supported_by_network where no network of the post can delete, and for a post that is not published', async () => {
    const bluesky = await blueskyServer()
    const { owner, account } = await withBluesky(t, bluesky)
    const draft = expectStatus(await owner.post('/api/v1/posts', { content: 'x', account_ids: [account] }), 201).body
    expectProblem(await owner.post(`/api/v1/posts/${draft.id}/unpublish`), 409, 'invalid_transition')
    bluesky.close()
  })
})

describe('a post that is partly deleted on its networks', () => {
  /** One target on the Playground, and one on a channel that responds with this status. */
  async function withTwo(status: number, fields: object = {}) {
    const { owner, account } = await withChannel()
    answerPosts(status)
    const post = await publishNow(owner, { account_ids: [await playgroundAccount(owner), account], ...fields })
    await t.runJobs()
    answerPosts(200)
    return { owner, post }
  }

  test('its failed target can be retried, and the post ends', async () => {
    const { owner, post } = await withTwo(400)
    const { body } = expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expect(body).toMatchObject({ status: 'failed', targets: [{ status: 'unpublished' }, { status: 'failed' }] })
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
  })

  test('409 while the response of one target is lost, because nobody knows what to delete', async () => {
    const { owner, post } = await withTwo(500)
    await advance(t, 24 * HOUR)
    expect(await read(owner, post)).toMatchObject({ status: 'partially_published' })
    const refused = { status: 409, body: { code: 'invalid_transition' } }
    await t.deps.db.updateTable('post_target').set({ published_parts: 1 }).where('post_id', '=', post.id).execute()
    expect(await owner.post(`/api/v1/posts/${post.id}/unpublish`)).toMatchObject(refused)
  })

  test('an account on which the post may be cannot be removed from it', async () => {
    const { owner, account } = await withChannel()
    answerPosts(500)
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    await advance(t, 24 * HOUR)
    await t.deps.db.updateTable('post_target').set({ error_code: 'x' }).where('post_id', '=', post.id).execute()
    expectProblem(
      await owner.patch(`/api/v1/posts/${post.id}`, { account_ids: [] }),
      400,
      'validation_failed',
      '/account_ids',
    )
  })
})

describe('PATCH /posts/:id/targets/:target_id', () => {
  test('200 changes the text on the network and in Meydan', async () => {
    const { owner, post, target } = await withPublished()
    const { body } = expectStatus(
      await owner.patch(`/api/v1/posts/${post.id}/targets/${target}`, { content: 'Edited' }),
      200,
    )
    expect(body).toMatchObject({ status: 'published', content: 'Hello', targets: [{ content: 'Edited' }] })
    expect(await timelineOf(owner)).toEqual(['Edited'])
  })

  test('400 for a text that the network does not take, and 404 for a target that is not published', async () => {
    const { owner, post, target } = await withPublished()
    const edit = (id: unknown, content: string) => owner.patch(`/api/v1/posts/${post.id}/targets/${id}`, { content })
    expectProblem(await edit(target, 'x'.repeat(5001)), 400, 'validation_failed', '/content')
    expectProblem(await edit(post.id, 'x'), 404, 'not_found')
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
    expectProblem(await edit(target, 'x'), 409, 'invalid_transition')
  })
})

describe('POST /posts/validate', () => {
  test('200 lists every problem with its field and counts each text as its network does, and keeps nothing', async () => {
    const bluesky = await blueskyServer()
    const { owner, account } = await withBluesky(t, bluesky)
    const { body } = expectStatus(
      await owner.post('/api/v1/posts/validate', {
        content: '👨‍👩‍👧'.repeat(2),
        thread: [{ content: 'x'.repeat(301) }],
        first_comment: 'Me',
        targets: [{ account_id: account }, { account_id: await playgroundAccount(owner), content: ' ' }],
      }),
      200,
    )
    expect(body.problems.map(({ pointer, code }: Record<string, string>) => [pointer, code])).toEqual([
      ['/thread/0/content', 'too_long'],
      ['/first_comment', 'invalid'],
      ['/targets/1/content', 'too_short'],
    ])
    expect(body.targets[0].parts).toEqual([
      { length: 2, max_length: 300 },
      { length: 301, max_length: 300 },
    ])
    expect((await owner.get('/api/v1/posts')).body.data).toEqual([])
    bluesky.close()
  })

  test('200 lists an account that does not exist', async () => {
    const owner = await withWorkspace(t)
    const stranger = await playgroundAccount(await withWorkspace(t))
    const { body } = expectStatus(
      await owner.post('/api/v1/posts/validate', { content: 'x', account_ids: [stranger] }),
      200,
    )
    expect(body).toMatchObject({ problems: [{ pointer: '/account_ids/0' }], targets: [] })
  })
})
