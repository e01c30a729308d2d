import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { postCalls } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const { created, inMinutes, published, withBluesky } = postCalls(() => ({ t, owner, account }))

describe('PATCH /posts/:id', () => {
  test('a post names the member who changed it last, and nobody while it is new or only being published', async () => {
    const colleague = await memberOf(t, owner.workspace_id, 'editor')
    const post = await created({ account_ids: [account] })
    expect(post.updated_by_id).toBeNull()
    const path = `/api/v1/posts/${post.id}`
    expect(expectStatus(await colleague.patch(path, { content: 'Hi' }), 200).body.updated_by_id).toBe(colleague.id)
    expect(expectStatus(await owner.post(`${path}/publish`), 200).body.updated_by_id).toBe(owner.id)
    await t.runJobs()
    expect((await owner.get(path)).body).toMatchObject({ status: 'published', updated_by_id: owner.id })
  })

  test('updated_at increases with each change, even within one millisecond', async () => {
    const { body: post } = expectStatus(await owner.post('/api/v1/posts', { content: '0' }), 201)
    const times: string[] = [post.updated_at]
    for (const content of ['1', '2', '3'])
      times.push(expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { content }), 200).body.updated_at)
    expect(new Set(times).size).toBe(4)
    expect(times.toSorted()).toEqual(times)
  })

  test('200 changes text, labels, targets and time, and a null time makes the post a draft', async () => {
    const post = await created({ account_ids: [account], scheduled_at: inMinutes(10) })
    const change = (body: object) => owner.patch(`/api/v1/posts/${post.id}`, body)
    const later = inMinutes(20)
    expect((await change({ content: 'New', labels: ['a'], scheduled_at: later })).body).toMatchObject({
      content: 'New',
      labels: ['a'],
      status: 'scheduled',
      scheduled_at: later,
    })
    await t.advance(10 * 60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('scheduled')
    expect((await change({ scheduled_at: null })).body).toMatchObject({ status: 'draft', scheduled_at: null })
    await t.advance(60 * 60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('draft')
    expect((await change({ targets: [] })).body.targets).toEqual([])
  })

  test('200 reorders, adds and removes targets', async () => {
    const [second, third] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    const post = await created({ account_ids: [account, second] })
    for (const account_ids of [[third, second, account], [second], []]) {
      const { body } = expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { account_ids }), 200)
      expect(body.targets.map((target: { account_id: string }) => target.account_id)).toEqual(account_ids)
    }
  })

  test('200 reschedules a failed post, which is published at the new time', async () => {
    const { account: network, bluesky } = await withBluesky()
    for (const more of [{}, { account_ids: [network] }]) {
      bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRequest' })
      const post = await created({ account_ids: [network], publish_now: true })
      await t.runJobs()
      const read = async () => (await owner.get(`/api/v1/posts/${post.id}`)).body
      expect((await read()).status).toBe('failed')
      const { body } = expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { content: 'Better', ...more }), 200)
      expect(body).toMatchObject({
        status: 'draft',
        scheduled_at: null,
        targets: [{ status: 'pending', error_code: null, error_message: null, attempts: 0 }],
      })
      expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { scheduled_at: inMinutes(5) }), 200)
      await t.runJobs()
      expect((await read()).status).toBe('scheduled')
      await t.advance(5 * 60_000)
      await t.runJobs()
      expect((await read()).status).toBe('published')
    }
    bluesky.close()
  })

  test('400 for a change that would make a scheduled post unpublishable, and nothing changes', async () => {
    const post = await created({ account_ids: [account], scheduled_at: inMinutes(10) })
    expectProblem(
      await owner.patch(`/api/v1/posts/${post.id}`, { account_ids: [] }),
      400,
      'validation_failed',
      '/account_ids',
    )
    expectProblem(await owner.patch(`/api/v1/posts/${post.id}`, {}), 400, 'validation_failed')
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body).toEqual(post)
    await t.advance(10 * 60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
  })

  test('403 for authors who change the post of another user, 200 for editors', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const [mine, theirs] = [await created({}, author), await created()]
    expectStatus(await author.patch(`/api/v1/posts/${mine.id}`, { content: 'x' }), 200)
    expectProblem(await author.patch(`/api/v1/posts/${theirs.id}`, { content: 'x' }), 403, 'forbidden_role')
    expectProblem(await author.delete(`/api/v1/posts/${theirs.id}`), 403, 'forbidden_role')
    expectProblem(await author.post(`/api/v1/posts/${theirs.id}/publish`), 403, 'forbidden_role')
    expectStatus(await editor.patch(`/api/v1/posts/${mine.id}`, { content: 'y' }), 200)
  })

  test('404 for a post of another workspace', async () => {
    const post = await created()
    const other = await withWorkspace(t)
    expectProblem(await other.patch(`/api/v1/posts/${post.id}`, { content: 'x' }), 404, 'not_found')
    expectProblem(await other.get(`/api/v1/posts/${post.id}`), 404, 'not_found')
    expectProblem(await other.delete(`/api/v1/posts/${post.id}`), 404, 'not_found')
  })

  test('409 with the state for a published post', async () => {
    const post = await published()
    const response = await owner.patch(`/api/v1/posts/${post.id}`, { content: 'x' })
    expectProblem(response, 409, 'invalid_transition')
    expect(response.body.state).toBe('published')
  })
})

describe('DELETE /posts/:id', () => {
  test('204 keeps a scheduled post from being published, and leaves a published one on its network', async () => {
    const content = 'To be deleted'
    const scheduled = await created({ content, account_ids: [account], scheduled_at: inMinutes(1) })
    expectStatus(await owner.delete(`/api/v1/posts/${scheduled.id}`), 204)
    await t.advance(120_000)
    await t.runJobs()
    const timeline = async () => (await owner.get('/api/v1/playground?limit=100')).body.data
    expect((await timeline()).map((entry: { content: string }) => entry.content)).not.toContain(content)
    const post = await published()
    const before = await timeline()
    expectStatus(await owner.delete(`/api/v1/posts/${post.id}`), 204)
    expectProblem(await owner.delete(`/api/v1/posts/${post.id}`), 404, 'not_found')
    expect(await timeline()).toEqual(before)
  })

  test('409 while the post is being published', async () => {
    const { account: network, bluesky } = await withBluesky()
    bluesky.failNext({ kind: 'hang_up', arrives: true })
    const post = await created({ account_ids: [network], publish_now: true })
    await t.runJobs()
    for (const response of [
      await owner.delete(`/api/v1/posts/${post.id}`),
      await owner.patch(`/api/v1/posts/${post.id}`, { content: 'x' }),
      await owner.post(`/api/v1/posts/${post.id}/publish`),
      await owner.post(`/api/v1/posts/${post.id}/retry`),
    ]) {
      expectProblem(response, 409, 'invalid_transition')
      expect(response.body.state).toBe('publishing')
    }
    bluesky.close()
  })
})
