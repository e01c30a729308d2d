import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../../test/factories.ts'
import { publishedGig } from '../../../../../test/gigs.ts'
import { lasting } from '../../../../../test/people.ts'
import { inTransaction } from '../../../../lib/db/database.ts'
import { type Billing, billingApp, settle } from '../../../billing/billing.fixture.ts'
import { checkClearing } from '../../../billing/settlements/settlement-checks.ts'
import { clearEarnings } from '../../payouts/clearance.ts'
import { delivery, doOn, earningsIn, moneyOfOrder, ordered, readOrder } from '../orders.fixture.ts'
import { isClosed, transitions } from '../record/transitions.ts'
import { runOrderTimers } from '../run-timers.ts'
import { orderChecks } from './ledger-checks.ts'

const DAY = 86_400_000

let billing: Billing
let buyer: WorkspaceOwner
let seller: WorkspaceOwner
beforeAll(async () => {
  billing = await billingApp('stripe')
  expectStatus(await billing.admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
  // Longer than a month, so that earnings are cleared before a dispute.
  expectStatus(await billing.admin.put('/api/v1/options/marketplace.dispute_days', { value: 60 }), 200)
  buyer = await lasting(billing.t, await withWorkspace(billing.t))
  seller = await lasting(billing.t, await withWorkspace(billing.t))
})
afterAll(() => billing.close())

type Order = { id: string; session: string; intent: string; price: number; refunds: string[] }

async function order(price: number): Promise<Order> {
  const { id, checkout } = await ordered(buyer, await publishedGig(seller, { price }))
  const session = billing.world.stripe.sessions().find(({ url }) => url === checkout.url)
  return { id, session: String(session?.id), intent: '', price, refunds: [] }
}

async function pay(order: Order) {
  expect(billing.world.stripe.payCheckout(order.session).paid).toBe(true)
  await settle(billing)
  const { provider_payment_id } = await billing.t.deps.db
    .selectFrom('payment')
    .select('provider_payment_id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  order.intent = provider_payment_id
}

async function propose({ id }: Order, refund_amount: number) {
  const { proposal } = await doOn(seller, id, 'proposals', { refund_amount, reason: 'A part of it.' })
  await doOn(buyer, id, `proposals/${proposal.id}/accept`)
}

async function resolve({ id }: Order, refund_amount: number) {
  const { dispute } = await readOrder(buyer, { id })
  const path = `/api/v1/admin/marketplace/disputes/${dispute.id}/resolve`
  expectStatus(await billing.admin.post(path, { refund_amount }), 200)
}

/** Waits until a time of the order has passed. */
async function wait(days: number) {
  billing.t.advance(days * DAY)
  await runOrderTimers(billing.t.deps)
  await clearEarnings(billing.t.deps)
}

/** Each step is one change by the buyer, the seller, an admin, the clock or the provider. */
const steps = {
  pay,
  accept: ({ id }) => doOn(seller, id, 'accept'),
  give_requirements: ({ id }) => doOn(buyer, id, 'requirements', { requirements: 'Warm colors.' }),
  deliver: ({ id }) => doOn(seller, id, 'deliver', delivery),
  revise: ({ id }) => doOn(buyer, id, 'revision', { reason: 'Brighter.' }),
  complete: ({ id }) => doOn(buyer, id, 'complete'),
  complete_by_admin: async ({ id }) =>
    expectStatus(await billing.admin.patch(`/api/v1/marketplace/orders/${id}/complete`), 200),
  withdraw: ({ id }) => doOn(buyer, id, 'withdraw'),
  cancel: ({ id }) => doOn(seller, id, 'cancel', { reason: 'Fully booked.' }),
  dispute: ({ id }) => doOn(buyer, id, 'dispute', { reason: 'Nothing came.' }),
  withdraw_dispute: ({ id }) => doOn(buyer, id, 'dispute/withdraw'),
  settle_little: (order) => propose(order, 0.02),
  settle_half: (order) => propose(order, order.price / 2),
  resolve_nothing: (order) => resolve(order, 0),
  resolve_half: (order) => resolve(order, order.price / 2),
  resolve_all: (order) => resolve(order, order.price),
  wait_a_month: () => wait(31),
  charge_back: ({ intent }) => {
    const { stripe } = billing.world
    stripe.closeDispute(stripe.dispute(intent), 'lost')
  },
  refund_in_panel: (order) => {
    order.refunds.push(billing.world.stripe.refundInDashboard(order.intent, 101))
  },
  fail_refund: ({ refunds }) => billing.world.stripe.finishRefund(refunds[0] ?? '', 'failed'),
} as const satisfies Record<string, (order: Order) => unknown>
type Step = keyof typeof steps

/** The rules of the ledger for orders hold, and what the provider still has is what the record says. */
async function expectMoney(order: Order, step: Step) {
  const { db, clock } = billing.t.deps
  const found = await Promise.all([...orderChecks, checkClearing].map((check) => check(db, clock.now())))
  expect([step, found.flat()]).toEqual([step, []])
  const { status, refund_amount, refund_status, earned } = await readOrder(buyer, order)
  if (isClosed(status))
    expect([step, status, earned]).toEqual([step, status, earningsIn(await moneyOfOrder(billing.t, order.id)) / 100])
  const isReturned = refund_status === null || refund_status === 'succeeded'
  if (!order.intent || !isReturned) return
  const rest = BigInt(Math.round((order.price - refund_amount) * 100))
  expect([step, status, billing.world.journal.net(order.intent)]).toEqual([step, status, rest])
}

const walks: [fee_bps: number, price: number, ...steps: Step[]][] = [
  [0, 100.06, 'pay', 'refund_in_panel', 'accept', 'deliver', 'complete', 'refund_in_panel', 'wait_a_month'],
  [10_000, 100.06, 'pay', 'refund_in_panel', 'accept', 'deliver', 'complete', 'refund_in_panel', 'wait_a_month'],
  [1000, 999.99, 'pay', 'accept', 'give_requirements', 'deliver', 'refund_in_panel', 'revise', 'deliver'],
  [1000, 33.34, 'pay', 'accept', 'deliver', 'complete_by_admin', 'wait_a_month', 'refund_in_panel', 'charge_back'],
  [1255, 7.77, 'pay', 'refund_in_panel', 'accept', 'deliver', 'wait_a_month', 'refund_in_panel', 'fail_refund'],
  [1000, 1_000_000, 'pay', 'refund_in_panel', 'withdraw'],
  [1000, 1.02, 'pay', 'refund_in_panel', 'accept', 'cancel'],
  [1000, 50.5, 'pay', 'accept', 'refund_in_panel', 'settle_little', 'refund_in_panel'],
  [333, 50.5, 'pay', 'accept', 'refund_in_panel', 'settle_half', 'wait_a_month', 'refund_in_panel', 'fail_refund'],
  [1000, 20.2, 'pay', 'accept', 'dispute', 'refund_in_panel', 'withdraw_dispute', 'dispute', 'resolve_half'],
  [1000, 20.2, 'pay', 'accept', 'refund_in_panel', 'deliver', 'dispute', 'resolve_nothing', 'refund_in_panel'],
  [1000, 20.2, 'pay', 'accept', 'refund_in_panel', 'dispute', 'resolve_all'],
  [1000, 20.2, 'pay', 'accept', 'dispute', 'refund_in_panel', 'fail_refund', 'charge_back'],
  [1000, 20.2, 'pay', 'accept', 'deliver', 'complete', 'dispute', 'wait_a_month', 'resolve_half', 'wait_a_month'],
  [333, 50.5, 'pay', 'accept', 'deliver', 'wait_a_month', 'dispute', 'refund_in_panel', 'resolve_half', 'fail_refund'],
  [1255, 7.77, 'pay', 'refund_in_panel', 'accept', 'deliver', 'complete', 'wait_a_month', 'dispute', 'resolve_all'],
  [0, 20.2, 'pay', 'accept', 'deliver', 'complete', 'dispute', 'withdraw_dispute', 'dispute', 'resolve_nothing'],
  [10_000, 7.77, 'pay', 'accept', 'deliver', 'complete', 'dispute', 'resolve_all', 'wait_a_month'],
  [1000, 7.77, 'pay', 'accept', 'deliver', 'complete', 'dispute', 'refund_in_panel', 'charge_back', 'wait_a_month'],
  [1000, 20.2, 'wait_a_month'],
  [1000, 1, 'pay', 'wait_a_month'],
]

// The last test reads what the others did.
describe('orders of all kinds', { shuffle: false }, () => {
  test.each(walks)(
    'at a fee of %i and a price of %f the ledger and the record agree after each step',
    async (...walk) => {
      const [fee_bps, price, ...names] = walk
      expectStatus(await billing.admin.put('/api/v1/options/marketplace.fee_bps', { value: fee_bps }), 200)
      const made = await order(price)
      for (const name of names) {
        await steps[name](made)
        await settle(billing)
        await expectMoney(made, name)
      }
    },
  )

  test('these orders made every transition of the table', async () => {
    const rows = await billing.t.deps.db.selectFrom('audit_entry').select('action').distinct().execute()
    const made = rows.map(({ action }) => action.replace('order.', ''))
    expect(Object.keys(transitions).filter((name) => !made.includes(name))).toEqual([])
  })
})

test.each<[string, ...Step[]]>([
  ['a dispute of an open order', 'pay', 'refund_in_panel', 'accept', 'dispute', 'resolve_half', 'fail_refund'],
  ['a proposal', 'pay', 'refund_in_panel', 'accept', 'settle_half', 'fail_refund'],
  [
    'a dispute of a completed order',
    ...(['pay', 'accept', 'deliver', 'complete', 'dispute', 'refund_in_panel', 'resolve_half', 'fail_refund'] as const),
  ],
])('the refund decided in %s stays owed when a part that was returned before fails', async (_, ...names) => {
  const made = await order(100)
  for (const name of names) {
    await steps[name](made)
    await settle(billing)
    await expectMoney(made, name)
  }
  expect(await readOrder(buyer, made)).toMatchObject({ refund_amount: 50, refund_status: 'failed' })
  const refunds = '/api/v1/admin/marketplace/refunds'
  const listed = async (query: string) =>
    expectStatus(await billing.admin.get(`${refunds}${query}`), 200).body.data.find(
      ({ order_id }: { order_id: string }) => order_id === made.id,
    )
  const failure = expect.stringMatching(/\S/)
  expect(await listed('?status=failed')).toMatchObject({ status: 'failed', refund_amount: 50, failure })
  expect(expectStatus(await billing.admin.post(`${refunds}/${made.id}/retry`), 200).body).toMatchObject({
    ...{ status: 'pending', failure: null },
  })
  const retried = await billing.admin.get('/api/v1/admin/audit-log?action=order.refund_retried')
  expect(expectStatus(retried, 200).body.data[0]).toMatchObject({
    ...{ target_id: made.id, actor: { id: billing.admin.id }, details: { currency: 'TRY', amount: '101' } },
  })
  await settle(billing)
  await expectMoney(made, 'fail_refund')
  expect(await readOrder(buyer, made)).toMatchObject({ refund_amount: 50, refund_status: 'succeeded' })
})

const differences: [string, unknown, Record<string, string>][] = [
  [
    ...(['refund_amount', '100'] as const),
    {
      refund_amount_differs: 'The sum that went or goes back to the buyer of order ID is 0.00 TRY, and not 1.00 TRY.',
      fee_differs: 'The fee of order ID is 5.05 TRY, and not 4.95 TRY.',
      earnings_differ: 'The sum of earnings and fee of order ID is 50.50 TRY, and not 49.50 TRY.',
    },
  ],
  [
    ...(['price', '5051'] as const),
    {
      price_differs: 'The payment into the escrow of order ID is 50.50 TRY, and not 50.51 TRY.',
      earnings_differ: 'The sum of earnings and fee of order ID is 50.50 TRY, and not 50.51 TRY.',
    },
  ],
  [
    ...(['fee_bps', 2000] as const),
    {
      fee_terms_differ: 'The fee agreed on of order ID is 5.05 TRY, and not 10.10 TRY.',
      fee_differs: 'The fee of order ID is 5.05 TRY, and not 10.10 TRY.',
    },
  ],
  ['platform_fee', '506', { fee_terms_differ: 'The fee agreed on of order ID is 5.06 TRY, and not 5.05 TRY.' }],
  [
    ...(['status', 'disputed'] as const),
    {
      fee_differs: 'The fee of order ID is 5.05 TRY, and not 0.00 TRY.',
      escrow_differs: 'The escrow of order ID is 0.00 TRY, and not 50.50 TRY.',
      earnings_differ: 'The sum of earnings and fee of order ID is 50.50 TRY, and not 0.00 TRY.',
    },
  ],
  [
    ...(['refund_status', 'pending'] as const),
    {
      refund_amount_differs: 'The sum that went or goes back to the buyer of order ID is 0.00 TRY, and not 1.00 TRY.',
      fee_differs: 'The fee of order ID is 5.05 TRY, and not 4.95 TRY.',
      earnings_differ: 'The sum of earnings and fee of order ID is 50.50 TRY, and not 49.50 TRY.',
      refund_differs: 'The money to be returned of order ID is 0.00 TRY, and not 1.00 TRY.',
    },
  ],
]

test.each(differences)(
  'a %s that is changed beside the ledger is found by the check',
  async (column, value, problems) => {
    const made = await order(50.5)
    expectStatus(await billing.admin.put('/api/v1/options/marketplace.fee_bps', { value: 1000 }), 200)
    for (const name of ['pay', 'accept', 'deliver', 'complete'] as const) await steps[name](made)
    const undone = new Error('undone')
    const changed = inTransaction(billing.t.deps.db, async (tx) => {
      const values = {
        [column]: value,
        ...(column === 'platform_fee' && { seller_payout: '4544' }),
        ...(column === 'price' && { platform_fee: '505', seller_payout: '4546' }),
        ...(column === 'refund_status' && { refund_amount: '100' }),
      }
      await tx.updateTable('gig_order').set(values).where('id', '=', made.id).execute()
      const found = (await Promise.all(orderChecks.map((check) => check(tx, billing.t.clock.now())))).flat()
      const details = found.map(({ code, detail }) => [code, detail.replace(made.id, 'ID')])
      expect(Object.fromEntries(details)).toEqual(problems)
      throw undone
    })
    await expect(changed).rejects.toBe(undone)
  },
)
