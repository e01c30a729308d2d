import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import type { ApiResponse } from '../../../test/client.ts'
import { openSession, type Person } from '../../../test/factories.ts'
import { isRepeated, SEED, timesOf } from '../../../test/torture/settings.ts'
import { type Billing, billingApp, lastingOwner } from './billing.fixture.ts'
import { expireCheckouts } from './checkouts/close-checkout.ts'
import { createModel, type Period, type Plan } from './manual-model.fixture.ts'
import { runBillingTimers } from './processes/run-timers.ts'

// More of it: npm run torture -- billing-model
const RUNS = timesOf('BILLING_MODEL_RUNS', 8)
const DAY = 86_400_000

let billing: Billing
let t: TestApp
let admin: Person
beforeAll(async () => {
  billing = await billingApp('manual')
  ;({ t, admin } = billing)
})
afterAll(() => billing?.close())

const plan = fc.constantFrom<Plan>('pro', 'team')
const period = fc.constantFrom<Period>('monthly', 'yearly')
const purpose = fc.constantFrom('start', 'renewal', 'change')
const days = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 20, max: 32 }), fc.constant(340))
const command = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('checkout' as const), plan, period }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('approve' as const), purpose }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reject' as const), purpose }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), plan, period }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('advance' as const), days }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('extend' as const), days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const) }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

/** A request without a body of its own returns 200 or 201 exactly when the model allows it. */
function expectAllowed(response: ApiResponse, allowed: boolean, what: Command) {
  const expected = allowed ? [200, 201] : [402, 403, 404, 409]
  if (!expected.includes(response.status))
    throw new Error(
      `${JSON.stringify(what)} is ${allowed ? '' : 'not '}allowed: ${response.status} ${JSON.stringify(response.body)}`,
    )
}

async function begin() {
  const owner = await lastingOwner({ t })
  const { workspace_id } = owner
  const { db } = t.deps
  const model = createModel(t.clock.now())
  const live = () =>
    db
      .selectFrom('subscription')
      .selectAll()
      .where('workspace_id', '=', workspace_id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  const requests = () =>
    db
      .selectFrom('payment_request')
      .innerJoin('checkout', 'checkout.id', 'payment_request.checkout_id')
      .select(['payment_request.id', 'checkout.purpose', 'payment_request.amount', 'payment_request.plan_code'])
      .where('checkout.workspace_id', '=', workspace_id)
      .where('payment_request.status', '=', 'pending')
      .execute()
  const asAdmin = async () => t.anyone.with(await openSession(t, admin.id))
  const decide = async (decision: 'approve' | 'reject', of: string) => {
    const request = (await requests()).find((each) => each.purpose === of)
    if (!request) return undefined
    const body = decision === 'approve' ? {} : { reason: 'No money came.' }
    return (await asAdmin()).post(`/api/v1/admin/payment-requests/${request.id}/${decision}`, body)
  }

  async function run(what: Command) {
    switch (what.kind) {
      case 'checkout': {
        const terms = { plan_code: what.plan, period: what.period, currency: 'TRY' }
        const allowed = model.checkout(what.plan, what.period)
        return expectAllowed(await owner.post('/api/v1/billing/checkout', terms), allowed, what)
      }
      case 'approve':
      case 'reject': {
        const response = await decide(what.kind, what.purpose)
        const allowed = what.kind === 'approve' ? model.approve(what.purpose) : model.reject(what.purpose)
        expect(response !== undefined, `a request to decide: ${JSON.stringify(what)}`).toBe(allowed)
        if (response) expectAllowed(response, true, what)
        return
      }
      case 'cancel':
        return expectAllowed(await owner.post('/api/v1/billing/cancel-subscription'), model.cancel(), what)
      case 'resume':
        return expectAllowed(await owner.post('/api/v1/billing/resume-subscription'), model.resume(), what)
      case 'change': {
        const terms = { plan_code: what.plan, period: what.period }
        return expectAllowed(
          await owner.post('/api/v1/billing/change-plan', terms),
          model.change(what.plan, what.period),
          what,
        )
      }
      case 'advance':
        t.advance(what.days * DAY)
        return
      case 'extend':
      case 'expire': {
        const row = await live()
        const allowed = what.kind === 'extend' ? model.extend(what.days) : model.expire()
        if (!row) return expect(allowed).toBe(false)
        const path = `/api/v1/admin/subscriptions/${row.id}/${what.kind}`
        const response = await (await asAdmin()).post(path, what.kind === 'extend' ? { days: what.days } : undefined)
        return expectAllowed(response, allowed, what)
      }
    }
  }

  async function expectSame() {
    await expireCheckouts(t.deps)
    await runBillingTimers(t.deps)
    model.passTo(t.clock.now())
    const row = await live()
    const open = await requests()
    const payments = await db
      .selectFrom('payment')
      .select(['amount', 'use'])
      .where('workspace_id', '=', workspace_id)
      .orderBy('id')
      .execute()
    const invoices = await db
      .selectFrom('invoice')
      .select(['total', 'status', 'kind'])
      .where('workspace_id', '=', workspace_id)
      .orderBy('id')
      .execute()
    const { plan_code } = await db
      .selectFrom('workspace')
      .select('plan_code')
      .where('id', '=', workspace_id)
      .executeTakeFirstOrThrow()
    expect({
      subscription: row
        ? {
            status: row.status,
            plan: row.plan_code,
            period: row.billing_period,
            amount: BigInt(row.amount),
            start: row.current_period_start,
            end: row.current_period_end,
            cancels: row.cancel_at_period_end,
            pending: row.pending_plan_code && `${row.pending_plan_code} ${row.pending_period}`,
            deadline: row.past_due_deadline,
          }
        : null,
      granted: plan_code,
      requests: open.map((each) => `${each.purpose} ${each.plan_code} ${each.amount}`).toSorted(),
      paid: payments.map(({ amount, use }) => `${use} ${amount}`),
      openInvoices: invoices.filter(({ status }) => status === 'open').map(({ total }) => BigInt(total)),
    }).toEqual(model.state())
    const applied = payments.filter(({ use }) => use === 'applied')
    const paid = applied.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    const invoiced = invoices
      .filter(({ status }) => status === 'paid')
      .reduce((sum, { total }) => sum + BigInt(total), 0n)
    expect(invoiced).toBe(paid)
  }

  const end = async () => {
    const row = await live()
    if (row) await (await asAdmin()).post(`/api/v1/admin/subscriptions/${row.id}/expire`)
  }
  return { run, expectSame, end }
}

test(`payments by hand do what a small model does, whatever comes in which order (seed ${SEED})`, async () => {
  const property = fc.asyncProperty(
    fc.array(command, { minLength: 8, maxLength: 24, size: 'max' }),
    async (commands) => {
      const { run, expectSame, end } = await begin()
      try {
        for (const [index, each] of commands.entries())
          try {
            await run(each)
            await expectSame()
          } catch (error) {
            throw new Error(`after ${JSON.stringify(commands.slice(0, index + 1))}`, { cause: error })
          }
      } finally {
        await end()
      }
    },
  )
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: !isRepeated })
}, 3_600_000)
