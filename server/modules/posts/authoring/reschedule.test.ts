import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { postCalls, putInReview } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const { created, inMinutes, published } = postCalls(() => ({ t, owner, account }))

const planned = (minutes: number) => created({ account_ids: [account], scheduled_at: inMinutes(minutes) })
const reschedule = (posts: object[], person = owner) => person.post('/api/v1/posts/reschedule', { posts })
const timeOf = async (id: string) => expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body.scheduled_at

describe('POST /posts/reschedule', () => {
  test('200 two posts swap their times, and are published at these', async () => {
    const [one, other] = [await planned(10), await planned(60)]
    const { body } = expectStatus(
      await reschedule([
        { id: one.id, scheduled_at: other.scheduled_at },
        { id: other.id, scheduled_at: one.scheduled_at },
      ]),
      200,
    )
    expect(body.data).toMatchObject([
      { id: one.id, status: 'scheduled', scheduled_at: other.scheduled_at, updated_by_id: owner.id },
      { id: other.id, status: 'scheduled', scheduled_at: one.scheduled_at },
    ])
    await t.advance(11 * 60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${other.id}`)).body.status).toBe('published')
    expect((await owner.get(`/api/v1/posts/${one.id}`)).body.status).toBe('scheduled')
  })

  test('400 none moves if one is published or would be in the past, and each of these is named', async () => {
    const { id: done } = await published()
    const [good, late] = [await planned(30), await planned(40)]
    const body = expectProblem(
      await reschedule([
        { id: good.id, scheduled_at: inMinutes(90) },
        { id: done, scheduled_at: inMinutes(90) },
        { id: late.id, scheduled_at: inMinutes(-90) },
      ]),
      400,
      'validation_failed',
    )
    expect(body.errors).toMatchObject([
      { pointer: '/posts/1', code: 'invalid_transition' },
      { pointer: '/posts/2/scheduled_at', code: 'invalid' },
    ])
    expect(await timeOf(good.id)).toBe(good.scheduled_at)
    expect(await timeOf(late.id)).toBe(late.scheduled_at)
  })

  test('400 for a post listed twice, without a time, of another workspace, and for none', async () => {
    const { id } = await planned(30)
    const other = await withWorkspace(t)
    const scheduled_at = inMinutes(50)
    expectProblem(
      await reschedule([
        { id, scheduled_at },
        { id: id.toUpperCase(), scheduled_at },
      ]),
      400,
      'validation_failed',
      '/posts/1/id',
    )
    expectProblem(await reschedule([{ id }]), 400, 'validation_failed')
    expectProblem(await reschedule([]), 400, 'validation_failed')
    expectProblem(await reschedule([{ id, scheduled_at }], other), 400, 'validation_failed', '/posts/0')
  })

  test('400 names the posts of others that an author may not move', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const mine = expectStatus(await author.post('/api/v1/posts', { content: 'Mine', account_ids: [account] }), 201).body
    const theirs = await planned(30)
    const scheduled_at = inMinutes(50)
    const { errors } = expectProblem(
      await reschedule(
        [
          { id: mine.id, scheduled_at },
          { id: theirs.id, scheduled_at },
        ],
        author,
      ),
      400,
      'validation_failed',
    )
    expect(errors).toMatchObject([{ pointer: '/posts/1', code: 'forbidden_role' }])
    expectStatus(await reschedule([{ id: mine.id, scheduled_at }], author), 200)
  })

  test('200 posts take the next slots of the queue in the order of the call', async () => {
    const queued = await playgroundAccount(owner)
    const times = { timezone: 'UTC', times: [{ weekday: 'monday', time: '09:00' }] }
    const saved = await owner.put(`/api/v1/accounts/${queued}/posting-times`, times)
    expectStatus(saved, 200)
    const posts = [await created({ account_ids: [queued] }), await created({ account_ids: [queued] })]
    const { data } = expectStatus(
      await reschedule(posts.toReversed().map(({ id }) => ({ id, queue: 'next' }))),
      200,
    ).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([posts[1].id, posts[0].id])
    expect(Date.parse(data[1].scheduled_at) - Date.parse(data[0].scheduled_at)).toBe(7 * 86_400_000)
  })

  test('400 for more than 50 posts, and for a version without a time', async () => {
    const { id } = await planned(30)
    const posts = Array.from({ length: 51 }, () => ({ id: randomUUID(), scheduled_at: null }))
    expectProblem(await reschedule(posts), 400, 'validation_failed', '/posts')
    expectProblem(await reschedule([{ id, version: 1 }]), 400, 'validation_failed', '/posts/0')
  })

  test('412 none moves if one has another version than the one sent, and it is named', async () => {
    const [one, other] = [await planned(30), await planned(40)]
    const move = (post: { id: string }, version?: number) => ({ id: post.id, scheduled_at: inMinutes(70), version })
    const { data } = expectStatus(await reschedule([move(one), move(other)]), 200).body
    const etag = expectStatus(await owner.get(`/api/v1/posts/${one.id}`), 200).headers.get('etag')
    expect(etag).toBe(`"${data[0].version}"`)
    expectStatus(await owner.patch(`/api/v1/posts/${other.id}`, { content: 'Changed' }), 200)
    const back = [
      { ...move(one, data[0].version), scheduled_at: one.scheduled_at },
      { ...move(other, data[1].version), scheduled_at: other.scheduled_at },
    ]
    const { errors } = expectProblem(await reschedule(back), 412, 'version_conflict')
    expect(errors).toMatchObject([{ pointer: '/posts/1/version', code: 'version_conflict' }])
    expect(await timeOf(one.id)).not.toBe(one.scheduled_at)
    expectStatus(await reschedule(back.slice(0, 1)), 200)
    expect(await timeOf(one.id)).toBe(one.scheduled_at)
  })

  test('200 an idea gets a time, a post in review another planned one, and null makes a draft', async () => {
    const idea = await created({ is_idea: true, account_ids: [account] })
    const waiting = await created({ account_ids: [account] })
    await putInReview(t, waiting.id)
    const post = await planned(30)
    const scheduled_at = inMinutes(50)
    const { data } = expectStatus(
      await reschedule([
        { id: idea.id, scheduled_at },
        { id: waiting.id, scheduled_at },
        { id: post.id, scheduled_at: null },
      ]),
      200,
    ).body
    expect(data).toMatchObject([
      { is_idea: false, status: 'scheduled', scheduled_at },
      { status: 'draft', review: 'pending', review_scheduled_at: scheduled_at },
      { status: 'draft', scheduled_at: null },
    ])
  })

  test('calls for the same posts in different orders wait for each other', async () => {
    const [one, other] = [await planned(100), await planned(200)]
    const to = (minutes: number, ids: string[]) => ids.map((id) => ({ id, scheduled_at: inMinutes(minutes) }))
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => reschedule(to(300 + n, n % 2 ? [one.id, other.id] : [other.id, one.id]))),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await timeOf(one.id)).toBe(await timeOf(other.id))
  })
})
