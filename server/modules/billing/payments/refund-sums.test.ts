import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRepeated, SEED, timesOf } from '../../../../test/torture/settings.ts'
import { type Billing, billingApp, lastingOwner, payAtStripe, sellAtStripe, settle } from '../billing.fixture.ts'
import { syncRefunds } from './sync-refunds.ts'

// More of it: REFUND_RUNS=100
const RUNS = timesOf('REFUND_RUNS', 4)
const PRICE = 149_900

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
})
afterAll(() => billing?.close())

/** Minor units, often more than is left. */
const amount = fc.integer({ min: 1, max: 100_000 })
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('request'), amount, at: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('dashboard'), amount, at: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('hold', 'lose', 'finish', 'fail', 'repeat', 'deliver', 'dispute', 'close'),
      amount,
      at: fc.nat(),
    }),
  },
)

type Run = { intent: string; payment_id: string; invoice_id: string; disputes: string[] }

async function pay(): Promise<Run> {
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  const { rows } = await sql<Omit<Run, 'disputes'>>`
    select payment.id as payment_id, provider_payment_id as intent, invoice.id as invoice_id
    from payment join invoice on invoice.payment_id = payment.id
    where payment.workspace_id = ${owner.workspace_id}`.execute(billing.t.deps.db)
  const [row] = rows
  if (!row) throw new Error('The payment is missing')
  return { ...row, disputes: [] }
}

async function booksOf({ payment_id, invoice_id }: Run) {
  const { rows } = await sql<{ succeeded: number; pending: number; credited: number; at_provider: number }>`select
    (select coalesce(sum(amount), 0)::int from refund where payment_id = ${payment_id} and status = 'succeeded') as succeeded,
    (select count(*)::int from refund where payment_id = ${payment_id} and status = 'pending' and not is_dispute) as pending,
    (select coalesce(-sum(total), 0)::int from invoice where corrects = ${invoice_id}) as credited`.execute(
    billing.t.deps.db,
  )
  return rows[0]
}

/** A refusal of Stripe's dashboard: more than is left, or disputed. */
function unlessRefused(work: () => unknown) {
  try {
    work()
  } catch (error) {
    expect(String(error)).toMatch(/refunded|greater than|charged back/)
  }
}

async function carryOut(run: Run, { does, amount, at }: { does: string; amount: number; at: number }) {
  const { stripe, webhooks } = billing.world
  const pick = <T>(list: readonly T[]) => list[at % list.length]
  const refunds = stripe.refundsOf(run.intent)
  switch (does) {
    case 'request': {
      const path = `/api/v1/admin/invoices/${run.invoice_id}/refund`
      const { status } = await billing.admin.post(path, { amount: amount / 100, reason: 'Goodwill' })
      expect([200, 400]).toContain(status)
      return
    }
    case 'dashboard':
      return unlessRefused(() => stripe.refundInDashboard(run.intent, amount))
    case 'hold':
      return stripe.holdRefunds(1)
    case 'lose':
      return stripe.failNext({ kind: 'lost', works: at % 2 === 0 }, { method: 'POST', path: '/v1/refunds' })
    case 'finish': {
      const waiting = pick(refunds.filter(({ status }) => status === 'pending'))
      return waiting && stripe.finishRefund(waiting.id, 'succeeded')
    }
    case 'fail': {
      const one = pick(refunds.filter(({ status }) => status !== 'failed'))
      return one && run.disputes.length === 0 && stripe.finishRefund(one.id, 'failed')
    }
    case 'repeat':
      return webhooks.repeat(1 + (at % 3))
    case 'dispute':
      if (run.disputes.length === 0 && at % 3 === 0 && refunds.reduce((sum, each) => sum + each.amount, 0) < PRICE)
        run.disputes.push(stripe.dispute(run.intent))
      return
    case 'close': {
      const open = run.disputes.pop()
      return open && stripe.closeDispute(open, at % 2 === 0 ? 'lost' : 'won')
    }
    default: {
      const chosen = pick(webhooks.list({ provider: 'stripe' }))
      if (chosen) await webhooks.send(chosen.id)
      return billing.t.runJobs()
    }
  }
}

test(`refunds here and at Stripe, pending, failed, lost and repeated, never exceed the payment, and the books agree in the end (seed ${SEED})`, async () => {
  const property = fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 12 }), async (commands) => {
    const run = await pay()
    billing.world.webhooks.hold()
    for (const each of commands) {
      await carryOut(run, each)
      expect((await booksOf(run))?.succeeded).toBeLessThanOrEqual(PRICE)
    }
    billing.world.stripe.holdRefunds(0)
    billing.world.webhooks.repeat(1)
    await billing.world.webhooks.release('reversed')
    for (let round = 0; round < 6; round++) {
      billing.t.advance(60_000)
      await settle(billing)
      for (const { id, status } of billing.world.stripe.refundsOf(run.intent))
        if (status === 'pending') billing.world.stripe.finishRefund(id, 'succeeded')
    }
    await settle(billing)
    await syncRefunds(billing.t.deps, { payment_id: run.payment_id })
    const returned = Number(billing.world.journal.refunds(run.intent).reduce((sum, { amount }) => sum + amount, 0n))
    expect(await booksOf(run)).toMatchObject({ succeeded: returned, credited: returned, pending: 0 })
  })
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: !isRepeated })
}, 3_600_000)
