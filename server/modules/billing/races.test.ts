import { sql } from 'kysely'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { atOnce, countByStatus } from '../../../test/at-once.ts'
import {
  expectStatus,
  memberOf,
  openSession,
  type Person,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../test/factories.ts'
import { billingApp, pro } from './billing.fixture.ts'
import { runBillingTimers } from './processes/run-timers.ts'

const AT_ONCE = 50
const DAY = 86_400_000

let t: TestApp
let admin: Person
const billing = await billingApp('manual')
;({ t, admin } = billing)
afterAll(() => billing?.close())

const start = async (owner: WorkspaceOwner, terms: object = pro) =>
  expectStatus(await owner.post('/api/v1/billing/checkout', terms), 201).body.id as string

async function requestOf(checkout_id: string) {
  const row = t.deps.db.selectFrom('payment_request').selectAll().where('checkout_id', '=', checkout_id)
  return row.executeTakeFirstOrThrow()
}

const approve = (id: string) => admin.post(`/api/v1/admin/payment-requests/${id}/approve`, {})
const reject = (id: string) => admin.post(`/api/v1/admin/payment-requests/${id}/reject`, { reason: 'No money came.' })

/** A workspace whose first payment is approved. */
async function subscribed(terms: object = pro) {
  const owner = await withWorkspace(t)
  expectStatus(await approve((await requestOf(await start(owner, terms))).id), 200)
  return owner
}

const rowsOf = async ({ workspace_id }: WorkspaceOwner) => {
  const { db } = t.deps
  const of = <T extends 'subscription' | 'payment' | 'invoice' | 'checkout'>(table: T) =>
    sql<Record<string, unknown>>`select * from ${sql.table(table)} where workspace_id = ${workspace_id} order by id`
      .execute(db)
      .then(({ rows }) => rows)
  return {
    subscriptions: await of('subscription'),
    payments: await of('payment'),
    invoices: await of('invoice'),
    checkouts: await of('checkout'),
  }
}

describe('payments by hand', () => {
  test('fifty approvals of one request start one subscription, with one payment and one invoice', async () => {
    const owner = await withWorkspace(t)
    const { id } = await requestOf(await start(owner))
    expect(countByStatus(await atOnce(AT_ONCE, () => approve(id)))).toEqual({ 200: AT_ONCE })
    const { subscriptions, payments, invoices } = await rowsOf(owner)
    expect(subscriptions).toMatchObject([{ status: 'active', version: expect.any(Number) }])
    expect(payments).toMatchObject([{ amount: '49900', use: 'applied' }])
    expect(invoices).toMatchObject([{ status: 'paid', total: '49900' }])
  })

  test('fifty checkouts at once open one, and the others return it', async () => {
    const owner = await withWorkspace(t)
    const responses = await atOnce(AT_ONCE, () => owner.post('/api/v1/billing/checkout', pro))
    expect(countByStatus(responses)).toEqual({ 201: 1, 200: AT_ONCE - 1 })
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
    expect((await rowsOf(owner)).checkouts).toMatchObject([{ status: 'open' }])
  })

  test('checkouts of different plans at once leave one open, and one payment request to decide', async () => {
    const owner = await withWorkspace(t)
    const plans = ['pro', 'team'].flatMap((plan_code) =>
      ['monthly', 'yearly'].map((period) => ({ ...pro, plan_code, period })),
    )
    const responses = await atOnce(24, (index) => owner.post('/api/v1/billing/checkout', plans[index % plans.length]))
    for (const { status } of responses) expect([200, 201]).toContain(status)
    const { checkouts } = await rowsOf(owner)
    expect(checkouts.filter(({ status }) => status === 'open')).toHaveLength(1)
    const { rows } = await sql`select status from payment_request
      where workspace_id = ${owner.workspace_id} and status = 'pending'`.execute(t.deps.db)
    expect(rows).toHaveLength(1)
  })

  test('approvals against rejections of one request: one decision stands, and the other is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await withWorkspace(t)
      const { id, checkout_id } = await requestOf(await start(owner))
      const responses = await atOnce(10, (index) => (index % 2 ? approve(id) : reject(id)))
      expect(countByStatus(responses)).toEqual({ 200: 5, 409: 5 })
      const { status } = await requestOf(checkout_id)
      const { subscriptions, payments, invoices, checkouts } = await rowsOf(owner)
      const count = status === 'approved' ? 1 : 0
      expect([subscriptions.length, payments.length, invoices.length]).toEqual([count, count, count])
      expect(checkouts).toMatchObject([{ status: count ? 'completed' : 'failed' }])
    }
  })

  test('two admins who choose different plans, both approved at once, get one subscription for one payment', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await withWorkspace(t)
      const other = await memberOf(t, owner.workspace_id, 'admin')
      const checkouts = [await start(owner), await start(other, { ...pro, plan_code: 'team' })]
      const requests = await Promise.all(checkouts.map(requestOf))
      const responses = await atOnce(10, (index) => approve(requests[index % 2]?.id ?? ''))
      expect(countByStatus(responses)).toEqual({ 200: 5, 409: 5 })
      const { subscriptions, payments } = await rowsOf(owner)
      expect(subscriptions).toMatchObject([{ plan_code: 'team', status: 'active' }])
      expect(payments).toMatchObject([{ amount: '149900' }])
    }
  })

  test('a checkout that expires while it is approved is either paid whole or not at all', async () => {
    const owners = await atOnce(8, () => withWorkspace(t))
    const requests = await Promise.all(owners.map(async (owner) => requestOf(await start(owner))))
    t.advance(30 * DAY - 1)
    const fresh = await signedIn(t, { instanceAdmin: true })
    t.advance(1)
    await sql`select graphile_worker.add_job('expire-checkouts', '{}')`.execute(t.deps.db)
    const [, ...responses] = await Promise.all([
      t.runJobs(),
      ...requests.map(({ id }) => fresh.post(`/api/v1/admin/payment-requests/${id}/approve`, {})),
    ])
    admin = fresh
    for (const [index, { status }] of responses.entries()) {
      const { subscriptions, payments, checkouts } = await rowsOf(owners[index] as WorkspaceOwner)
      const count = status === 200 ? 1 : 0
      if (!count) expect(status).toBe(409)
      expect([subscriptions.length, payments.length]).toEqual([count, count])
      expect(checkouts).toMatchObject([{ status: count ? 'completed' : 'expired' }])
      expect(await requestOf(String(checkouts[0]?.id))).toMatchObject({ status: count ? 'approved' : 'expired' })
    }
  })
})

describe('renewals', () => {
  /** Workspaces whose renewal waits for its approval, some hours before the period ends. */
  async function withRenewals(count: number) {
    const owners = await atOnce(count, () => subscribed())
    const { end } = await t.deps.db
      .selectFrom('subscription')
      .select((eb) => eb.fn.max('current_period_end').as('end'))
      .executeTakeFirstOrThrow()
    t.advance(end.getTime() - t.clock.now().getTime() - 6 * 3_600_000)
    await runBillingTimers(t.deps)
    admin = await signedIn(t, { instanceAdmin: true })
    const { db } = t.deps
    const withRequest = async (owner: WorkspaceOwner) => {
      const renewal = await db
        .selectFrom('payment_request')
        .innerJoin('checkout', 'checkout.id', 'payment_request.checkout_id')
        .select('payment_request.id')
        .where('checkout.workspace_id', '=', owner.workspace_id)
        .where('checkout.purpose', '=', 'renewal')
        .executeTakeFirstOrThrow()
      return { owner: { ...owner, ...t.anyone.with(await freshSession(owner)) }, request: renewal.id }
    }
    return Promise.all(owners.map(withRequest))
  }
  /** Sessions end before a period does. */
  const freshSession = async (owner: WorkspaceOwner) => ({
    ...(await openSession(t, owner.id)),
    'x-workspace-id': owner.workspace_id,
  })

  test('canceling against paying a renewal: what is paid is granted, and the subscription stays canceled', async () => {
    for (const { owner, request } of await withRenewals(8)) {
      const [canceled, paid] = await Promise.all([owner.post('/api/v1/billing/cancel-subscription'), approve(request)])
      expectStatus(canceled, 200)
      expectStatus(paid, 200)
      const { subscriptions, payments, invoices } = await rowsOf(owner)
      expect(subscriptions).toMatchObject([{ status: 'active', cancel_at_period_end: true }])
      expect(payments).toHaveLength(2)
      expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid'])
      const [{ current_period_start, created_at } = {}] = subscriptions as Record<string, Date>[]
      expect((current_period_start ?? 0) > (created_at ?? 0)).toBe(true)
    }
  })

  test('canceling against the end of the period: it ends canceled, or past due and canceled at once', async () => {
    const all = await withRenewals(8)
    t.advance(6 * 3_600_000)
    const [ran, ...canceled] = await Promise.all([
      runBillingTimers(t.deps),
      ...all.map(({ owner }) => owner.post('/api/v1/billing/cancel-subscription')),
    ])
    expect(ran).toBeGreaterThan(0)
    for (const response of canceled) expectStatus(response, 200)
    await t.runJobs()
    for (const { owner } of all) {
      const { subscriptions, invoices } = await rowsOf(owner)
      expect(subscriptions).toMatchObject([{ status: 'canceled', due_at: null }])
      expect(invoices.map(({ status }) => status)).toEqual(['paid', 'void'])
    }
  })
})

describe('timers', () => {
  test('the timers of 200 subscriptions that two nodes run at once each run once', async () => {
    const beside = await testApp({}, { beside: t })
    onTestFinished(beside.close)
    const owner = await subscribed()
    const [template] = (await rowsOf(owner)).subscriptions
    const now = t.clock.now()
    // Runs the due timers of earlier tests, which would be counted.
    await runBillingTimers(t.deps)
    // Subscriptions of other workspaces whose renewal must be issued now.
    await sql`
      with made as (
        insert into workspace (name, slug) select 'Due ' || n, 'due-' || n from generate_series(1, 200) as n returning id
      )
      insert into subscription (workspace_id, plan_code, status, anchor, current_period_start, current_period_end,
        billing_currency, billing_period, amount, provider, timer_at, due_at)
      select made.id, plan_code, 'active', anchor, ${new Date(now.getTime() - 25 * DAY)}, ${new Date(now.getTime() + 5 * DAY)},
        'TRY', 'monthly', amount, 'manual', ${new Date(now.getTime() - 25 * DAY)}, ${new Date(now.getTime() - 2 * DAY)}
      from made, subscription where subscription.id = ${template?.id}`.execute(t.deps.db)
    beside.advance(now.getTime() - beside.clock.now().getTime())
    const ran = await Promise.all([t, beside, t, beside].map(({ deps }) => runBillingTimers(deps)))
    expect(ran.reduce((sum, count) => sum + count, 0)).toBe(200)
    const { rows } = await sql<{ checkouts: number; invoices: number; requests: number; waiting: number }>`
      select count(distinct checkout.id)::int as checkouts, count(distinct invoice.id)::int as invoices,
        count(distinct payment_request.id)::int as requests,
        count(distinct subscription.id) filter (where subscription.due_at <= ${now})::int as waiting
      from subscription join workspace on workspace.id = subscription.workspace_id
        left join checkout on checkout.subscription_id = subscription.id
        left join invoice on invoice.subscription_id = subscription.id
        left join payment_request on payment_request.checkout_id = checkout.id
      where workspace.slug like 'due-%'`.execute(t.deps.db)
    expect(rows).toEqual([{ checkouts: 200, invoices: 200, requests: 200, waiting: 0 }])
  })
})
