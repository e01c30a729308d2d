import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { atOnce } from '../../../test/at-once.ts'
import { expectStatus, playgroundAccount, signedIn, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { aiCredits } from '../ai/ai.meters.ts'
import { meterNames } from './meter.ts'
import { meterOf, planCalls, write } from './quotas.fixture.ts'
import { release, reserve } from './quotas.ts'

const HOUR = 3600_000

const t = await testApp()
const boss = await signedIn(t, { instanceAdmin: true })
expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)

const { newPlan, changeLimits, put, withPlan, inHours, countedPosts } = planCalls(() => ({ t, boss }))

describe('posts and the monthly limit', () => {
  test('a post counts once, in the month in which it is first scheduled or published', async () => {
    const owner = await withPlan({})
    const account = await playgroundAccount(owner)
    const used = async () => (await meterOf(owner, 'posts_per_month')).used
    const { id } = expectStatus(await write(owner, account), 201).body
    expect(await used()).toBe(0)
    await owner.patch(`/api/v1/posts/${id}`, { scheduled_at: inHours(2) })
    expect(await used()).toBe(1)
    await owner.patch(`/api/v1/posts/${id}`, { scheduled_at: inHours(3), content: 'Changed' })
    expectStatus(await owner.post(`/api/v1/posts/${id}/publish`), 200)
    expect(await used()).toBe(1)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
    expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
    expect(await used()).toBe(1)
    expectStatus(await owner.post(`/api/v1/posts/${id}/restore`), 200)
    expect(await used()).toBe(1)
  })

  test('a post that failed on every account counts until it is deleted, and again after it is restored', async () => {
    const owner = await withPlan({ posts_per_month: 1 })
    const account = await playgroundAccount(owner)
    const used = async () => (await meterOf(owner, 'posts_per_month')).used
    const { id } = expectStatus(await write(owner, account, { publish_now: true }), 201).body
    expectStatus(await owner.delete(`/api/v1/accounts/${account}`), 204)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('failed')
    expect(await used()).toBe(1)
    await owner.delete(`/api/v1/posts/${id}`)
    expect(await used()).toBe(0)
    expectStatus(await owner.post(`/api/v1/posts/${id}/restore`), 200)
    expect(await used()).toBe(1)
    expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
    const other = await playgroundAccount(owner)
    expectStatus(await write(owner, other, { publish_now: true }), 201)
    expectProblem(await owner.post(`/api/v1/posts/${id}/restore`), 403, 'limit_exceeded')
  })

  test('a due post no longer counts as scheduled, and publishing at once does not count as scheduled', async () => {
    const owner = await withPlan({ scheduled_posts_max: 1 })
    const account = await playgroundAccount(owner)
    expectStatus(await write(owner, account, { scheduled_at: inHours() }), 201)
    expectProblem(await write(owner, account, { scheduled_at: inHours() }), 403, 'limit_exceeded')
    expectStatus(await write(owner, account, { publish_now: true }), 201)
    t.advance(2 * HOUR)
    await t.runJobs()
    expectStatus(await write(owner, account, { scheduled_at: inHours() }), 201)
  })

  test('a call repeated with its Idempotency-Key counts its post once', async () => {
    const owner = await withPlan({ posts_per_month: 5 })
    const account = await playgroundAccount(owner)
    const keyed = owner.with({ 'idempotency-key': 'the-same' })
    const body = { content: 'Hello', account_ids: [account], scheduled_at: inHours() }
    await keyed.post('/api/v1/posts', body)
    expect((await keyed.post('/api/v1/posts', body)).headers.get('idempotent-replayed')).toBe('true')
    expect((await meterOf(owner, 'posts_per_month')).used).toBe(1)
  })

  test('a post that became a draft because its workspace was deleted no longer counts', async () => {
    const owner = await withPlan({})
    const account = await playgroundAccount(owner)
    await atOnce(5, () => write(owner, account, { scheduled_at: inHours() }))
    const { name } = (await owner.get('/api/v1/workspace')).body
    expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    // A write that began before the workspace was deleted ends after it.
    const { rows } = await sql<{ id: string }>`
      with straggler as (select id from post where workspace_id = ${owner.workspace_id} limit 1),
        counted as (update usage set used = 1 where workspace_id = ${owner.workspace_id} and meter = 'posts_per_month')
      update post set status = 'scheduled', scheduled_at = ${inHours()}::timestamptz, counted_in = date_trunc('month', ${t.clock.now()}::timestamptz at time zone 'UTC')
      from straggler where post.id = straggler.id returning post.id`.execute(t.deps.db)
    expectStatus(await owner.post(`/api/v1/workspaces/${owner.workspace_id}/restore`), 200)
    expect((await owner.get(`/api/v1/posts/${rows[0]?.id}`)).body.status).toBe('draft')
    expect((await meterOf(owner, 'posts_per_month')).used).toBe(0)
    expect(await countedPosts(owner.workspace_id)).toBe(0)
  })
})

describe('limit_exceeded', () => {
  test('a smaller plan keeps what exists and refuses only new records', async () => {
    const owner = await withPlan({})
    const account = await playgroundAccount(owner)
    await playgroundAccount(owner)
    const ids = (await atOnce(3, () => write(owner, account, { scheduled_at: inHours() }))).map(({ body }) => body.id)
    await changeLimits(owner.plan, { social_accounts: 1, posts_per_month: 1, scheduled_posts_max: 1 })
    for (const response of [
      await owner.post('/api/v1/accounts', { network: 'playground' }),
      await write(owner, account, { scheduled_at: inHours() }),
      await write(owner, account, { publish_now: true }),
    ])
      expectProblem(response, 403, 'limit_exceeded')
    expectStatus(await owner.patch(`/api/v1/posts/${ids[0]}`, { content: 'Changed', scheduled_at: inHours(2) }), 200)
    expectStatus(await owner.post(`/api/v1/posts/${ids[1]}/publish`), 200)
    expectStatus(await write(owner, account), 201)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${ids[1]}`)).body.status).toBe('published')
    expect(await meterOf(owner, 'social_accounts')).toEqual({ meter: 'social_accounts', used: 2, limit: 1 })
  })

  test('the response names the meter, the limit, the usage and a plan on offer that would suffice', async () => {
    const owner = await withWorkspace(t)
    const { meters, plan } = (await owner.get('/api/v1/workspace/usage')).body
    expect(plan).toEqual({ code: 'free', name: 'Free' })
    expect(meters.map(({ meter }: { meter: string }) => meter)).toEqual(meterNames)
    expect(meterNames).toEqual([
      'social_accounts',
      'posts_per_month',
      'scheduled_posts_max',
      'ai_credits',
      'team_members',
      'storage_mb',
    ])
    await atOnce(3, () => playgroundAccount(owner))
    const response = await owner.post('/api/v1/accounts', { network: 'playground' })
    expectProblem(response, 403, 'limit_exceeded')
    expect(response.body).toMatchObject({
      meter: 'social_accounts',
      limit: 3,
      used: 3,
      upgrade_plan: 'pro',
      detail:
        'The plan Free allows 3 connected accounts; there are 3. Disconnect one that you no longer need, or switch to the plan Pro, which allows more.',
    })
    await put(owner.workspace_id, 'team')
    await inTransaction(t.deps.db, (tx) =>
      reserve(tx, aiCredits, { workspace_id: owner.workspace_id, amount: 9999, now: t.clock.now() }),
    )
    await expect(
      inTransaction(t.deps.db, (tx) =>
        reserve(tx, aiCredits, { workspace_id: owner.workspace_id, amount: 5, now: t.clock.now() }),
      ),
    ).rejects.toMatchObject({
      options: { extra: { meter: 'ai_credits', limit: 10_000, used: 9999, upgrade_plan: null } },
    })
  })

  test('a plan that is too small, archived or not public is not suggested', async () => {
    const owner = await withPlan({ social_accounts: 30 })
    await atOnce(30, () => playgroundAccount(owner))
    const code = await newPlan({ social_accounts: -1 })
    expect((await owner.post('/api/v1/accounts', { network: 'playground' })).body).toMatchObject({
      upgrade_plan: 'team',
    })
    expectStatus(await boss.patch(`/api/v1/admin/plans/${code}`, { is_public: true, position: 0 }), 200)
    expect((await owner.post('/api/v1/accounts', { network: 'playground' })).body).toMatchObject({ upgrade_plan: code })
    expectStatus(await boss.post(`/api/v1/admin/plans/${code}/archive`), 200)
    expect((await owner.post('/api/v1/accounts', { network: 'playground' })).body).toMatchObject({
      upgrade_plan: 'team',
    })
  })
})

test('a new month begins at zero, and a refund goes to the month that was charged', async () => {
  const owner = await withPlan({})
  const { workspace_id } = owner
  const [november, december] = [new Date('2031-11-30T23:59:59Z'), new Date('2031-12-01T00:00:00Z')]
  const take = (now: Date) => inTransaction(t.deps.db, (tx) => reserve(tx, aiCredits, { workspace_id, now }))
  expect(await take(november)).toBe('2031-11-01')
  expect(await take(december)).toBe('2031-12-01')
  await inTransaction(t.deps.db, (tx) => release(tx, aiCredits, { workspace_id, month: '2031-11-01' }))
  const rows = await t.deps.db
    .selectFrom('usage')
    .select([sql<string>`period_start::text`.as('month'), 'used'])
    .where('workspace_id', '=', workspace_id)
    .orderBy('period_start')
    .execute()
  expect(rows).toEqual([
    { month: '2031-11-01', used: 0 },
    { month: '2031-12-01', used: 1 },
  ])
})

test('without billing nothing is limited and every feature is included, and usage is still counted', async () => {
  const owner = await withWorkspace(t)
  expectProblem(await owner.get('/api/v1/workspace/audit-log'), 403, 'feature_not_available')
  expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: false }), 200)
  try {
    const account = await playgroundAccount(owner)
    await atOnce(5, () => playgroundAccount(owner))
    expectStatus(await write(owner, account, { scheduled_at: inHours() }), 201)
    expectStatus(await owner.get('/api/v1/workspace/audit-log'), 200)
    const { body } = expectStatus(await owner.get('/api/v1/workspace/usage'), 200)
    expect(body).toMatchObject({ plan: null, billing_enabled: false })
    expect(body.meters.map(({ used, limit }: { used: number; limit: number }) => [used, limit])).toEqual([
      [6, -1],
      [1, -1],
      [1, -1],
      [0, -1],
      [1, -1],
      [0, -1],
    ])
  } finally {
    expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
  }
  expectProblem(await owner.post('/api/v1/accounts', { network: 'playground' }), 403, 'limit_exceeded')
})

test('the usage covers the calendar month in UTC', async () => {
  const owner = await withWorkspace(t)
  const now = t.clock.now()
  const month = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString()
  expect((await owner.get('/api/v1/workspace/usage')).body).toMatchObject({
    billing_enabled: true,
    period_start: month(0),
    period_end: month(1),
  })
})
