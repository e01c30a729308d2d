import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { postCalls } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'

let owner: WorkspaceOwner
let account: string
const t = await testApp()
owner = await withWorkspace(t)
account = await playgroundAccount(owner)

const { created, published, withBluesky } = postCalls(() => ({ t, owner, account }))

describe('the whole flow', () => {
  test('a scheduled post is published at its time, and a webhook receives both events', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    const receiver = await webhookReceiver()
    expectStatus(await owner.post('/api/v1/webhooks', { url: receiver.url, events: ['*'] }), 201)
    t.dispatch()

    const scheduled_at = new Date(t.clock.now().getTime() + 60_000).toISOString()
    const created = expectStatus(
      await owner.post('/api/v1/posts', { content: 'Hello', account_ids: [account], scheduled_at }),
      201,
    )
    expect(created.body).toMatchObject({ status: 'scheduled', scheduled_at, targets: [{ status: 'pending' }] })

    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${created.body.id}`)).body.status).toBe('scheduled')
    // A delivery in flight is sent again when its lease ends, which a minute would do.
    await receiver.until((received) => received.length >= 1)
    await t.advance(60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${created.body.id}`)).body).toMatchObject({
      status: 'published',
      targets: [{ status: 'published' }],
    })
    await receiver.until((received) => received.length >= 2)
    expect(receiver.received.map((message) => message.type)).toEqual(['post.created', 'post.published'])
    receiver.close()
  })
})

describe('POST /posts/:id/publish', () => {
  test('200 publishes a draft at once, and 409 for the second call', async () => {
    const post = await created({ account_ids: [account] })
    expect(expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200).body.status).toBe('scheduled')
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/publish`), 409, 'invalid_transition')
  })

  test('400 for an incomplete draft, which stays a draft', async () => {
    const post = await created()
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/publish`), 400, 'validation_failed', '/targets')
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('draft')
  })

  test('one of twenty concurrent calls succeeds, and the post is published once', async () => {
    const post = await created({ content: 'Twenty', account_ids: [account] })
    await Promise.all(Array.from({ length: 20 }, () => owner.post(`/api/v1/posts/${post.id}/publish`)))
    await t.runJobs()
    const { body } = await owner.get('/api/v1/playground?limit=100')
    expect(body.data.filter((entry: { content: string }) => entry.content === 'Twenty')).toHaveLength(1)
  })
})

describe('POST /posts/:id/retry', () => {
  test('200 although an account that was published to is disconnected', async () => {
    const { account: network, bluesky } = await withBluesky()
    const reached = await playgroundAccount(owner)
    bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRequest' })
    const post = await created({ account_ids: [reached, network], publish_now: true })
    await t.runJobs()
    expectStatus(await owner.delete(`/api/v1/accounts/${reached}`), 204)
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
    bluesky.close()
  })

  test('400 when the account that failed is disconnected', async () => {
    const gone = await playgroundAccount(owner)
    const post = await created({ account_ids: [gone], publish_now: true })
    expectStatus(await owner.delete(`/api/v1/accounts/${gone}`), 204)
    await t.runJobs()
    expectProblem(await owner.post(`/api/v1/posts/${post.id}/retry`), 400, 'validation_failed', '/targets/0')
  })

  test('409 for a post that has not failed', async () => {
    expectProblem(await owner.post(`/api/v1/posts/${(await created()).id}/retry`), 409, 'invalid_transition')
    expectProblem(await owner.post(`/api/v1/posts/${(await published()).id}/retry`), 409, 'invalid_transition')
  })
})
