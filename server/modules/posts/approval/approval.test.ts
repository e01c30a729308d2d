import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../../shared/time.ts'
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
import { expectProblem } from '../../../../test/problem.ts'
import { approvalTeam, ONE, POLICY, step } from './approval.fixture.ts'

const t = await testApp()
const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString()
const team = (policy: object = ONE) => approvalTeam(t, policy)

describe('the policy of approval', () => {
  test('is none at first, is that of the workspace, and that of an account in its place', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    const none = { mode: 'none', own_posts: false, steps: [], when_unapproved: 'wait', accounts: [] }
    expect(expectStatus(await owner.get('/api/v1/workspace/approval-policies'), 200).body).toEqual(none)
    const saved = expectStatus(await owner.put(POLICY, { ...ONE, own_posts: true, when_unapproved: 'expire' }), 200)
    const anyEditor = { kind: 'members', need: 'any', role: 'editor', user_ids: [] }
    const one = { mode: 'one', own_posts: true, steps: [anyEditor], when_unapproved: 'expire', accounts: [] }
    expect(saved.body).toEqual(one)
    const path = `/api/v1/accounts/${account}/approval-policy`
    const own = expectStatus(await owner.put(path, { mode: 'none' }), 200).body
    expect(own).toEqual({ ...one, accounts: [{ account_id: account, mode: 'none', own_posts: false, steps: [] }] })
    expect(expectStatus(await owner.put(path, { mode: 'inherit' }), 200).body).toEqual(one)
    const { data } = (await owner.get('/api/v1/workspace/audit-log?action=approval_policy.changed')).body
    expect(data).toHaveLength(3)
    expect(data[2].details).toMatchObject({ mode: 'one', steps: [{ need: 'any', role: 'editor', user_ids: [] }] })
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
    // A post for now is published at once when it is approved soon.
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
