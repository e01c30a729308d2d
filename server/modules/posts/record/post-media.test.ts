import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { newWebhookSecret } from '../../../lib/crypto/webhook-signature.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const file = async (who = owner): Promise<string> => (await uploaded(who)).id
const create = (fields: object, who = owner) =>
  who.post('/api/v1/posts', { content: 'Hello', account_ids: [account], ...fields })
const created = async (fields: object) => expectStatus(await create(fields), 201).body
const read = async (id: string) => expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body

describe('posts with files', () => {
  test('a post, a part of its thread and an account have files of their own, and the record describes all', async () => {
    const [one, two, three] = [await file(), await file(), await file()]
    const thread = [{ content: 'Two', media_ids: [two] }]
    const [account, other] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    const post = await created({
      account_ids: undefined,
      media_ids: [one],
      thread,
      targets: [{ account_id: account }, { account_id: other, media_ids: [three] }],
      publish_now: true,
    })
    expect(post).toMatchObject({ media_ids: [one], thread, targets: [{ media_ids: null }, { media_ids: [three] }] })
    expect(post.media.map(({ id }: { id: string }) => id).sort()).toEqual([one, two, three].sort())
    expect(post.media[0]).toMatchObject({ kind: 'image', mime: 'image/png' })
    await t.runJobs()
    expect((await read(post.id)).status).toBe('published')
    const { data } = (await owner.get('/api/v1/playground')).body
    const filesOf = (id: string) =>
      data
        .filter(({ account_id }: { account_id: string }) => account_id === id)
        .map(({ media_ids }: { media_ids: string[] }) => media_ids)
    expect(filesOf(account)).toEqual([[two], [one]])
    expect(filesOf(other)).toEqual([[two], [three]])
  })

  test('a file that is listed twice, its id written in either case, is published once', async () => {
    const id = await file()
    const media_ids = [id, id.toUpperCase()]
    const thread = [{ content: 'Two', media_ids }]
    const targets = [{ account_id: account, media_ids, thread }]
    expect(await created({ account_ids: undefined, media_ids, thread, targets })).toMatchObject({
      ...{ media_ids: [id], thread: [{ media_ids: [id] }] },
      targets: [{ media_ids: [id], thread: [{ media_ids: [id] }] }],
    })
  })

  test('a post with a file needs no text', async () => {
    await created({ content: '', media_ids: [await file()], publish_now: true })
    expectProblem(await create({ content: '', publish_now: true }), 400, 'validation_failed', '/content')
  })

  test('400 points to a file that does not exist, and to one of another workspace', async () => {
    const foreign = await file(await withWorkspace(t))
    for (const id of [foreign, account]) {
      expectProblem(await create({ media_ids: [id] }), 400, 'validation_failed', '/media_ids/0')
      const thread = [{ content: 'x' }, { content: 'y', media_ids: [await file(), id] }]
      expectProblem(await create({ thread }), 400, 'validation_failed', '/thread/1/media_ids/1')
      const targets = [{ account_id: account, media_ids: [id] }]
      const response = await create({ account_ids: undefined, targets })
      expectProblem(response, 400, 'validation_failed', '/targets/0/media_ids/0')
    }
  })

  test('400 points to a file that the network does not take, and a draft with it has a warning', async () => {
    const media_ids = await Promise.all(Array.from({ length: 11 }, () => file()))
    expectProblem(await create({ media_ids, publish_now: true }), 400, 'validation_failed', '/media_ids/10')
    expect((await created({ media_ids })).warnings).toMatchObject([{ pointer: '/media_ids/10' }])
    const { problems } = (
      await owner.post('/api/v1/posts/validate', { content: 'x', account_ids: [account], media_ids })
    ).body
    expect(problems).toMatchObject([{ pointer: '/media_ids/10' }])
  })

  test('409 media_in_use for a file of a post, until the post is changed or deleted', async () => {
    const id = await file()
    const remove = () => owner.delete(`/api/v1/media/${id}`)
    const [one, two] = [
      await created({ media_ids: [id] }),
      await created({ thread: [{ content: 'x', media_ids: [id] }] }),
    ]
    const { body } = expectStatus(await remove(), 409)
    expect(body).toMatchObject({ code: 'media_in_use', post_ids: expect.arrayContaining([one.id, two.id]) })
    expectStatus(await owner.patch(`/api/v1/posts/${one.id}`, { media_ids: [] }), 200)
    expect(expectStatus(await remove(), 409).body.post_ids).toEqual([two.id])
    expectStatus(await owner.delete(`/api/v1/posts/${two.id}`), 204)
    expectStatus(await remove(), 204)
    expectProblem(await create({ media_ids: [id] }), 400, 'validation_failed', '/media_ids/0')
  })

  test('a deleted post whose file was deleted too is restored as a draft', async () => {
    const id = await file()
    const scheduled_at = new Date(t.clock.now().getTime() + 3600_000).toISOString()
    const post = await created({ media_ids: [id], scheduled_at })
    expectStatus(await owner.delete(`/api/v1/posts/${post.id}`), 204)
    expectStatus(await owner.delete(`/api/v1/media/${id}`), 204)
    const { body } = expectStatus(await owner.post(`/api/v1/posts/${post.id}/restore`), 200)
    expect(body).toMatchObject({ status: 'draft', scheduled_at: null })
  })

  test('a post whose file is gone when it is due fails with the reason', async () => {
    const id = await file()
    const post = await created({ media_ids: [id], publish_now: true })
    await t.deps.db.updateTable('media').set({ deleted_at: t.clock.now() }).where('id', '=', id).execute()
    await t.runJobs()
    expect(await read(post.id)).toMatchObject({ status: 'failed', targets: [{ error_code: 'media_missing' }] })
  })

  test('a post whose file is missing in the storage fails with the reason, and its network is not called', async () => {
    const receiver = await webhookReceiver()
    onTestFinished(receiver.close)
    const form = { network: 'http', url: receiver.url, secret: newWebhookSecret() }
    const channel = expectStatus(await owner.post('/api/v1/accounts', form), 201).body.id
    const before = receiver.received.length
    const id = await file()
    await t.deps.storage.erase(`${owner.workspace_id}/${id}`)
    const post = await created({ account_ids: [channel], media_ids: [id], publish_now: true })
    await t.runJobs()
    expect(await read(post.id)).toMatchObject({ status: 'failed', targets: [{ error_code: 'media_missing' }] })
    expect(receiver.received).toHaveLength(before)
  })

  test('a network that fetches files gets an address of the file that needs no credentials', async () => {
    const receiver = await webhookReceiver()
    const form = { network: 'http', url: receiver.url, secret: newWebhookSecret() }
    const channel = expectStatus(await owner.post('/api/v1/accounts', form), 201).body.id
    const { id, bytes } = await uploaded(owner, { fields: [['alt', 'A simit']] })
    await created({ account_ids: [channel], media_ids: [id], publish_now: true })
    await t.runJobs()
    const { data } = JSON.parse(receiver.received.at(-1)?.raw.toString() ?? '')
    expect(data.media).toMatchObject([{ kind: 'image', mime: 'image/png', width: 40, height: 30, alt: 'A simit' }])
    const { pathname } = new URL(data.media[0].url)
    const response = await fetch(`${t.url}${pathname}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await response.arrayBuffer()).byteLength).toBe(bytes)
    receiver.close()
  })
})
