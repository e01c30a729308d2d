import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, playgroundAccount, type WorkspaceOwner } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { mailsTo } from '../../../../test/people.ts'
import { failPost } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { savePostingTimes } from '../../../../test/queue.ts'
import { newRecurringPost } from '../../../../test/recurring-posts.ts'
import { approvalTeam, EDITOR_THEN_CLIENT, ONE, POLICY, step } from '../approval/approval.fixture.ts'
import { handleMissedTimes } from './missed-times.ts'

const t = await testApp()
const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString()
const team = (policy: object = ONE) => approvalTeam(t, policy)

describe('nothing unapproved goes out', () => {
  test('when a policy is turned on: what is scheduled is put in review, and at the latest at its time', async () => {
    const { owner, write, read, pass } = await team({ mode: 'none' })
    const [soon, later] = [inMinutes(1), inMinutes(20)]
    const [first, second] = [await write({ scheduled_at: soon }), await write({ scheduled_at: later })]
    expectStatus(await owner.put(POLICY, ONE), 200)
    // Its job is not run yet.
    await sql`select graphile_worker.remove_job(${`ask-for-approvals ${owner.workspace_id}`})`.execute(t.deps.db)
    await pass(2)
    const waiting = { status: 'draft', review: 'pending', targets: [{ attempts: 0, status: 'pending' }] }
    expect(await read(first.id)).toMatchObject({ ...waiting, review_scheduled_at: soon })
    expectStatus(await owner.put(POLICY, { ...ONE, own_posts: true }), 200)
    await t.runJobs()
    expect(await read(second.id)).toMatchObject({ ...waiting, review_scheduled_at: later })
  })

  test('when a policy is made stricter, and what meets the new one stays approved', async () => {
    const { owner, editor, write, approve, read } = await team()
    const at = inMinutes(20)
    const [mine, other] = [await write({ scheduled_at: at }), await write({ scheduled_at: at })]
    await approve(owner, mine.id)
    await approve(editor, other.id)
    expectStatus(await owner.put(POLICY, { mode: 'steps', steps: [step(owner)] }), 200)
    await t.runJobs()
    expect(await read(mine.id)).toMatchObject({ status: 'scheduled', review: 'approved' })
    expect(await read(other.id)).toMatchObject({ status: 'draft', review: 'pending', review_scheduled_at: at })
  })

  test('when its content, an account or the text of a file is changed after the approval', async () => {
    const { owner, account, editor, author, write, approve, read } = await team()
    const other = await playgroundAccount(owner)
    const { id: media_id } = await uploaded(author)
    const at = inMinutes(20)
    const changes: object[] = [
      { content: 'Not seen' },
      { first_comment: 'Not seen' },
      { thread: [{ content: 'Not seen' }] },
      { account_ids: [account, other] },
      { targets: [{ account_id: account, content: 'Not seen' }] },
    ]
    for (const change of changes) {
      const { id } = await write({ scheduled_at: at })
      await approve(editor, id)
      expectStatus(await author.patch(`/api/v1/posts/${id}`, change), 200)
      expect({ change, post: await read(id) }).toMatchObject({ change, post: { status: 'draft', review: 'pending' } })
    }
    const { id } = await write({ scheduled_at: at, media_ids: [media_id] })
    const before = (await owner.get(`/api/v1/posts/${id}`)).headers.get('etag') ?? ''
    expectStatus(await author.patch(`/api/v1/media/${media_id}`, { alt: 'First' }), 200)
    const seen = { body: {}, headers: { 'if-match': before } }
    expectProblem(await editor.call('POST', `/api/v1/posts/${id}/approve`, seen), 412, 'version_conflict')
    await approve(editor, id)
    expectStatus(await author.patch(`/api/v1/media/${media_id}`, { alt: 'Not seen' }), 200)
    expect(await read(id)).toMatchObject({ status: 'draft', review: 'pending', review_scheduled_at: at })
  })

  test('when the content of an approval by an earlier version is changed', async () => {
    const { account, editor, author, write, call, approve, read } = await team({ mode: 'none' })
    const at = inMinutes(20)
    const { id } = await write({ account_ids: [account] })
    expectStatus(await call(author, id, 'request-approval', { scheduled_at: at }), 200)
    await approve(editor, id)
    const earlier = { approved_content: null, approved_policies: null }
    await t.deps.db.updateTable('post').set(earlier).where('id', '=', id).execute()
    expectStatus(await author.patch(`/api/v1/posts/${id}`, { labels: ['a'] }), 200)
    expect(await read(id)).toMatchObject({ status: 'scheduled', review: 'approved' })
    await t.deps.db.updateTable('post').set(earlier).where('id', '=', id).execute()
    expectStatus(await author.patch(`/api/v1/posts/${id}`, { content: 'Not seen' }), 200)
    expect(await read(id)).toMatchObject({ status: 'draft', review: 'pending', review_scheduled_at: at })
  })

  test('when a policy is set for an approval by an earlier version', async () => {
    const { owner, author, write, call, approve, read } = await team({ mode: 'none' })
    const { id } = await write()
    expectStatus(await call(author, id, 'request-approval', { scheduled_at: inMinutes(20) }), 200)
    await approve(owner, id)
    const earlier = { approved_content: null, approved_policies: null }
    await t.deps.db.updateTable('post').set(earlier).where('id', '=', id).execute()
    await t.deps.db.deleteFrom('review_decision').where('post_id', '=', id).execute()
    expectStatus(await owner.put(POLICY, ONE), 200)
    await t.runJobs()
    expect(await read(id)).toMatchObject({ status: 'draft', review: 'pending' })
  })

  test('when a row is changed behind the back of the machine', async () => {
    const { account, editor, author, write, approve, read, pass } = await team()
    const { id: media_id } = await uploaded(author)
    const hidden: ((id: string) => Promise<unknown>)[] = [
      (id) => t.deps.db.updateTable('post').set({ content: 'Not seen' }).where('id', '=', id).execute(),
      (id) => t.deps.db.updateTable('post_target').set({ content: 'x' }).where('post_id', '=', id).execute(),
      (id) => t.deps.db.updateTable('post_target').set({ options: '{"a":1}' }).where('post_id', '=', id).execute(),
      () => t.deps.db.updateTable('media').set({ alt: 'Not seen' }).where('id', '=', media_id).execute(),
    ]
    const ids: string[] = []
    for (const change of hidden) {
      const { id } = await write({ scheduled_at: inMinutes(10), account_ids: [account], media_ids: [media_id] })
      await approve(editor, id)
      await change(id)
      ids.push(id)
    }
    await pass(11)
    for (const id of ids)
      expect(await read(id)).toMatchObject({ review: 'pending', status: 'draft', targets: [{ attempts: 0 }] })
  })

  test('by a retry: a failed post is put in review', async () => {
    const { owner, editor, author, write, call, approve, read } = await team({ mode: 'none' })
    const { id } = await write()
    await failPost(t, id)
    expectStatus(await owner.put(POLICY, ONE), 200)
    expect(expectStatus(await call(author, id, 'retry'), 200).body).toMatchObject({
      status: 'draft',
      review: 'pending',
    })
    await approve(editor, id)
    expectStatus(await call(author, id, 'publish'), 200)
    await t.runJobs()
    expect(await read(id)).toMatchObject({ status: 'published' })
  })

  test('by a recurring post: each occurrence waits', async () => {
    const { owner, editor, approve } = await team()
    expectStatus(await owner.post('/api/v1/recurring-posts', await newRecurringPost(t, owner)), 201)
    await t.runJobs()
    const { data } = (await owner.get('/api/v1/posts?review=pending')).body
    expect(data.length).toBeGreaterThan(0)
    expect((await owner.get('/api/v1/posts?status=scheduled')).body.data).toEqual([])
    expect(await approve(editor, data[0].id)).toMatchObject({ status: 'scheduled', updated_by_id: null })
    const { recurring_post_id } = data[0]
    expectStatus(await owner.delete(`/api/v1/recurring-posts/${recurring_post_id}`), 204)
    expectProblem(await owner.get(`/api/v1/posts/${data[0].id}`), 404, 'not_found')
  })

  test('of a restored post', async () => {
    const { owner, write, read, pass } = await team({ mode: 'none' })
    const { id } = await write({ scheduled_at: inMinutes(10) })
    expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
    expectStatus(await owner.put(POLICY, ONE), 200)
    await t.runJobs()
    expectStatus(await owner.post(`/api/v1/posts/${id}/restore`), 200)
    await pass(11)
    expect(await read(id)).toMatchObject({ status: 'draft', review: 'pending', targets: [{ attempts: 0 }] })
  })
})

describe('a post whose time comes before it is approved', () => {
  const mails = async (person: WorkspaceOwner) =>
    (await mailsTo(t, person.email)).filter(({ key }) => key === 'posts-unapproved')

  test('waits, tells its author and approvers once, and goes out when it is approved within the hour', async () => {
    const { owner, editor, author, write, approve, read, pass } = await team({ mode: 'one' })
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const { id } = await write({ scheduled_at: inMinutes(5) })
    for (const minutes of [6, 2, 20]) await pass(minutes)
    expect(await read(id)).toMatchObject({ status: 'draft', review: 'pending' })
    for (const person of [owner, editor, author]) expect(await mails(person)).toHaveLength(1)
    expect(await mails(viewer)).toEqual([])
    await approve(editor, id)
    await t.runJobs()
    expect(await read(id)).toMatchObject({ status: 'published' })
  })

  test('tells its author and the editors when it waits for the client', async () => {
    const { owner, editor, author, write, approve, pass } = await team(EDITOR_THEN_CLIENT)
    const { id } = await write({ scheduled_at: inMinutes(5) })
    await approve(editor, id)
    for (const minutes of [6, 2, 20]) await pass(minutes)
    for (const person of [owner, editor, author]) expect(await mails(person)).toHaveLength(1)
  })

  test('is planned for the next slot of the queue, or waits without one', async () => {
    const { owner, account, write, read, pass } = await team({ ...ONE, when_unapproved: 'next_slot' })
    const [first, second] = [inMinutes(5), inMinutes(200)]
    const { id } = await write({ scheduled_at: first })
    await pass(6)
    expect(await read(id)).toMatchObject({ review: 'pending', review_scheduled_at: first })
    await savePostingTimes(owner, account)
    const { id: other } = await write({ scheduled_at: second })
    await pass(200)
    const moved = await read(other)
    expect(moved).toMatchObject({ status: 'draft', review: 'pending' })
    expect(Date.parse(moved.review_scheduled_at)).toBeGreaterThan(t.clock.now().getTime())
  })

  test('is dealt with although another one fails', async () => {
    const { write, read } = await team({ ...ONE, when_unapproved: 'expire' })
    const [broken, sound] = [await write({ scheduled_at: inMinutes(5) }), await write({ scheduled_at: inMinutes(5) })]
    t.advance(6 * MINUTE)
    const { lifecycle } = t.deps
    const onPostReviewed: typeof lifecycle.onPostReviewed = async (tx, reviewed) => {
      if (reviewed.post_id === broken.id) throw new Error('Broken')
      await lifecycle.onPostReviewed(tx, reviewed)
    }
    const deps = { ...t.deps, lifecycle: { ...lifecycle, onPostReviewed } }
    await expect(handleMissedTimes(deps)).rejects.toThrow('Some missed times could not be handled.')
    expect(await read(broken.id)).toMatchObject({ review: 'pending' })
    expect(await read(sound.id)).toMatchObject({ review: 'rejected' })
  })

  test('is rejected where the workspace chose so', async () => {
    const { write, read, review, pass } = await team({ ...ONE, when_unapproved: 'expire' })
    const { id } = await write({ scheduled_at: inMinutes(5) })
    const { id: atOnce } = await write({ publish_now: true })
    await pass(6)
    const review_reason = 'Its time came before it was approved.'
    expect(await read(id)).toMatchObject({ status: 'draft', review: 'rejected', review_reason })
    expect(await review(id)).toMatchObject({ decisions: [{ decision: 'rejected', by: null }] })
    // One that was to go out at once has no time that could come.
    expect(await read(atOnce)).toMatchObject({ review: 'pending' })
  })
})
