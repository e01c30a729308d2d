import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { mailsTo } from '../../../../test/people.ts'
import { failPost } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { savePostingTimes } from '../../../../test/queue.ts'
import { newRecurringPost } from '../../../../test/recurring-posts.ts'
import { handleMissedTimes } from './missed-times.ts'

const t = await testApp()
const MINUTE = 60_000
const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString()

const POLICY = '/api/v1/workspace/approval-policy'
const ONE = { mode: 'one' }
const step = (...people: WorkspaceOwner[]) => ({ need: 'all', user_ids: people.map(({ id }) => id) })

/** A workspace with an account, its owner, an editor and an author, and a policy. */
async function team(policy: object = ONE) {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const editor = await memberOf(t, owner.workspace_id, 'editor')
  const author = await memberOf(t, owner.workspace_id, 'author')
  expectStatus(await owner.put(POLICY, policy), 200)
  const write = async (body: object = {}, person = author) =>
    expectStatus(await person.post('/api/v1/posts', { content: 'Hello', account_ids: [account], ...body }), 201).body
  const call = (person: WorkspaceOwner, id: string, act: string, body: object = {}) =>
    person.post(`/api/v1/posts/${id}/${act}`, body)
  const approve = async (person: WorkspaceOwner, id: string, body: object = {}) =>
    expectStatus(await call(person, id, 'approve', body), 200).body
  const read = async (id: string) => expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body
  const review = async (id: string, person = owner) =>
    expectStatus(await person.get(`/api/v1/posts/${id}/review`), 200).body
  const pass = async (minutes: number) => {
    t.advance(minutes * MINUTE)
    await t.runJobs()
    await handleMissedTimes(t.deps)
  }
  return { owner, account, editor, author, write, call, approve, read, review, pass }
}

describe('the policy of approval', () => {
  test('is none at first, is that of the workspace, and that of an account in its place', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    const none = { mode: 'none', own_posts: false, steps: [], when_unapproved: 'wait', accounts: [] }
    expect(expectStatus(await owner.get('/api/v1/workspace/approval-policies'), 200).body).toEqual(none)
    const saved = expectStatus(await owner.put(POLICY, { ...ONE, own_posts: true, when_unapproved: 'expire' }), 200)
    const anyEditor = { need: 'any', role: 'editor', user_ids: [] }
    const one = { mode: 'one', own_posts: true, steps: [anyEditor], when_unapproved: 'expire', accounts: [] }
    expect(saved.body).toEqual(one)
    const path = `/api/v1/accounts/${account}/approval-policy`
    const own = expectStatus(await owner.put(path, { mode: 'none' }), 200).body
    expect(own).toEqual({ ...one, accounts: [{ account_id: account, mode: 'none', own_posts: false, steps: [] }] })
    expect(expectStatus(await owner.put(path, { mode: 'inherit' }), 200).body).toEqual(one)
    const { data } = (await owner.get('/api/v1/workspace/audit-log?action=approval_policy.changed')).body
    expect(data).toHaveLength(3)
    expect(data[2].details).toMatchObject({ mode: 'one', steps: [anyEditor] })
  })

  test('400 refuses steps without people, with both kinds, of people who may not approve, and of another mode', async () => {
    const { owner, editor, author } = await team()
    const steps = (...list: object[]) => owner.put(POLICY, { mode: 'steps', steps: list })
    expectProblem(await steps({ need: 'any' }), 400, 'validation_failed', '/steps/0')
    expectProblem(await steps({ role: 'admin', ...step(editor) }), 400, 'validation_failed', '/steps/0')
    expectProblem(await steps(step(editor), step(author)), 400, 'validation_failed', '/steps/1/user_ids/0')
    expectProblem(await owner.put(POLICY, { mode: 'steps' }), 400, 'validation_failed', '/steps')
    expectProblem(await owner.put(POLICY, { ...ONE, steps: [step(editor)] }), 400, 'validation_failed', '/steps')
    expectProblem(await steps(...Array.from({ length: 6 }, () => step(editor))), 400, 'validation_failed')
  })

  test('403 for an editor, and for a plan without the feature, which can turn it off', async () => {
    const { owner, editor, account } = await team()
    expectProblem(await editor.put(POLICY, ONE), 403, 'forbidden_role')
    const admin = await signedIn(t, { instanceAdmin: true })
    expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: true }), 200)
    const refused = expectProblem(await owner.put(POLICY, ONE), 403, 'feature_not_available')
    expect(refused).toMatchObject({ feature: 'approvals' })
    const path = `/api/v1/accounts/${account}/approval-policy`
    expectProblem(await owner.put(path, ONE), 403, 'feature_not_available')
    expectStatus(await owner.put(path, { mode: 'inherit' }), 200)
    expectStatus(await owner.put(POLICY, { mode: 'none' }), 200)
    expectStatus(await admin.delete('/api/v1/options/billing.enabled'), 204)
  })

  test('404 for the account of another workspace', async () => {
    const [{ owner }, other] = [await team(), await team()]
    expectProblem(await owner.put(`/api/v1/accounts/${other.account}/approval-policy`, ONE), 404, 'not_found')
  })
})

describe('a post whose accounts ask for an approval', () => {
  test('waits when it is scheduled, published or queued, and goes out at its time once it is approved', async () => {
    const { owner, write, read, call, approve, pass, author, editor } = await team()
    const at = inMinutes(10)
    const scheduled = await write({ scheduled_at: at })
    const log = (await owner.get('/api/v1/workspace/audit-log?action=post.review_requested')).body
    expect(log.data).toMatchObject([{ target_id: scheduled.id }])
    expect(scheduled).toMatchObject({
      status: 'draft',
      scheduled_at: null,
      review: 'pending',
      review_scheduled_at: at,
    })
    const draft = await write()
    expect(draft).toMatchObject({ status: 'draft', review: 'none' })
    expect(expectStatus(await call(author, draft.id, 'publish'), 200).body).toMatchObject({ review: 'pending' })
    const { id: later } = await write()
    const patched = expectStatus(await author.patch(`/api/v1/posts/${later}`, { scheduled_at: at }), 200)
    expect(patched.body).toMatchObject({ status: 'draft', review: 'pending', review_scheduled_at: at })
    await pass(2)
    expect(await read(draft.id)).toMatchObject({ status: 'draft', targets: [{ attempts: 0 }] })
    // What was to be published at once is, when it is approved soon.
    await approve(editor, draft.id)
    await t.runJobs()
    expect(await read(draft.id)).toMatchObject({ status: 'published', review: 'approved' })
    expect(await approve(editor, scheduled.id)).toMatchObject({ status: 'scheduled', scheduled_at: at })
    await pass(9)
    expect(await read(scheduled.id)).toMatchObject({ status: 'published' })
    expect(await read(later)).toMatchObject({ status: 'draft', targets: [{ attempts: 0 }] })
  })

  test('is not approved by its author, unless the policy lets them', async () => {
    const { owner, editor, write, call, approve, review } = await team()
    const { id } = await write({ scheduled_at: inMinutes(10) }, editor)
    const refused = expectProblem(await call(editor, id, 'approve'), 403, 'not_an_approver')
    expect(refused.detail).toContain('their own posts')
    expect(await review(id, editor)).toMatchObject({ waits_for_you: false })
    expectStatus(await owner.put(POLICY, { ...ONE, own_posts: true }), 200)
    expect(await review(id, editor)).toMatchObject({ waits_for_you: true })
    await approve(editor, id)
  })

  test('needs each step in its order, and each person of a step for all', async () => {
    const { owner, editor, write, call, approve, review, author } = await team()
    const second = await memberOf(t, owner.workspace_id, 'editor')
    const steps = [step(editor, second), { need: 'any', role: 'owner' }]
    expectStatus(await owner.put(POLICY, { mode: 'steps', steps }), 200)
    const at = inMinutes(30)
    const { id } = await write({ scheduled_at: at })
    expectProblem(await call(owner, id, 'approve'), 403, 'not_an_approver')
    expect(await review(id, editor)).toMatchObject({
      waits_for_you: true,
      open: [{ step: 1, steps: 2, need: 'all', approvers: [{ id: editor.id }, { id: second.id }] }],
    })
    expect(await approve(editor, id)).toMatchObject({ status: 'draft', review: 'pending', review_scheduled_at: at })
    expectProblem(await call(editor, id, 'approve'), 403, 'not_an_approver')
    expect(await approve(second, id)).toMatchObject({ review: 'pending' })
    expect(await review(id)).toMatchObject({ waits_for_you: true, open: [{ step: 2, steps: 2 }] })
    // A change of the content begins again.
    expectStatus(await author.patch(`/api/v1/posts/${id}`, { content: 'Changed' }), 200)
    expectProblem(await call(owner, id, 'approve'), 403, 'not_an_approver')
    await approve(second, id)
    await approve(editor, id)
    expect(await approve(owner, id)).toMatchObject({ status: 'scheduled', scheduled_at: at, review: 'approved' })
    const { decisions } = await review(id)
    const seen = decisions.map((one: { by: { id: string }; step: number; is_current: boolean }) => [
      one.by.id,
      one.step,
      one.is_current,
    ])
    expect(seen).toEqual([
      [owner.id, 2, true],
      [editor.id, 1, true],
      [second.id, 1, true],
      [second.id, 1, false],
      [editor.id, 1, false],
    ])
  })

  test('meets the policies of all of its accounts', async () => {
    const { owner, account, editor, author, call, approve } = await team({ mode: 'none' })
    const other = await playgroundAccount(owner)
    const policy = { mode: 'steps', steps: [step(owner)] }
    expectStatus(await owner.put(`/api/v1/accounts/${other}/approval-policy`, policy), 200)
    const write = (account_ids: string[]) =>
      author.post('/api/v1/posts', { content: 'Hello', account_ids, scheduled_at: inMinutes(10) })
    expect((await write([account])).body).toMatchObject({ status: 'scheduled', review: 'none' })
    const { id } = expectStatus(await write([account, other]), 201).body
    expectProblem(await call(editor, id, 'approve'), 403, 'not_an_approver')
    expect(await approve(owner, id)).toMatchObject({ status: 'scheduled' })
  })

  test('keeps who decided what, with its token, and a rejection ends what was approved', async () => {
    const { owner, editor, author, write, call, review } = await team()
    const steps = [{ need: 'any', role: 'editor' }, step(owner)]
    expectStatus(await owner.put(POLICY, { mode: 'steps', steps }), 200)
    const { id } = await write({ scheduled_at: inMinutes(10) })
    const token = await withToken(t, editor, ['posts:write'])
    expectStatus(await token.post(`/api/v1/public/posts/${id}/approve`), 200)
    expectStatus(await call(owner, id, 'reject', { reason: 'Not on Mondays.' }), 200)
    expect(expectStatus(await call(author, id, 'request-approval'), 200).body).toMatchObject({
      review: 'pending',
      review_reason: null,
      review_scheduled_at: expect.any(String),
    })
    expectProblem(await call(author, id, 'request-approval'), 409, 'invalid_transition')
    const { open, decisions } = await review(id)
    expect(open).toMatchObject([{ step: 1 }])
    expect(decisions).toMatchObject([
      { decision: 'rejected', reason: 'Not on Mondays.', step: 2, token_id: null, by: { id: owner.id } },
      { decision: 'approved', reason: null, step: 1, token_id: expect.any(String), by: { id: editor.id } },
    ])
  })

  test('stays approved while its decisions meet a changed policy, also when it is published', async () => {
    const { owner, editor, author, write, call, approve, read } = await team()
    const { id } = await write()
    expectStatus(await call(author, id, 'request-approval'), 200)
    await approve(editor, id)
    expectStatus(await owner.put(POLICY, { ...ONE, own_posts: true }), 200)
    expectProblem(await call(author, id, 'request-approval'), 409, 'invalid_transition')
    expectStatus(await call(author, id, 'publish'), 200)
    await t.runJobs()
    expect(await read(id)).toMatchObject({ status: 'published', review: 'approved' })
  })

  test('can be asked for again when its approval no longer meets the policy', async () => {
    const { owner, editor, author, write, call, approve } = await team()
    const { id } = await write()
    expectStatus(await call(author, id, 'request-approval'), 200)
    await approve(editor, id)
    expectStatus(await owner.put(POLICY, { mode: 'steps', steps: [step(owner)] }), 200)
    expect(expectStatus(await call(author, id, 'request-approval'), 200).body).toMatchObject({ review: 'pending' })
  })

  test('waits for any editor when nothing is open', async () => {
    const { owner, editor, author, write, approve, review } = await team({ mode: 'none' })
    expectStatus(await owner.put(POLICY, ONE), 200)
    const at = inMinutes(20)
    const { id } = await write({ scheduled_at: at })
    await approve(editor, id)
    for (const content of ['Not seen', 'Hello'])
      expectStatus(await author.patch(`/api/v1/posts/${id}`, { content }), 200)
    expect(await review(id, owner)).toMatchObject({ waits_for_you: true, open: [] })
    expect(await review(id, author)).toMatchObject({ waits_for_you: false })
    expect(await approve(owner, id)).toMatchObject({ status: 'scheduled', scheduled_at: at })
  })

  test('is listed with what it waits for', async () => {
    const { owner, editor, author, write } = await team()
    const { id } = await write({ scheduled_at: inMinutes(10) })
    await write()
    const listOf = async (person: WorkspaceOwner) =>
      expectStatus(await person.get('/api/v1/posts/reviews'), 200).body.data
    const approvers = [owner, editor].map((one) => one.id).toSorted()
    const state = { post_id: id, open: [{ step: 1, approvers: approvers.map((one) => ({ id: one })) }] }
    expect(await listOf(editor)).toMatchObject([{ ...state, waits_for_you: true }])
    expect(await listOf(author)).toMatchObject([{ ...state, waits_for_you: false }])
  })

  test('400 asks for nothing that its networks would refuse', async () => {
    const { author, account } = await team()
    const body = { content: '', account_ids: [account], scheduled_at: inMinutes(10) }
    expectProblem(await author.post('/api/v1/posts', body), 400, 'validation_failed')
  })
})

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
