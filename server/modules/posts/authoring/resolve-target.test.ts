import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { httpChannel } from '../publishing/http-channel.fixture.ts'
import { advance, eventsOf, HOUR, publishNow, read } from '../publishing/publishing.fixture.ts'

const t = await testApp()
const channel = await httpChannel()
afterAll(() => channel.close())

/** A post whose response was lost on a network that cannot be asked. */
async function withLostPost() {
  const { owner, account } = await channel.connect(t)
  channel.respondToPosts(500)
  const post = await publishNow(owner, { account_ids: [account] })
  await t.runJobs()
  channel.respondToPosts(200)
  const { targets } = await read(owner, post)
  expect(targets).toMatchObject([{ status: 'unconfirmed', needs_resolution: true }])
  return { owner, post, path: `/api/v1/posts/${post.id}/targets/${targets[0]?.id}/resolve` }
}

describe('POST /posts/:id/targets/:target_id/resolve', () => {
  test('200 publishes a target that a member found on the network, and sends nothing again', async () => {
    const { owner, post, path } = await withLostPost()
    const before = channel.sentPosts()
    const url = 'https://blog.example/1'
    expectStatus(await owner.post(path, { published: true, url }), 200)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({
      status: 'published',
      targets: [{ status: 'published', needs_resolution: false, url }],
    })
    expect(channel.sentPosts()).toBe(before)
    expect((await eventsOf(t, owner)).map(({ type, data }) => data.change ?? type)).toEqual([
      'post.created',
      'target_resolved',
      'post.published',
    ])
  })

  test('200 fails a target that is not on the network, and a retry sends it again', async () => {
    const { owner, post, path } = await withLostPost()
    const before = channel.sentPosts()
    expectStatus(await owner.post(path, { published: false }), 200)
    expect(await read(owner, post)).toMatchObject({ status: 'failed', targets: [{ error_code: 'not_published' }] })
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    expect(channel.sentPosts()).toBe(before + 1)
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
    const before = channel.sentPosts()
    await advance(t, 24 * HOUR)
    expect(await read(owner, post)).toMatchObject({ status: 'failed', targets: [{ error_code: 'unconfirmed' }] })
    const retry = (body?: object) => owner.post(`/api/v1/posts/${post.id}/retry`, body)
    expectProblem(await retry(), 409, 'confirmation_required')
    expectStatus(await retry({ confirm_not_published: true }), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    expect(channel.sentPosts()).toBe(before + 1)
  })
})
