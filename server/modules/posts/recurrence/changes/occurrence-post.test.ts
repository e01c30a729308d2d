import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../../test/app.ts'
import { atOnce, countByStatus } from '../../../../../test/at-once.ts'
import { expectStatus, memberOf, playgroundAccount, withToken, withWorkspace } from '../../../../../test/factories.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { localIn, postsOf, readRecurringPost, recurringPost } from '../../../../../test/recurring-posts.ts'
import { createOccurrences } from '../create-occurrences.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const make = (more: object = {}) => recurringPost(t, owner, { account_ids: [account], ...more })
const at = (days: number) => `${localIn(t, days)}:00.000Z`
const create = (id: string, days: number, person = owner) =>
  person.post(`/api/v1/recurring-posts/${id}/posts`, { occurs_at: at(days) })
const shown = ({ scheduled_at, content }: { scheduled_at: string; content: string }) => [scheduled_at, content]

/** Has the job create what is due within these days. */
async function createWithin(id: string, days: number) {
  const until = new Date(at(days + 1))
  for (;;) {
    const { next_at } = await t.deps.db
      .selectFrom('recurring_post')
      .select('next_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (!next_at || next_at > until) return
    await t.deps.db.updateTable('recurring_post').set({ due_at: t.clock.now() }).where('id', '=', id).execute()
    await createOccurrences(t.deps)
  }
}

describe('the post of an occurrence before its time', () => {
  test('it is a scheduled post that is edited as any other, and the job creates no second one', async () => {
    const { id } = await make({ rule: 'FREQ=DAILY;INTERVAL=5', labels: ['menu'] })
    const post = expectStatus(await create(id, 21), 200).body
    expect(post).toMatchObject({
      status: 'scheduled',
      scheduled_at: at(21),
      recurring_post_id: id,
      author_id: owner.id,
      labels: ['menu'],
      content: 'Open from seven.',
    })
    expect((await readRecurringPost(owner, id)).next_occurrences[4]).toEqual({ occurs_at: at(21), post_id: post.id })
    const { data } = (await owner.get(`/api/v1/recurring-posts/upcoming?from=${at(20)}&to=${at(22)}`)).body
    expect(data.filter((one: { recurring_post_id: string }) => one.recurring_post_id === id)).toEqual([])
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { content: 'Closed at noon.' }), 200)
    await createWithin(id, 26)
    expect((await postsOf(owner, id)).map(shown)).toEqual([
      [at(1), 'Open from seven.'],
      [at(6), 'Open from seven.'],
      [at(11), 'Open from seven.'],
      [at(16), 'Open from seven.'],
      [at(21), 'Closed at noon.'],
      [at(26), 'Open from seven.'],
    ])
  })

  test.each([
    ['later', 'FREQ=DAILY;INTERVAL=20'],
    ['never', 'FREQ=DAILY;INTERVAL=20;COUNT=2'],
  ])('an occurrence that was skipped is listed with its status, also if the next is created %s', async (_, rule) => {
    const { id } = await make({ rule })
    const upcoming = async () => {
      const { data } = (await owner.get(`/api/v1/recurring-posts/upcoming?from=${at(20)}&to=${at(23)}`)).body
      return data
        .filter((one: { recurring_post_id: string }) => one.recurring_post_id === id)
        .map(({ occurs_at, status }: Record<string, string>) => [occurs_at, status])
    }
    expect(await upcoming()).toEqual([[at(21), 'planned']])
    const occurrence = { occurs_at: at(21) }
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/skip`, occurrence), 200)
    expect(await upcoming()).toEqual([[at(21), 'skipped']])
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/pause`), 200)
    expect(await upcoming()).toEqual([])
  })

  test('a repeated call returns the post that there is, also the one that the job created', async () => {
    const { id } = await make()
    const [, second] = await postsOf(owner, id)
    expect(expectStatus(await create(id, 2), 200).body.id).toBe(second?.id)
    const made = expectStatus(await create(id, 20), 200).body
    expect(expectStatus(await create(id, 20), 200).body.id).toBe(made.id)
    const { data } = (await owner.get('/api/v1/workspace/audit-log?limit=100')).body
    const entries = data.filter(
      ({ action, target_id }: { action: string; target_id: string }) =>
        action === 'recurring_post.post_created' && target_id === id,
    )
    expect(entries).toMatchObject([{ details: { occurs_at: at(20) } }])
  })

  test('each occurrence gets the variant of its turn, however far ahead its post is created', async () => {
    const { id } = await make({ rule: 'FREQ=DAILY;INTERVAL=4', contents: ['A', 'B', 'C'] })
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/skip`, { occurs_at: at(13) }), 200)
    for (const days of [25, 17]) expectStatus(await create(id, days), 200)
    await createWithin(id, 29)
    expect((await postsOf(owner, id)).map(({ content }) => content).join('')).toBe('ABCABCA')
  })

  test('a change of all keeps an edited one, replaces one that nobody edited, and the turns stay', async () => {
    const { id } = await make({ rule: 'FREQ=DAILY;INTERVAL=4', contents: ['A', 'B'] })
    const edited = expectStatus(await create(id, 13), 200).body
    expectStatus(await owner.patch(`/api/v1/posts/${edited.id}`, { content: 'Edited' }), 200)
    expectStatus(await create(id, 17), 200)
    const variants = ['C', 'D'].map((content) => ({ content, account_ids: [account] }))
    expectStatus(await owner.patch(`/api/v1/recurring-posts/${id}`, { variants }), 200)
    await createWithin(id, 21)
    expect((await postsOf(owner, id)).map(shown)).toEqual([
      [at(1), 'C'],
      [at(5), 'D'],
      [at(9), 'C'],
      [at(13), 'Edited'],
      [at(17), 'C'],
      [at(21), 'D'],
    ])
  })

  test('shuffled ones use each variant once in a round', async () => {
    const { id } = await make({
      rule: 'FREQ=DAILY;INTERVAL=8',
      contents: ['A', 'B', 'C'],
      variant_order: 'shuffled',
    })
    expectStatus(await create(id, 17), 200)
    await createWithin(id, 9)
    expect((await postsOf(owner, id)).map(({ content }) => content).sort()).toEqual(['A', 'B', 'C'])
  })

  test('the one that waits for an account waits no longer, and an account that was removed is left out', async () => {
    const [second, third] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    const { id } = await make({ account_ids: [second, third], rule: 'FREQ=DAILY;INTERVAL=9', starts_at: localIn(t, 8) })
    expectStatus(await owner.delete(`/api/v1/accounts/${second}`), 204)
    const waiting = { waiting_reason: 'account_unavailable', due_at: t.clock.now() }
    await t.deps.db.updateTable('recurring_post').set(waiting).where('id', '=', id).execute()
    const { targets } = expectStatus(await create(id, 8), 200).body
    expect(targets.map(({ account_id }: { account_id: string }) => account_id)).toEqual([third])
    expect(await readRecurringPost(owner, id)).toMatchObject({ waiting_reason: null })
    await createWithin(id, 17)
    expect((await postsOf(owner, id)).map(({ scheduled_at }) => scheduled_at)).toEqual([at(8), at(17)])
  })

  test('an editor creates it in the name of its author, who can edit it', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const made = await recurringPost(t, author, { account_ids: [account] })
    const post = expectStatus(await create(made.id, 12), 200).body
    expect(post.author_id).toBe(author.id)
    expectStatus(await author.patch(`/api/v1/posts/${post.id}`, { content: 'Mine' }), 200)
  })

  test('400 for another time, a past one and one in years', async () => {
    const { id } = await make()
    for (const occurs_at of [at(12).replace('12:00', '12:01'), at(-1), at(400)])
      expectProblem(
        await owner.post(`/api/v1/recurring-posts/${id}/posts`, { occurs_at }),
        400,
        'validation_failed',
        '/occurs_at',
      )
  })

  test('409 for a skipped occurrence, one whose post was deleted, and a paused recurring post', async () => {
    const { id } = await make()
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/skip`, { occurs_at: at(12) }), 200)
    expectProblem(await create(id, 12), 409, 'invalid_transition')
    const [first] = await postsOf(owner, id)
    expectStatus(await owner.delete(`/api/v1/posts/${first?.id}`), 204)
    expectProblem(await create(id, 1), 409, 'invalid_transition')
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/pause`), 200)
    expectProblem(await create(id, 13), 409, 'invalid_transition')
  })

  test('authors create only those of their own, and others see nothing', async () => {
    const { id } = await make()
    expectProblem(await create(id, 12, await memberOf(t, owner.workspace_id, 'author')), 403, 'forbidden_role')
    expectProblem(await create(id, 12, await memberOf(t, owner.workspace_id, 'viewer')), 403, 'forbidden_role')
    expectProblem(await create(id, 12, await withWorkspace(t)), 404, 'not_found')
  })

  test('50 calls on two nodes, with runs of the job between them, create it once', async () => {
    const other = await testApp({}, { beside: t })
    try {
      const { id } = await make({ rule: 'FREQ=DAILY;INTERVAL=9', starts_at: localIn(t, 8) })
      await t.deps.db.updateTable('recurring_post').set({ due_at: t.clock.now() }).where('id', '=', id).execute()
      const token = await withToken(t, owner, ['posts:write'])
      const there = other.anyone.with({ authorization: `Bearer ${token.token}` })
      const [calls] = await Promise.all([
        atOnce(50, (index) =>
          index % 2 ? there.post(`/api/v1/public/recurring-posts/${id}/posts`, { occurs_at: at(8) }) : create(id, 8),
        ),
        atOnce(4, (index) => createOccurrences(index % 2 ? other.deps : t.deps)),
      ])
      expect(countByStatus(calls)).toEqual({ 200: 50 })
      expect(new Set(calls.map(({ body }) => body.id)).size).toBe(1)
      expect((await postsOf(owner, id)).filter(({ scheduled_at }) => scheduled_at === at(8)).length).toBe(1)
    } finally {
      await other.close()
    }
  })
})
