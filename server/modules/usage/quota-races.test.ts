import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { atOnce, countByStatus } from '../../../test/at-once.ts'
import { expectStatus, newAddress, type Person, playgroundAccount, signedIn } from '../../../test/factories.ts'
import { invite } from '../../../test/people.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { aiCredits } from '../ai/ai.meters.ts'
import { meterOf, planCalls, write } from './quotas.fixture.ts'
import { release, reserve } from './quotas.ts'

const t = await testApp()
const boss = await signedIn(t, { instanceAdmin: true })
expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)

const { changeLimits, withPlan, inHours, countedPosts } = planCalls(() => ({ t, boss }))

const drafts = async (who: Person, account: string, count: number): Promise<string[]> =>
  (await atOnce(count, () => write(who, account))).map((response) => expectStatus(response, 201).body.id)

test('fifty concurrent creations of scheduled posts reach the limit and never exceed it', async () => {
  const owner = await withPlan({ posts_per_month: 20 })
  const account = await playgroundAccount(owner)
  expect(countByStatus(await atOnce(50, () => write(owner, account, { scheduled_at: inHours() })))).toEqual({
    201: 20,
    403: 30,
  })
  expect(await meterOf(owner, 'posts_per_month')).toEqual({ meter: 'posts_per_month', used: 20, limit: 20 })
  expect(await countedPosts(owner.workspace_id)).toBe(20)
})

test('fifty concurrent schedulings of drafts reach the limit and never exceed it', async () => {
  const owner = await withPlan({ scheduled_posts_max: 20, posts_per_month: 45 })
  const account = await playgroundAccount(owner)
  const ids = await drafts(owner, account, 50)
  expect(
    countByStatus(await atOnce(50, (n) => owner.patch(`/api/v1/posts/${ids[n]}`, { scheduled_at: inHours() }))),
  ).toEqual({
    200: 20,
    403: 30,
  })
  expect((await meterOf(owner, 'scheduled_posts_max')).used).toBe(20)
  expect((await meterOf(owner, 'posts_per_month')).used).toBe(20)
})

test('fifty concurrent publications of drafts reach the limit and never exceed it', async () => {
  const owner = await withPlan({ posts_per_month: 20, scheduled_posts_max: 0 })
  const account = await playgroundAccount(owner)
  const ids = await drafts(owner, account, 50)
  expect(countByStatus(await atOnce(50, (n) => owner.post(`/api/v1/posts/${ids[n]}/publish`)))).toEqual({
    200: 20,
    403: 30,
  })
  expect((await meterOf(owner, 'posts_per_month')).used).toBe(20)
  expect(await countedPosts(owner.workspace_id)).toBe(20)
})

test('concurrent creations, deletions and restorations of posts keep the count exact', async () => {
  const owner = await withPlan({ posts_per_month: 20, scheduled_posts_max: 20 })
  const account = await playgroundAccount(owner)
  const made = await atOnce(20, () => write(owner, account, { scheduled_at: inHours() }))
  const ids: string[] = made.map((response) => expectStatus(response, 201).body.id)
  expect(countByStatus(await atOnce(50, (n) => owner.delete(`/api/v1/posts/${ids[n % 20]}`)))).toEqual({
    204: 20,
    404: 30,
  })
  expect((await meterOf(owner, 'posts_per_month')).used).toBe(0)
  expect((await meterOf(owner, 'scheduled_posts_max')).used).toBe(0)

  const responses = await Promise.all([
    atOnce(20, (n) => owner.post(`/api/v1/posts/${ids[n]}/restore`)),
    atOnce(30, () => write(owner, account, { scheduled_at: inHours() })),
  ])
  const counts = countByStatus(responses.flat())
  expect((counts[200] ?? 0) + (counts[201] ?? 0)).toBe(20)
  expect(counts[403]).toBe(30)
  expect((await meterOf(owner, 'posts_per_month')).used).toBe(20)
  expect((await meterOf(owner, 'scheduled_posts_max')).used).toBe(20)
  expect(await countedPosts(owner.workspace_id)).toBe(20)
})

test('posts that switch between draft and scheduled concurrently keep the count exact', async () => {
  const owner = await withPlan({ posts_per_month: 7, scheduled_posts_max: 5 })
  const account = await playgroundAccount(owner)
  const ids = await drafts(owner, account, 25)
  for (let round = 0; round < 3; round++)
    await Promise.all([
      atOnce(25, (n) => owner.patch(`/api/v1/posts/${ids[n]}`, { scheduled_at: inHours() })),
      atOnce(25, (n) => owner.patch(`/api/v1/posts/${ids[24 - n]}`, { scheduled_at: null })),
    ])
  await atOnce(25, (n) => owner.patch(`/api/v1/posts/${ids[n]}`, { scheduled_at: inHours() }))
  expect((await meterOf(owner, 'scheduled_posts_max')).used).toBe(5)
  expect((await meterOf(owner, 'posts_per_month')).used).toBe(await countedPosts(owner.workspace_id))
  await atOnce(25, (n) => owner.patch(`/api/v1/posts/${ids[n]}`, { scheduled_at: null }))
  expect((await meterOf(owner, 'posts_per_month')).used).toBe(0)
})

test('fifty concurrent connections of accounts reach the limit and never exceed it', async () => {
  const owner = await withPlan({ social_accounts: 20 })
  const connect = () => owner.post('/api/v1/accounts', { network: 'playground' })
  const responses = await atOnce(50, connect)
  expect(countByStatus(responses)).toEqual({ 201: 20, 403: 30 })
  expect(await meterOf(owner, 'social_accounts')).toEqual({ meter: 'social_accounts', used: 20, limit: 20 })
  const ids = responses.filter(({ status }) => status === 201).map(({ body }) => body.id)
  expect(countByStatus(await atOnce(5, (n) => owner.delete(`/api/v1/accounts/${ids[n]}`)))).toEqual({ 204: 5 })
  expect(countByStatus(await atOnce(20, connect))).toEqual({ 201: 5, 403: 15 })
})

test('fifty concurrent invitations reach the limit and never exceed it', async () => {
  const owner = await withPlan({ team_members: 20 })
  const responses = await atOnce(50, () =>
    owner.post('/api/v1/workspace/invitations', { email: newAddress(), role: 'viewer' }),
  )
  expect(countByStatus(responses)).toEqual({ 201: 19, 403: 31 })
  expect(await meterOf(owner, 'team_members')).toEqual({ meter: 'team_members', used: 20, limit: 20 })
})

test('invitations that are accepted after the plan became smaller do not exceed its limit', {
  timeout: 60_000,
}, async () => {
  const owner = await withPlan({})
  const invited: { person: Person; token: string }[] = []
  while (invited.length < 50) {
    // One at a time: only a few passwords are checked at once.
    const person = await signedIn(t)
    invited.push({ person, token: (await invite(t, owner, person.email, 'viewer')).token })
  }
  await changeLimits(owner.plan, { team_members: 20 })
  const responses = await Promise.all(
    invited.map(({ person, token }) => person.post(`/api/v1/invitations/${token}/accept`)),
  )
  expect(countByStatus(responses)).toEqual({ 200: 19, 403: 31 })
  const members = await t.deps.db
    .selectFrom('workspace_member')
    .select('user_id')
    .where('workspace_id', '=', owner.workspace_id)
    .execute()
  expect(members.length).toBe(20)
})

test('concurrent reservations and refunds of AI credits reach the limit and never exceed it', async () => {
  const owner = await withPlan({ ai_credits: 100 })
  const { workspace_id } = owner
  const now = t.clock.now()
  const take = () => inTransaction(t.deps.db, (tx) => reserve(tx, aiCredits, { workspace_id, amount: 3, now }))
  const taken = await Promise.allSettled(Array.from({ length: 50 }, take))
  const months = taken.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(months.length).toBe(33)
  expect(await meterOf(owner, 'ai_credits')).toEqual({ meter: 'ai_credits', used: 99, limit: 100 })
  await Promise.all(
    months.map((month) => inTransaction(t.deps.db, (tx) => release(tx, aiCredits, { workspace_id, amount: 3, month }))),
  )
  expect((await meterOf(owner, 'ai_credits')).used).toBe(0)
})
