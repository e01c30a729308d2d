import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomNumbers } from '../../../../test/random.ts'
import { isRepeated, SEED, timesOf } from '../../../../test/torture/settings.ts'
import { type Billing, billingApp, lastingOwner, payAtStripe, sellAtStripe } from '../billing.fixture.ts'
import { enqueueReconciliation } from '../processes/reconciliation.ts'
import { runBillingTimers } from '../processes/run-timers.ts'

// More of it: npm run torture -- billing-order
const RUNS = timesOf('BILLING_ORDER_RUNS', 1)
const WORKSPACES = 3
const HOUR = 3_600_000

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
  await sellAtStripe(billing, 'pro')
})
afterAll(() => billing?.close())

type Owner = Awaited<ReturnType<typeof lastingOwner>> & { customer: string }

async function buy(): Promise<Owner> {
  const owner = await lastingOwner(billing)
  const { session } = await payAtStripe(billing, owner)
  const paid = billing.world.stripe.sessions().find(({ id }) => id === session)
  return Object.assign(owner, { customer: String(paid?.customer) })
}

const openInvoiceOf = ({ customer }: Owner) =>
  String(billing.world.stripe.invoices().find((each) => each.customer === customer && each.status === 'open')?.id)

/** A history at Stripe, one step after the other for all workspaces at once. Webhooks are held. */
const steps: ((owners: Owner[]) => unknown)[] = [
  () => pass(31 * 24 * HOUR),
  (owners) => {
    for (const { customer } of owners) billing.world.stripe.setCard(customer, 'declined')
    return pass(31 * 24 * HOUR)
  },
  (owners) => {
    for (const owner of owners) expect(billing.world.stripe.payInvoice(openInvoiceOf(owner)).paid).toBe(true)
  },
  // The night before the deadline, for those whose events are still on their way.
  () => enqueueReconciliation(billing.t.deps),
  () => pass(5 * HOUR),
  () => pass(31 * 24 * HOUR),
]

function pass(ms: number) {
  billing.t.advance(ms)
  billing.world.tick()
}

const webhooksOf = ({ customer, workspace_id }: Owner) =>
  billing.world.webhooks
    .list({ provider: 'stripe' })
    .filter(({ body }) => body.includes(customer) || body.includes(workspace_id))

/** The rows of a workspace without what differs between any two. */
async function rowsOf({ workspace_id }: Owner) {
  const select = (text: string) =>
    sql.raw<object>(`${text} where workspace_id = '${workspace_id}'`).execute(billing.t.deps.db)
  const [subscriptions, payments, invoices] = await Promise.all([
    select(`select status, plan_code, billing_period, amount, current_period_start, current_period_end,
      cancel_at_period_end, past_due_deadline, pending_plan_code from subscription`),
    select('select amount, currency, use, period_start, period_end from payment'),
    select('select status, kind, total, period_start from invoice'),
  ])
  const sorted = ({ rows }: { rows: object[] }) => rows.map((row) => JSON.stringify(row)).toSorted()
  return { subscriptions: subscriptions.rows, payments: sorted(payments), invoices: sorted(invoices) }
}

/** For each step: which of the webhooks so far come then, how often, and in which order. */
const schedule = fc.array(
  fc.record({ share: fc.constantFrom<number>(0, 0.3, 1), times: fc.integer({ min: 1, max: 3 }), shuffle: fc.nat() }),
  {
    minLength: steps.length + 1,
    maxLength: steps.length + 1,
  },
)
type Schedule = typeof schedule extends fc.Arbitrary<infer S> ? S : never

async function deliver(owner: Owner, { share, times, shuffle }: Schedule[number]) {
  const next = randomNumbers(shuffle)
  const chosen = webhooksOf(owner).filter(({ state }) => share === 1 || (state === 'held' && next() < share))
  const repeated = chosen.flatMap(({ id }) => Array.from({ length: times }, () => ({ id, at: next() })))
  for (const { id } of repeated.toSorted((a, b) => a.at - b.at))
    expect((await billing.world.webhooks.send(id)).accepted).toBe(true)
}

test(`whatever order, repetition and delay the events of a history have, it ends in the same rows (seed ${SEED})`, async () => {
  const property = fc.asyncProperty(
    fc.array(schedule, { minLength: WORKSPACES, maxLength: WORKSPACES }),
    async (schedules) => {
      billing.world.webhooks.hold()
      const owners: Owner[] = []
      for (let n = 0; n <= WORKSPACES; n++) owners.push(await buy())
      const [reference, ...others] = owners as [Owner, ...Owner[]]
      const atOnce: Schedule[number] = { share: 1, times: 1, shuffle: 0 }
      for (let step = 0; step <= steps.length; step++) {
        // The last events of every workspace come at last.
        const isLast = step === steps.length
        await deliver(reference, atOnce)
        for (const [index, owner] of others.entries())
          await deliver(owner, { ...atOnce, ...schedules[index]?.[step], ...(isLast && { share: 1 }) })
        await runBillingTimers(billing.t.deps)
        await billing.t.runJobs()
        await steps[step]?.(owners)
      }
      await billing.t.runJobs()
      const expected = await rowsOf(reference)
      expect(expected.subscriptions).toMatchObject([{ status: 'active', plan_code: 'team' }])
      expect(expected.payments).toHaveLength(4)
      expect(billing.world.journal.net(reference.workspace_id)).toBe(4n * 149_900n)
      for (const owner of others) expect(await rowsOf(owner)).toEqual(expected)
    },
  )
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: !isRepeated })
}, 3_600_000)
