import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { requeueStuckTargets } from '../publishing/publishing.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const created = async (body: object = {}, person = owner) =>
  expectStatus(await person.post('/api/v1/posts', { content: 'Hello', account_ids: [account], ...body }), 201).body
const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString()
const remove = (id: string, person = owner) => person.delete(`/api/v1/posts/${id}`)
const restore = (id: string, person = owner) => person.post(`/api/v1/posts/${id}/restore`)
const read = (id: string) => owner.get(`/api/v1/posts/${id}`)
const advance = async (minutes: number) => {
  t.advance(minutes * MINUTE)
  await t.runJobs()
}
const timeline = async (): Promise<string[]> =>
  (await owner.get('/api/v1/playground?limit=100')).body.data.map((entry: { content: string }) => entry.content)
const erase = async () => {
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'erase-deleted-posts', {}))
  await t.runJobs()
}
const rowsOf = async (id: string) => [
  ...(await t.deps.db.selectFrom('post').select('id').where('id', '=', id).execute()),
  ...(await t.deps.db.selectFrom('post_target').select('id').where('post_id', '=', id).execute()),
]

describe('a deleted post', () => {
  test('a deleted post is in no list, and every request except restore gets 404', async () => {
    const { id } = await created()
    expectStatus(await remove(id), 204)
    for (const response of [
      await read(id),
      await owner.patch(`/api/v1/posts/${id}`, { content: 'x' }),
      await owner.post(`/api/v1/posts/${id}/publish`),
      await owner.post(`/api/v1/posts/${id}/retry`),
      await remove(id),
    ])
      expectProblem(response, 404, 'not_found')
    for (const query of ['limit=100', 'limit=100&status=draft', `limit=100&updated_since=2020-01-01T00:00:00Z`]) {
      const { body } = expectStatus(await owner.get(`/api/v1/posts?${query}`), 200)
      expect(body.data.map((post: { id: string }) => post.id)).not.toContain(id)
    }
  })

  test('a deleted post is not published, even when a job for it remains', async () => {
    const { id, targets } = await created({ content: 'Never', scheduled_at: inMinutes(1) })
    expectStatus(await remove(id), 204)
    await inTransaction(t.deps.db, (tx) => addJob(tx, 'publish-targets', { target_id: targets[0].id }))
    await advance(5)
    expect(await requeueStuckTargets(t.deps.db, t.clock.now())).toBe(0)
    expect(await timeline()).not.toContain('Never')
  })

  test('deleting and restoring a post emit events with the whole post and write audit entries', async () => {
    const person = await withWorkspace(t)
    const mine = await playgroundAccount(person)
    const post = await created({ account_ids: [mine], scheduled_at: inMinutes(60) }, person)
    expectStatus(await remove(post.id, person), 204)
    const restored = expectStatus(await restore(post.id, person), 200).body
    const events = await t.deps.db
      .selectFrom('event')
      .select(['type', 'payload'])
      .where('workspace_id', '=', person.workspace_id)
      .orderBy('id')
      .execute()
    expect(events.map(({ type, payload }) => [type, JSON.parse(payload.toString()).data.post])).toEqual([
      ['post.created', post],
      ['post.deleted', post],
      ['post.updated', restored],
    ])
    const audit = await t.deps.db
      .selectFrom('audit_entry')
      .select(['action', 'actor_id'])
      .where('target_id', '=', post.id)
      .orderBy('id')
      .execute()
    expect(audit).toEqual(
      ['post.created', 'post.deleted', 'post.restored'].map((action) => ({ action, actor_id: person.id })),
    )
  })

  test('a deleted post is erased with its targets after a day, and other posts stay', async () => {
    const [old, young, kept] = [await created(), await created(), await created()]
    expectStatus(await remove(old.id), 204)
    t.advance(HOUR)
    expectStatus(await remove(young.id), 204)
    t.advance(23 * HOUR)
    await erase()
    expect(await rowsOf(old.id)).toHaveLength(2)
    t.advance(1)
    await erase()
    expect(await rowsOf(old.id)).toEqual([])
    expect(await rowsOf(young.id)).toHaveLength(2)
    expectStatus(await read(kept.id), 200)
    expectStatus(await restore(young.id), 200)
  })
})

describe('POST /posts/:id/restore', () => {
  test('200 restores a draft unchanged, except for the time and the member of the change', async () => {
    const post = await created({ content: 'Draft', labels: ['a'] })
    expectStatus(await remove(post.id), 204)
    t.advance(MINUTE)
    const { body } = expectStatus(await restore(post.id), 200)
    expect(body).toEqual({ ...post, updated_by_id: owner.id, updated_at: t.clock.now().toISOString() })
    expect((await read(post.id)).body).toEqual(body)
    await t.runJobs()
    expect((await read(post.id)).body.status).toBe('draft')
  })

  test('200 restores a scheduled post, which is published once at its time', async () => {
    const post = await created({ content: 'Back in time', scheduled_at: inMinutes(10) })
    expectStatus(await remove(post.id), 204)
    await advance(9)
    const { body } = expectStatus(await restore(post.id), 200)
    expect(body).toMatchObject({ status: 'scheduled', scheduled_at: post.scheduled_at })
    await t.runJobs()
    expect(await timeline()).not.toContain('Back in time')
    await advance(1)
    expect((await read(post.id)).body.status).toBe('published')
    expect((await timeline()).filter((content) => content === 'Back in time')).toHaveLength(1)
  })

  test('200 restores a post whose time has passed as a draft, which is not published', async () => {
    for (const time of [{ scheduled_at: inMinutes(10) }, { publish_now: true }]) {
      const post = await created({ content: 'Too late', ...time })
      expectStatus(await remove(post.id), 204)
      await advance(10)
      expect(expectStatus(await restore(post.id), 200).body).toMatchObject({ status: 'draft', scheduled_at: null })
      await advance(10)
      expect((await read(post.id)).body.status).toBe('draft')
    }
    expect(await timeline()).not.toContain('Too late')
  })

  test('200 reports when an account of the restored draft was disconnected meanwhile', async () => {
    const gone = await playgroundAccount(owner)
    const post = await created({ account_ids: [gone], scheduled_at: inMinutes(10) })
    expectStatus(await remove(post.id), 204)
    expectStatus(await owner.delete(`/api/v1/accounts/${gone}`), 204)
    t.advance(HOUR)
    expect(expectStatus(await restore(post.id), 200).body.warnings).toMatchObject([{ pointer: '/targets/0' }])
  })

  test('200 restores published and failed posts with their state, and a failed one can be retried', async () => {
    const bluesky = await blueskyServer()
    const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
    const { body: other } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
    bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRequest' })
    const { id } = await created({ content: 'In part', account_ids: [account, other.id], publish_now: true })
    await t.runJobs()
    const before = (await read(id)).body
    expect(before.status).toBe('partially_published')
    expectStatus(await remove(id), 204)
    expect(await timeline()).toContain('In part')
    const { body } = expectStatus(await restore(id), 200)
    expect(body).toEqual({ ...before, updated_by_id: owner.id, updated_at: expect.any(String) })
    expect(body.updated_at > before.updated_at).toBe(true)
    expectStatus(await owner.post(`/api/v1/posts/${id}/retry`), 200)
    await t.runJobs()
    expect((await read(id)).body.status).toBe('published')
    expect((await timeline()).filter((content) => content === 'In part')).toHaveLength(1)
    bluesky.close()
  })

  test('403 for an author who restores the post of another user', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const [mine, theirs] = [await created({}, author), await created()]
    expectStatus(await remove(mine.id, author), 204)
    expectStatus(await remove(theirs.id), 204)
    expectStatus(await restore(mine.id, author), 200)
    expectProblem(await restore(theirs.id, author), 403, 'forbidden_role')
    expectProblem(await restore(theirs.id, await memberOf(t, owner.workspace_id, 'viewer')), 403, 'forbidden_role')
  })

  test('404 for a post that was deleted more than a day ago, erased or not, and for one of another workspace', async () => {
    const [old, young] = [await created(), await created()]
    expectStatus(await remove(old.id), 204)
    t.advance(1)
    expectStatus(await remove(young.id), 204)
    expectProblem(await restore(young.id, await withWorkspace(t)), 404, 'not_found')
    t.advance(24 * HOUR)
    expectProblem(await restore(old.id), 404, 'not_found')
    expectStatus(await restore(young.id), 200)
    await erase()
    expectProblem(await restore(old.id), 404, 'not_found')
  })

  test('409 with the state for a post that is not deleted', async () => {
    const { id } = await created()
    expect(expectProblem(await restore(id), 409, 'invalid_transition').state).toBe('draft')
  })
})

describe('GET /posts/deleted', () => {
  const deleted = async (query: string, person: WorkspaceOwner) =>
    expectStatus(await person.get(`/api/v1/posts/deleted?${query}`), 200).body

  test('200 lists posts deleted since a time, newest first, page by page, without restored ones', async () => {
    const person = await withWorkspace(t)
    const mine = await playgroundAccount(person)
    const [first, second, third] = [
      await created({ account_ids: [mine] }, person),
      await created({ account_ids: [mine] }, person),
      await created({ account_ids: [mine] }, person),
    ]
    expectStatus(await remove(third.id, person), 204)
    t.advance(MINUTE)
    const since = `since=${encodeURIComponent(inMinutes(0))}`
    for (const { id } of [second, first]) expectStatus(await remove(id, person), 204)
    const entry = ({ id, content }: { id: string; content: string }) => ({
      id,
      excerpt: content,
      status: 'draft',
      author_id: person.id,
      deleted_at: inMinutes(0),
    })
    expect(await deleted(since, person)).toEqual({ data: [entry(second), entry(first)], next_cursor: null })
    expect((await deleted('', person)).data.map(({ id }: { id: string }) => id)).toEqual([
      third.id,
      second.id,
      first.id,
    ])
    const { data, next_cursor } = await deleted(`${since}&limit=1`, person)
    expect(data).toEqual([entry(second)])
    expect((await deleted(`${since}&limit=1&cursor=${next_cursor}`, person)).data).toEqual([entry(first)])
    expectStatus(await restore(second.id, person), 200)
    expect((await deleted(since, person)).data).toEqual([entry(first)])
    expect((await deleted('', await withWorkspace(t))).data).toEqual([])
    t.advance(24 * HOUR + 1)
    await erase()
    expect((await deleted('', person)).data).toEqual([])
  })

  test('200 for every member, and for tokens with posts:read', async () => {
    expectStatus(await (await memberOf(t, owner.workspace_id, 'viewer')).get('/api/v1/posts/deleted'), 200)
    expectStatus(await (await withToken(t, owner, ['posts:read'])).get('/api/v1/public/posts/deleted'), 200)
    const other = await withToken(t, owner, ['accounts:read'])
    expectProblem(await other.get('/api/v1/public/posts/deleted'), 403, 'insufficient_scope')
  })

  test.each(['since=yesterday', 'limit=0', 'cursor=x', 'status=draft'])('400 for ?%s', async (query) => {
    expectProblem(
      await owner.get(`/api/v1/posts/deleted?${query}`),
      400,
      'validation_failed',
      `/${query.split('=')[0]}`,
    )
  })
})

describe('concurrent calls', () => {
  test('one of twenty concurrent restorations succeeds, and the post is published once', async () => {
    const { id } = await created({ content: 'Twenty', scheduled_at: inMinutes(10) })
    expectStatus(await remove(id), 204)
    const responses = await Promise.all(Array.from({ length: 20 }, () => restore(id)))
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(19).fill(409)])
    await advance(10)
    expect((await timeline()).filter((content) => content === 'Twenty')).toHaveLength(1)
  })

  test('concurrent deletions and restorations leave the post deleted, or restored with its job', async () => {
    for (let round = 0; round < 10; round++) {
      const content = `Round ${round}`
      const { id } = await created({ content, scheduled_at: inMinutes(10) })
      await Promise.all([remove(id), restore(id), remove(id), restore(id)])
      const isThere = (await read(id)).status === 200
      await advance(10)
      expect((await timeline()).filter((entry) => entry === content)).toHaveLength(isThere ? 1 : 0)
    }
  })

  test('deleting during the publishing job leaves the post unpublished, or gets 409 and the post is published', async () => {
    for (let round = 0; round < 10; round++) {
      const content = `Race ${round}`
      const { id } = await created({ content, publish_now: true })
      const [deleted] = await Promise.all([remove(id), t.runJobs()])
      await t.runJobs()
      const there = (await timeline()).includes(content)
      // Deleting it after it was published is correct, too.
      if (deleted.status === 204 && !there) expectProblem(await read(id), 404, 'not_found')
      else if (deleted.status === 409) expect([there, (await read(id)).body.status]).toEqual([true, 'published'])
      else expect(expectStatus(await restore(id), 200).body.status).toBe('published')
    }
  })

  test('a post that is restored during the clean-up stays', async () => {
    const { id } = await created()
    expectStatus(await remove(id), 204)
    t.advance(24 * HOUR)
    const [restored] = await Promise.all([restore(id), erase()])
    expectStatus(restored, 200)
    expectStatus(await read(id), 200)
  })
})
