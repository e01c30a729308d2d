import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../test/factories.ts'
import { webhookReceiver } from '../../../test/receiver.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

describe('the main job', () => {
  test('a scheduled post is published when its time comes, and a webhook hears of both', async () => {
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
    await t.advance(60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${created.body.id}`)).body).toMatchObject({
      status: 'published',
      targets: [{ status: 'published' }],
    })
    await receiver.until((received) => received.length === 2)
    expect(receiver.received.map((message) => message.type)).toEqual(['post.created', 'post.published'])
    receiver.close()
  })
})
