import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import type { Client } from '../../../test/client.ts'
import { expectStatus, playgroundAccount, signedIn, withToken, withWorkspace } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { addJob, type Jobs } from '../../lib/runtime/jobs.ts'
import { setPlan } from '../workspaces/workspaces.ts'

let t: TestApp
let other: TestApp
beforeAll(async () => {
  t = await testApp()
  other = await testApp({}, { beside: t })
  await bill(true)
})
afterAll(async () => {
  await other?.close()
  await t?.close()
})

const DAY = 86_400_000
type Owner = Client & { workspace_id: string; email: string }

/** One whose session is fresh, because the clock advances. */
const newAdmin = () => signedIn(t, { instanceAdmin: true })
const bill = async (value: boolean) =>
  expectStatus(await (await newAdmin()).put('/api/v1/options/billing.enabled', { value }), 200)
const move = ({ workspace_id }: Owner, plan_code: string | null) =>
  inTransaction(t.deps.db, (tx) => setPlan(t.deps, tx, workspace_id, plan_code))
async function run(name: 'apply-account-limits' | 'update-limit-excess') {
  await inTransaction(t.deps.db, (tx) => addJob(tx, name, {} as Jobs[typeof name]))
  await t.runJobs()
}
async function pass(days: number) {
  t.advance(days * DAY)
  await run('apply-account-limits')
}

/** A workspace with five accounts on the plan Pro; Free allows three. The token outlasts any advance of the clock. */
async function withFive() {
  const person = await withWorkspace(t)
  const { token } = await withToken(t, person, [])
  const owner: Owner = Object.assign(
    t.anyone.with({ authorization: `Bearer ${token}`, 'x-workspace-id': person.workspace_id }),
    { workspace_id: person.workspace_id, email: person.email },
  )
  await move(owner, 'pro')
  const ids: string[] = []
  while (ids.length < 5) ids.push(await playgroundAccount(owner))
  return { owner, ids, token }
}

const pausedOf = async (owner: Client, ids: string[]) => {
  const { data } = expectStatus(await owner.get('/api/v1/accounts?limit=100'), 200).body
  return ids.map((id) => data.find((account: { id: string }) => account.id === id)?.paused_by)
}
const accountsMeter = async (owner: Client) =>
  expectStatus(await owner.get('/api/v1/workspace/usage'), 200).body.meters.find(
    ({ meter }: { meter: string }) => meter === 'social_accounts',
  )

test('a smaller plan deletes nothing, refuses more, and pauses the accounts connected last after 14 days', async () => {
  const { owner, ids } = await withFive()
  expect(await accountsMeter(owner)).toMatchObject({ used: 5, limit: 15, over_since: null })
  const since = t.clock.now()
  await move(owner, null)
  expect(await accountsMeter(owner)).toMatchObject({ used: 5, limit: 3, over_since: since.toISOString() })
  expectProblem(await owner.post('/api/v1/accounts', { network: 'playground' }), 403, 'limit_exceeded')
  await pass(13)
  expect(await pausedOf(owner, ids)).toEqual([null, null, null, null, null])
  await pass(1)
  expect(await pausedOf(owner, ids)).toEqual([null, null, null, 'plan', 'plan'])
  await run('apply-account-limits')
  const mails = (await mailsTo(t, owner.email)).filter(({ key }) => key === 'accounts-paused')
  expect(mails).toHaveLength(1)
  expect(mails[0]?.body_text).toContain('Playground 5')
  expect(await accountsMeter(owner)).toMatchObject({ used: 5, limit: 3, over_since: since.toISOString() })
  expectProblem(await owner.patch(`/api/v1/accounts/${ids[4]}`, { paused: false }), 403, 'limit_exceeded')
})

test('a larger plan resumes the accounts in the same transaction, as far as its limit allows', async () => {
  const { owner, ids } = await withFive()
  await move(owner, null)
  await pass(14)
  await move(owner, 'pro')
  expect(await pausedOf(owner, ids)).toEqual([null, null, null, null, null])
  expect(await accountsMeter(owner)).toMatchObject({ over_since: null })
})

test('a workspace chooses which accounts publish, and the choice stays', async () => {
  const { owner, ids } = await withFive()
  await move(owner, null)
  await pass(14)
  expectStatus(await owner.patch(`/api/v1/accounts/${ids[0]}`, { paused: true }), 200)
  const { body } = expectStatus(await owner.patch(`/api/v1/accounts/${ids[4]}`, { paused: false }), 200)
  expect(body).toMatchObject({ paused: false, paused_by: null })
  await pass(1)
  expect(await pausedOf(owner, ids)).toEqual(['member', null, null, 'plan', null])
  expectProblem(await owner.patch(`/api/v1/accounts/${ids[0]}`, { paused: false }), 403, 'limit_exceeded')
  await move(owner, 'pro')
  expect(await pausedOf(owner, ids)).toEqual(['member', null, null, null, null])
  expectStatus(await owner.patch(`/api/v1/accounts/${ids[0]}`, { paused: false }), 200)
})

test('accounts that a member pauses in time are not paused again after 14 days', async () => {
  const { owner, ids } = await withFive()
  await move(owner, null)
  for (const id of ids.slice(0, 2)) expectStatus(await owner.patch(`/api/v1/accounts/${id}`, { paused: true }), 200)
  await pass(14)
  expect(await pausedOf(owner, ids)).toEqual(['member', 'member', null, null, null])
})

test('paused accounts come back when billing is switched off', async () => {
  const { owner, ids } = await withFive()
  await move(owner, null)
  await pass(14)
  await bill(false)
  try {
    await run('apply-account-limits')
    expect(await pausedOf(owner, ids)).toEqual([null, null, null, null, null])
  } finally {
    await bill(true)
  }
})

test('an excess that comes from a changed limit of the plan is noted within the hour', async () => {
  const { owner } = await withFive()
  const admin = await newAdmin()
  const { body: pro } = expectStatus(await admin.get('/api/v1/admin/plans/pro'), 200)
  const limit = async (social_accounts: number) =>
    expectStatus(await admin.patch('/api/v1/admin/plans/pro', { limits: { ...pro.limits, social_accounts } }), 200)
  await limit(2)
  try {
    await run('update-limit-excess')
    expect(await accountsMeter(owner)).toMatchObject({ limit: 2, over_since: t.clock.now().toISOString() })
  } finally {
    await limit(pro.limits.social_accounts)
  }
  await run('update-limit-excess')
  expect(await accountsMeter(owner)).toMatchObject({ over_since: null })
})

test('a paused account cannot be scheduled, and what is due on it fails with a code and can be retried', async () => {
  const { owner, ids } = await withFive()
  const [account = ''] = ids
  const later = new Date(t.clock.now().getTime() + 3_600_000).toISOString()
  const post = { content: 'Hello', account_ids: [account] }
  const { id } = expectStatus(await owner.post('/api/v1/posts', { ...post, scheduled_at: later }), 201).body
  expectStatus(await owner.patch(`/api/v1/accounts/${account}`, { paused: true }), 200)
  const refused = expectProblem(
    await owner.post('/api/v1/posts', { ...post, publish_now: true }),
    400,
    'validation_failed',
  )
  expect(refused.errors).toMatchObject([{ pointer: '/account_ids/0', message: expect.stringContaining('paused') }])
  const { problems } = expectStatus(await owner.post('/api/v1/posts/validate', post), 200).body
  expect(problems).toMatchObject([{ pointer: '/account_ids/0' }])
  t.advance(2 * 3_600_000)
  await t.runJobs()
  const failed = expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body
  expect(failed).toMatchObject({ status: 'failed', targets: [{ error_code: 'account_paused' }] })
  expectStatus(await owner.patch(`/api/v1/accounts/${account}`, { paused: false }), 200)
  expectStatus(await owner.post(`/api/v1/posts/${id}/retry`), 200)
  await t.runJobs()
  expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
})

test('a change of plan applies on every node at once, to limits and to features', async () => {
  const { owner, token } = await withFive()
  const there = other.anyone.with({
    authorization: `Bearer ${token}`,
    'x-workspace-id': owner.workspace_id,
  })
  expectStatus(await there.get('/api/v1/workspace/audit-log'), 200)
  await move(owner, null)
  expectProblem(await there.post('/api/v1/accounts', { network: 'playground' }), 403, 'limit_exceeded')
})
