import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../../test/app.ts'
import { atOnce } from '../../../../../test/at-once.ts'
import { expectStatus, memberOf, playgroundAccount, withWorkspace } from '../../../../../test/factories.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import {
  localIn,
  occurrencesOf,
  postsOf,
  readRecurringPost,
  recurringPost,
} from '../../../../../test/recurring-posts.ts'
import { createOccurrences } from '../create-occurrences.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const make = (more: object = {}) => recurringPost(t, owner, { account_ids: [account], ...more })
const at = (days: number) => `${localIn(t, days)}:00.000Z`
const skip = (id: string, days: number, person = owner) =>
  person.post(`/api/v1/recurring-posts/${id}/skip`, { occurs_at: at(days) })
const unskip = (id: string, days: number, person = owner) =>
  person.post(`/api/v1/recurring-posts/${id}/unskip`, { occurs_at: at(days) })
const timesOf = async (id: string) => (await postsOf(owner, id)).map(({ scheduled_at }) => scheduled_at)
const nextOf = (body: { next_occurrences: { occurs_at: string }[] }) =>
  body.next_occurrences.map(({ occurs_at }) => occurs_at)

describe('a skip', () => {
  test('an occurrence that is not a post yet never becomes one, and the others do', async () => {
    const { id } = await make({ rule: 'FREQ=DAILY;INTERVAL=5' })
    const skipped = expectStatus(await skip(id, 11), 200).body
    expect(nextOf(skipped).slice(0, 4)).toEqual([at(1), at(6), at(16), at(21)])
    const [row] = (await occurrencesOf(owner, id)).filter(({ status }: { status: string }) => status === 'skipped')
    expect(row).toMatchObject({ occurs_at: at(11), reason: 'by_member', detail: null, post_id: null })
    const { data } = (await owner.get('/api/v1/events?type=recurring_post.occurrence_skipped')).body
    const [event] = data.filter(({ data }: { data: { recurring_post_id: string } }) => data.recurring_post_id === id)
    expect(event.data).toMatchObject({ occurs_at: at(11), reason: 'by_member' })
    await t.deps.db.updateTable('recurring_post').set({ due_at: t.clock.now() }).where('id', '=', id).execute()
    await createOccurrences(t.deps)
    await t.deps.db.updateTable('recurring_post').set({ due_at: t.clock.now() }).where('id', '=', id).execute()
    await createOccurrences(t.deps)
    expect((await timesOf(id)).filter((time) => time <= at(16))).toEqual([at(1), at(6), at(16)])
  })

  test('it deletes the post that its occurrence has, and its undo brings one back in its turn', async () => {
    const { id } = await make({ contents: ['A', 'B'] })
    expectStatus(await skip(id, 2), 200)
    expect((await timesOf(id)).slice(0, 2)).toEqual([at(1), at(3)])
    const shown = expectStatus(await unskip(id, 2), 200).body
    expect(nextOf(shown)[1]).toBe(at(2))
    await createOccurrences(t.deps)
    expect((await timesOf(id)).slice(0, 3)).toEqual([at(1), at(2), at(3)])
    expectProblem(await unskip(id, 2), 409, 'invalid_transition')
  })

  test('a post that was restored after the skip takes the place again, once', async () => {
    const { id } = await make()
    const [, second] = await postsOf(owner, id)
    expectStatus(await skip(id, 2), 200)
    expectStatus(await owner.post(`/api/v1/posts/${second?.id}/restore`), 200)
    expectStatus(await unskip(id, 2), 200)
    await createOccurrences(t.deps)
    expect(
      (await postsOf(owner, id)).filter(({ scheduled_at }) => scheduled_at === at(2)).map((post) => post.id),
    ).toEqual([second?.id])
  })

  test('a post whose occurrence is created again is restored as a draft', async () => {
    const { id } = await make()
    const [, second, third] = await postsOf(owner, id)
    for (const days of [2, 3]) {
      expectStatus(await skip(id, days), 200)
      expectStatus(await unskip(id, days), 200)
    }
    const restore = async (post: string | undefined) =>
      expectStatus(await owner.post(`/api/v1/posts/${post}/restore`), 200).body
    expect(await restore(third?.id)).toMatchObject({ status: 'draft', scheduled_at: null })
    await createOccurrences(t.deps)
    expect(await restore(second?.id)).toMatchObject({ status: 'draft', scheduled_at: null })
    const variants = [{ content: 'New', account_ids: [account] }]
    const [, replaced] = await postsOf(owner, id)
    expectStatus(await owner.patch(`/api/v1/recurring-posts/${id}`, { variants }), 200)
    await createOccurrences(t.deps)
    expect(await restore(replaced?.id)).toMatchObject({ status: 'draft', scheduled_at: null })
    const times = (await timesOf(id)).filter((time) => time)
    expect(times.slice(0, 3)).toEqual([at(1), at(2), at(3)])
    expect(new Set(times).size).toBe(times.length)
  })

  test('a change of texts, a pause and its end keep it', async () => {
    const { id } = await make()
    expectStatus(await skip(id, 2), 200)
    expectStatus(await skip(id, 2), 200)
    const variants = [{ content: 'New', account_ids: [account] }]
    expectStatus(await owner.patch(`/api/v1/recurring-posts/${id}`, { variants }), 200)
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/pause`), 200)
    expectStatus(await skip(id, 3), 200)
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/resume`), 200)
    await createOccurrences(t.deps)
    expect((await timesOf(id)).slice(0, 2)).toEqual([at(1), at(4)])
  })

  test('the one that waits for an account gives way to the next', async () => {
    const { id } = await make({ rule: 'FREQ=DAILY;INTERVAL=9', starts_at: localIn(t, 8) })
    const waiting = { waiting_reason: 'account_unavailable', due_at: t.clock.now() }
    await t.deps.db.updateTable('recurring_post').set(waiting).where('id', '=', id).execute()
    const after = expectStatus(await skip(id, 8), 200).body
    expect(after).toMatchObject({ waiting_reason: null })
    expect(nextOf(after)[0]).toBe(at(17))
    expectStatus(await unskip(id, 8), 200)
    expect(nextOf(await readRecurringPost(owner, id))[0]).toBe(at(8))
  })

  test('400 for another time, a past one and one in years; 409 for a published post', async () => {
    const { id } = await make()
    const body = (occurs_at: string) => ({ occurs_at })
    for (const time of [at(1).replace('12:00', '12:01'), at(-1), at(400)])
      expectProblem(
        await owner.post(`/api/v1/recurring-posts/${id}/skip`, body(time)),
        400,
        'validation_failed',
        '/occurs_at',
      )
    expectProblem(await owner.post(`/api/v1/recurring-posts/${id}/unskip`, body(at(-1))), 400, 'validation_failed')
    const [first] = await postsOf(owner, id)
    expectStatus(await owner.post(`/api/v1/posts/${first?.id}/publish`), 200)
    await t.runJobs()
    expectProblem(await skip(id, 1), 409, 'invalid_transition')
  })

  test('authors skip only their own, and others see nothing', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const { id } = await make()
    expectProblem(await skip(id, 1, author), 403, 'forbidden_role')
    expectProblem(await unskip(id, 1, author), 403, 'forbidden_role')
    const stranger = await withWorkspace(t)
    expectProblem(await skip(id, 1, stranger), 404, 'not_found')
    expectProblem(await unskip(id, 1, stranger), 404, 'not_found')
  })

  test('skips, their undoing and runs of the job at once leave no time with two posts', async () => {
    const { id } = await make()
    await atOnce(
      12,
      (index): Promise<unknown> =>
        index % 3 === 0 ? skip(id, 2) : index % 3 === 1 ? unskip(id, 2) : createOccurrences(t.deps),
    )
    await createOccurrences(t.deps)
    const times = await timesOf(id)
    expect(new Set(times).size).toBe(times.length)
  })
})

test('the last occurrence is shown for a rule with an end', async () => {
  expect(await make({ rule: 'FREQ=DAILY;COUNT=12' })).toMatchObject({ last_occurs_at: at(12) })
  const until = localIn(t, 9).slice(0, 10).replaceAll('-', '')
  expect(await make({ rule: `FREQ=DAILY;INTERVAL=3;UNTIL=${until}` })).toMatchObject({ last_occurs_at: at(7) })
  expect(await make()).toMatchObject({ last_occurs_at: null })
})
