import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { ApiResponse } from '../../../test/client.ts'
import { expectStatus, PASSWORD, type Person, sessionCookie, signedIn, withWorkspace } from '../../../test/factories.ts'
import { auditOf } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { until } from '../../../test/until.ts'
import { inTransaction } from '../../lib/db/database.ts'

let boss: Person
const t = await testApp()
beforeEach(async () => {
  boss = await signedIn(t, { instanceAdmin: true })
})

const limits = {
  social_accounts: 1,
  posts_per_month: -1,
  ai_credits: 0,
  team_members: 3,
  storage_mb: 1_000_000_000,
  scheduled_posts_max: 5,
}
const prices = { try: { monthly: 299.9, yearly: 2999 }, usd: { monthly: 9.99, yearly: 0 } }
let number = 0
const newCode = () => `Code.${++number}`
const plan = (more: object = {}) => ({ code: newCode(), name: 'Starter', prices, limits, ...more })
const create = (more: object = {}) => boss.post('/api/v1/admin/plans', plan(more))
const created = async (more: object = {}) => expectStatus(await create(more), 201).body
const change = (code: string, body: object, headers?: Record<string, string>) =>
  boss.patch(`/api/v1/admin/plans/${code}`, body, headers)
const archive = (code: string) => boss.post(`/api/v1/admin/plans/${code}/archive`)
const all = async (): Promise<{ code: string; position: number }[]> =>
  (await boss.get('/api/v1/admin/plans?limit=100')).body.data
const publicPlans = async () =>
  (await t.anyone.get('/api/v1/plans')).body.data.map(({ code }: { code: string }) => code)

test('a new instance offers free, pro and team', async () => {
  const fresh = await testApp()
  try {
    const { status, body } = await fresh.anyone.get('/api/v1/plans')
    expect(status).toBe(200)
    expect(body.next_cursor).toBe(null)
    expect(body.data.map(({ code }: { code: string }) => code)).toEqual(['free', 'pro', 'team'])
    expect(body.data[1]).toEqual({
      code: 'pro',
      name: 'Pro',
      description: 'For brands that post every day',
      position: 2,
      is_featured: true,
      // Payments are approved by an instance admin, who keeps no payment method.
      trial_days: null,
      prices: { try: { monthly: 499, yearly: 4990 }, usd: { monthly: 15, yearly: 150 } },
      limits: {
        social_accounts: 15,
        posts_per_month: 2000,
        ai_credits: 1000,
        team_members: 5,
        storage_mb: 10_000,
        scheduled_posts_max: 500,
      },
      features: [],
      entitlements: ['ai.agents', 'approvals', 'audit_log'],
    })
  } finally {
    await fresh.close()
  }
})

describe('plans', () => {
  test('201 creates the plan as sent, in the last position', async () => {
    const positions = (await all()).map(({ position }) => position)
    const sent = plan({
      name: ' Starter ',
      description: 'To begin with',
      features: ['Three members'],
      entitlements: ['approvals'],
      metadata: { stripe_price_id_monthly_usd: 'price_1' },
      trial_days: 365,
    })
    const response = expectStatus(await boss.post('/api/v1/admin/plans', sent), 201)
    expect(response.body).toEqual({
      ...sent,
      name: 'Starter',
      position: Math.max(...positions) + 1,
      is_featured: false,
      is_public: true,
      is_active: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(response.headers.get('etag')).toBe('"1"')
    expect((await boss.get(`/api/v1/admin/plans/${sent.code}`)).body).toEqual(response.body)
    expect((await auditOf(t, boss.id)).at(-1)).toMatchObject({
      action: 'plan.created',
      details: { code: sent.code, after: { description: 'To begin with', prices, limits } },
    })
  })

  test('409 for a code that is taken, whatever its letter case', async () => {
    const { code } = await created()
    expectProblem(await create({ code }), 409, 'plan_code_taken')
    expectProblem(await create({ code: code.toUpperCase() }), 409, 'plan_code_taken')
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ code: 'race' })))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test.each([
    ['a code with a space', { code: 'a b' }, '/code'],
    ['a code of one letter', { code: 'a' }, '/code'],
    ['a code of two dots', { code: '..' }, '/code'],
    ['an empty name', { name: ' ' }, '/name'],
    ['a description of 501 letters', { description: 'x'.repeat(501) }, '/description'],
    ['a position of less than 0', { position: -1 }, '/position'],
    ['366 days of trial', { trial_days: 366 }, '/trial_days'],
    ['a negative price', { prices: { ...prices, usd: { monthly: -1, yearly: 0 } } }, '/prices/usd/monthly'],
    ['a third decimal', { prices: { try: { monthly: 1, yearly: 0.125 }, usd: null } }, '/prices/try/yearly'],
    ['a tiny price', { prices: { try: { monthly: 1e-7, yearly: 1 }, usd: null } }, '/prices/try/monthly'],
    [
      'a price of more than ten million',
      { prices: { try: { monthly: 1e7 + 1, yearly: 1 }, usd: null } },
      '/prices/try/monthly',
    ],
    ['no price in lira', { prices: { usd: null } }, '/prices/try'],
    ['a limit of -2', { limits: { ...limits, ai_credits: -2 } }, '/limits/ai_credits'],
    ['a limit of 0.5', { limits: { ...limits, ai_credits: 0.5 } }, '/limits/ai_credits'],
    ['a missing limit', { limits: { ...limits, ai_credits: undefined } }, '/limits/ai_credits'],
    ['an unknown limit', { limits: { ...limits, posts: 1 } }, '/limits/posts'],
    ['an unknown entitlement', { entitlements: ['all'] }, '/entitlements/0'],
    ['an empty feature', { features: [''] }, '/features/0'],
    ['metadata that is not text', { metadata: { a: 1 } }, '/metadata/a'],
    [
      'metadata of more than 16 KB',
      { metadata: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, 'x'.repeat(500)])) },
      '/metadata',
    ],
    ['an unknown field', { price: 1 }, '/price'],
  ])('400 for a plan with %s', async (_, more, pointer) => {
    expectProblem(await create(more), 400, 'validation_failed', pointer)
  })

  test('amounts keep their two decimals', async () => {
    for (const monthly of [0, 0.01, 0.29, 1.1, 1.15, 4.35, 299.99, 9_999_999.99, 10_000_000]) {
      const { code } = await created({ prices: { try: { monthly, yearly: monthly }, usd: null } })
      const { body } = await boss.get(`/api/v1/admin/plans/${code}`)
      expect(body.prices).toEqual({ try: { monthly, yearly: monthly }, usd: null })
    }
  })

  test('200 changes the sent fields, and 400 for the code', async () => {
    const before = await created({ metadata: { a: '1' } })
    const { code } = before
    const newLimits = { ...limits, ai_credits: 7 }
    const response = expectStatus(await change(code, { name: 'Other', limits: newLimits, metadata: {} }), 200)
    expect(response.body).toEqual({
      ...before,
      name: 'Other',
      limits: newLimits,
      metadata: {},
      updated_at: expect.any(String),
    })
    expect((await auditOf(t, boss.id)).at(-1)).toMatchObject({
      action: 'plan.updated',
      details: {
        code,
        before: { name: 'Starter', limits, metadata: { a: '1' } },
        after: { name: 'Other', limits: newLimits, metadata: {} },
      },
    })
    expectProblem(await change(code, { code: 'other' }), 400, 'read_only', '/code')
    expectProblem(await change(code, { limits: { ai_credits: 1 } }), 400, 'validation_failed')
    expectProblem(await change(code, {}), 400, 'validation_failed')
    expectProblem(await change('nothing', { name: 'x' }), 404, 'not_found')
  })

  test('412 for a change of an outdated version', async () => {
    const { code } = await created()
    expectStatus(await change(code, { name: 'A' }, { 'if-match': '"1"' }), 200)
    expectProblem(await change(code, { name: 'B' }, { 'if-match': '"1"' }), 412, 'version_conflict')
  })

  test('200 archives a plan once, and brings it back', async () => {
    const { code } = await created()
    expect(await publicPlans()).toContain(code)
    const first = expectStatus(await archive(code), 200).body
    expect(first.is_active).toBe(false)
    expect(expectStatus(await archive(code), 200).body).toEqual(first)
    expect((await auditOf(t, boss.id)).filter(({ action }) => action === 'plan.archived').length).toBe(1)
    expect(await publicPlans()).not.toContain(code)
    expectStatus(await change(code, { is_active: true }), 200)
    expect(await publicPlans()).toContain(code)
    expectProblem(await archive('nothing'), 404, 'not_found')
  })

  test('409 for archiving the plan that workspaces without a plan of their own use', async () => {
    expectProblem(await archive('free'), 409, 'invalid_transition')
    expectProblem(await change('free', { is_active: false }), 409, 'invalid_transition')
    const { code } = await created()
    expectStatus(await boss.put('/api/v1/options/billing.default_plan', { value: code }), 200)
    expectProblem(await archive(code), 409, 'invalid_transition')
    expectStatus(await archive('free'), 200)
    expectStatus(await change('free', { is_active: true }), 200)
    expectStatus(await boss.delete('/api/v1/options/billing.default_plan'), 204)
    expectStatus(await archive(code), 200)
  })

  test('403 for owners of workspaces, 401 without credentials', async () => {
    const owner = await withWorkspace(t)
    for (const response of [
      await owner.get('/api/v1/admin/plans'),
      await owner.post('/api/v1/admin/plans', plan()),
      await owner.patch('/api/v1/admin/plans/free', { name: 'x' }),
      await owner.post('/api/v1/admin/plans/pro/archive'),
      await owner.post('/api/v1/admin/plans/order', { codes: [] }),
    ])
      expect(expectProblem(response, 403, 'forbidden_role').detail).toBe('This requires an instance admin.')
    expectProblem(await t.anyone.get('/api/v1/admin/plans'), 401, 'unauthenticated')
  })
})

test('the price list has trials only while plans are sold through a provider that has trials', async () => {
  const { code } = await created({ trial_days: 30 })
  const trialDays = async () =>
    (await t.anyone.get('/api/v1/plans')).body.data.find((plan: { code: string }) => plan.code === code).trial_days
  expect(await trialDays()).toBe(null)
  expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
  for (const [provider, days] of [
    ['stripe', 30],
    ['paytr', null],
    ['iyzico', 30],
    ['manual', null],
  ] as const) {
    expectStatus(await boss.put('/api/v1/options/billing.provider', { value: provider }), 200)
    expect(await trialDays()).toBe(days)
  }
  expectStatus(await boss.delete('/api/v1/options/billing.enabled'), 204)
})

describe('the list of plans', () => {
  test('200 in pages by position, without repeats', async () => {
    for (let n = 0; n < 5; n++) await created({ position: 3 })
    const expected = (await all()).map(({ code }) => code)
    const codes: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: ApiResponse = expectStatus(
        await boss.get(`/api/v1/admin/plans?limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`),
        200,
      )
      codes.push(...body.data.map(({ code }: { code: string }) => code))
      cursor = body.next_cursor
    }
    expect(codes).toEqual(expected)
    expectProblem(await boss.get('/api/v1/admin/plans?cursor=x'), 400, 'validation_failed', '/cursor')
  })

  test('cursors of earlier releases are read, and texts that no release wrote are refused with 400', async () => {
    const { body } = expectStatus(await boss.get('/api/v1/admin/plans?limit=1'), 200)
    const [{ position, code }] = body.data
    expect(body.next_cursor).toBe(Buffer.from(`${position} ${code}`).toString('base64url'))
    for (const text of ['3', `${position} `, `x ${code}`, `-1 ${code}`, `99999999 ${code}`, `1 ${code}\n`])
      expectProblem(
        await boss.get(`/api/v1/admin/plans?cursor=${Buffer.from(text).toString('base64url')}`),
        ...([400, 'validation_failed', '/cursor'] as const),
      )
  })

  test('200 reorders the plans when every plan is named once', async () => {
    const before = (await all()).map(({ code }) => code)
    const codes = before.toReversed()
    const order = (wanted: string[]) => boss.post('/api/v1/admin/plans/order', { codes: wanted })
    const { body } = expectStatus(await order(codes), 200)
    expect(body.data.map(({ code, position }: { code: string; position: number }) => [code, position])).toEqual(
      codes.map((code, index) => [code, index + 1]),
    )
    expect((await all()).map(({ code }) => code)).toEqual(codes)
    expect((await auditOf(t, boss.id)).at(-1)).toMatchObject({
      action: 'plan.ordered',
      details: { before, after: codes },
    })
    expectProblem(await order(codes.slice(1)), 400, 'validation_failed', '/codes')
    expectProblem(await order([...codes, 'nothing']), 400, 'validation_failed', `/codes/${codes.length}`)
    expectProblem(await order([...codes, codes[0] ?? '']), 400, 'validation_failed', `/codes/${codes.length}`)
    expectStatus(await order(before), 200)
  })

  test('plans can be reordered while they are changed, without errors or lost changes', async () => {
    const codes = (await all()).map(({ code }) => code)
    const order = () => boss.post('/api/v1/admin/plans/order', { codes: codes.toReversed() })
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all([
        order(),
        ...codes.slice(0, 6).map((code) => change(code, { description: `${round}` })),
        order(),
        archive('team'),
        change('team', { is_active: true }),
      ])
      expect([...new Set(responses.map(({ status }) => status))]).toEqual([200])
    }
    expectStatus(await boss.post('/api/v1/admin/plans/order', { codes }), 200)
  })
})

describe('the price list', () => {
  test('200 shows public active plans without notes, to pages of every origin', async () => {
    const hidden = await created({ is_public: false })
    const shown = await created({ metadata: { secret: 'of the operator' } })
    const response = expectStatus(await t.anyone.get('/api/v1/plans'), 200)
    const codes = response.body.data.map(({ code }: { code: string }) => code)
    expect(codes).toContain(shown.code)
    expect(codes).not.toContain(hidden.code)
    expect(JSON.stringify(response.body)).not.toContain('of the operator')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('304 while nothing has changed', async () => {
    const { headers } = await t.anyone.get('/api/v1/plans')
    const etag = headers.get('etag') ?? ''
    const again = (tag: string) => t.anyone.get('/api/v1/plans', { 'if-none-match': tag })
    const unchanged = await again(etag)
    expect([unchanged.status, unchanged.body, unchanged.headers.get('etag')]).toEqual([304, '', etag])
    expect((await again(`"other", W/${etag}`)).status).toBe(304)
    expect((await again('*')).status).toBe(304)
    await created()
    const changed = await again(etag)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  test('changes of a plan reach the price list and the features of workspaces on every node', async () => {
    const other = await testApp({}, { beside: t })
    try {
      const owner = await withWorkspace(t)
      const { headers } = await other.anyone.post('/api/auth/sign-in/email', { email: owner.email, password: PASSWORD })
      const there = other.anyone.with({ cookie: sessionCookie(headers) })
      const reaches = (status: number) =>
        until(async () => expect((await there.get('/api/v1/workspace/audit-log')).status).toBe(status))
      await other.anyone.get('/api/v1/plans')
      expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
      await reaches(403)
      const { code } = await created({ entitlements: ['audit_log'] })
      await until(async () =>
        expect((await other.anyone.get('/api/v1/plans')).body.data).toContainEqual(expect.objectContaining({ code })),
      )
      await inTransaction(t.deps.db, async (tx) => {
        await tx.updateTable('workspace').set({ plan_code: code }).where('id', '=', owner.workspace_id).execute()
        await t.deps.invalidationBus.invalidate(tx, 'plans')
      })
      await reaches(200)
      expect((await owner.get('/api/v1/workspace')).body.plan_code).toBe(code)
      expectStatus(await change(code, { entitlements: [] }), 200)
      expectProblem(await owner.get('/api/v1/workspace/audit-log'), 403, 'feature_not_available')
      await reaches(403)
    } finally {
      await boss.delete('/api/v1/options/billing.enabled')
      await other.close()
    }
  })
})
