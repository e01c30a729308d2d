import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { httpChannel } from '../publishing/http-channel.fixture.ts'
import { advance, HOUR, publishNow, read, withBluesky } from '../publishing/publishing.fixture.ts'

const t = await testApp()
const channel = await httpChannel()
afterAll(() => channel.close())

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
    const { owner, account } = await channel.connect(t)
    channel.receiver.respondWith((response, { type }) => response.writeHead(type === 'post.delete' ? 503 : 200).end())
    const post = await publishNow(owner, { account_ids: [account] })
    await t.runJobs()
    const unpublish = async () => expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200).body
    const failed = { status: 'published', error_code: 'unpublish_failed' }
    expect(await unpublish()).toMatchObject({ status: 'published', targets: [failed] })
    channel.respondToPosts(200)
    expect(await unpublish()).toMatchObject({ status: 'unpublished', targets: [{ error_code: null }] })
  })

  test('409 for a retry while the parts of a broken thread are being deleted', async () => {
    const bluesky = await blueskyServer()
    const { owner, account } = await withBluesky(t, bluesky)
    bluesky.failNext('none', { kind: 'response', status: 400, error: 'InvalidRequest' })
    const post = await publishNow(owner, { account_ids: [account], thread: [{ content: 'Two' }] })
    await t.runJobs()
    const release = bluesky.hold('deleteRecord')
    const unpublished = owner.post(`/api/v1/posts/${post.id}/unpublish`)
    await bluesky.called('deleteRecord', 1)
    const retry = () => owner.post(`/api/v1/posts/${post.id}/retry`)
    expect(await retry()).toMatchObject({ status: 409, body: { code: 'invalid_transition', state: 'unpublishing' } })
    release()
    expect(expectStatus(await unpublished, 200).body.targets[0].status).toBe('unpublished')
    expectProblem(await retry(), 409, 'invalid_transition')
    await t.runJobs()
    expect(bluesky.records.size).toBe(0)
    bluesky.close()
  })

  test('409 not_supported_by_network where no network of the post can delete, and for a post that is not published', async () => {
    const bluesky = await blueskyServer()
    const { owner, account } = await withBluesky(t, bluesky)
    const draft = expectStatus(await owner.post('/api/v1/posts', { content: 'x', account_ids: [account] }), 201).body
    expectProblem(await owner.post(`/api/v1/posts/${draft.id}/unpublish`), 409, 'invalid_transition')
    bluesky.close()
  })
})

test('409 for an edit during which the post is deleted on its network, and its record keeps the text', async () => {
  const { owner, account } = await channel.connect(t)
  channel.respondToPosts(200)
  const post = await publishNow(owner, { account_ids: [account] })
  await t.runJobs()
  const { promise: unpublished, resolve } = Promise.withResolvers<void>()
  channel.receiver.respondWith(async (response, { type }) => {
    if (type === 'post.edit') await unpublished
    response.writeHead(200).end()
  })
  const count = channel.receiver.received.length
  const edit = owner.patch(`/api/v1/posts/${post.id}/targets/${post.targets[0]?.id}`, { content: 'Late' })
  await channel.receiver.until((received) => received.slice(count).some(({ type }) => type === 'post.edit'))
  expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
  resolve()
  expectProblem(await edit, 409, 'invalid_transition')
  expect((await read(owner, post)).targets).toMatchObject([{ status: 'unpublished', content: null }])
})

describe('a post that is partly deleted on its networks', () => {
  /** One target on the Playground, and one on a channel that responds with this status. */
  async function withTwo(status: number, fields: object = {}) {
    const { owner, account } = await channel.connect(t)
    channel.respondToPosts(status)
    const post = await publishNow(owner, { account_ids: [await playgroundAccount(owner), account], ...fields })
    await t.runJobs()
    channel.respondToPosts(200)
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
    const { owner, account } = await channel.connect(t)
    channel.respondToPosts(500)
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
