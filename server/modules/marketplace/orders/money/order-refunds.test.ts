import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, memberOf, PASSWORD, type WorkspaceOwner, withWorkspace } from '../../../../../test/factories.ts'
import { publishedGig } from '../../../../../test/gigs.ts'
import { expectLedger } from '../../../../../test/ledger.ts'
import { lasting } from '../../../../../test/people.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { inTransaction } from '../../../../lib/db/database.ts'
import { type Billing, billingApp, settle, tokenOf } from '../../../billing/billing.fixture.ts'
import { enqueueRefundSync } from '../../../billing/providers/enqueue-sync.ts'
import { delivery, doOn, moneyOfOrder, ordered, orderedAndPaid, readOrder } from '../orders.fixture.ts'
import { runOrderTimers } from '../run-timers.ts'

const path = '/api/v1/marketplace/orders'

let billing: Billing
let buyer: WorkspaceOwner
let seller: WorkspaceOwner
beforeAll(async () => {
  billing = await billingApp('stripe')
  expectStatus(await billing.admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
  buyer = await lasting(billing.t, await withWorkspace(billing.t))
  seller = await lasting(billing.t, await withWorkspace(billing.t))
})
afterAll(() => billing.close())

/** An order of 100 lira that is paid at Stripe, with its payment there. */
async function paidAtStripe() {
  const { stripe } = billing.world
  const order = await ordered(buyer, await publishedGig(seller, { price: 100 }))
  const session = stripe.sessions().find(({ url }) => url === order.checkout.url)
  expect(stripe.payCheckout(String(session?.id)).paid).toBe(true)
  await settle(billing)
  expect(await readOrder(buyer, order)).toMatchObject({ status: 'pending' })
  const { ref } = await paymentOf(order)
  return { id: order.id as string, intent: ref }
}

/** The payment of an order, with its id at the provider. */
const paymentOf = ({ id }: { id: string }) =>
  billing.t.deps.db
    .selectFrom('payment')
    .select(['id', 'provider_payment_id as ref'])
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()

/** The events of a type about an order, newest first. */
async function eventsOf({ id }: { id: string }, type: string) {
  const path = `/api/v1/events?limit=100&type=marketplace.order.${type}`
  const { data } = expectStatus(await buyer.get(path), 200).body
  return data.filter((event: { data: { order: { id: string } } }) => event.data.order.id === id)
}

/** The changes of the refund of an order in the audit log of a side, newest first. */
async function refundChanges({ id }: { id: string }, who: WorkspaceOwner = buyer) {
  const path = '/api/v1/workspace/audit-log?action=order.refund_changed&limit=100'
  type Entry = { target_id: string; details: object }
  const { data } = expectStatus(await who.get(path), 200).body
  return data.filter(({ target_id }: Entry) => target_id === id).map(({ details }: Entry) => details)
}

/** Accepts and delivers an order. */
async function deliver({ id }: { id: string }) {
  await doOn(seller, id, 'accept')
  await doOn(seller, id, 'deliver', delivery)
}

async function complete(order: { id: string }) {
  await deliver(order)
  await doOn(buyer, order.id, 'complete')
}

/** Completes an order by a proposal that returns `refund_amount` to the buyer. */
async function settleOrder(order: { id: string }, refund_amount: number) {
  await deliver(order)
  const { proposal } = await doOn(seller, order.id, 'proposals', { refund_amount, reason: 'Half of it.' })
  await doOn(buyer, order.id, `proposals/${proposal.id}/accept`)
}

async function resolveDispute(order: { id: string }, refund_amount: number) {
  await deliver(order)
  const { dispute } = await doOn(buyer, order.id, 'dispute', { reason: 'Half of it is missing.' })
  const { admin } = billing
  expectStatus(await admin.post(`/api/v1/admin/marketplace/disputes/${dispute.id}/resolve`, { refund_amount }), 200)
}

async function resolveAfterCompletion(order: { id: string }, refund_amount: number) {
  await complete(order)
  const { dispute } = await doOn(buyer, order.id, 'dispute', { reason: 'Half of it is missing.' })
  const { admin } = billing
  expectStatus(await admin.post(`/api/v1/admin/marketplace/disputes/${dispute.id}/resolve`, { refund_amount }), 200)
}

async function waitForCompletion(order: { id: string }) {
  await deliver(order)
  billing.t.advance(7 * 86_400_000)
  await runOrderTimers(billing.t.deps)
}

/** Minor units of the accounts of an order and its seller, besides those that are empty. */
async function balancesOf({ id }: { id: string }) {
  const { provider_clearing: _, ...balances } = await moneyOfOrder(billing.t, id)
  return balances
}

const expectState = async (order: { id: string }, record: object, balances: object) => {
  expect(await readOrder(buyer, order)).toMatchObject(record)
  expect(await balancesOf(order)).toEqual(balances)
  await expectLedger(billing.t)
}

describe('the refund of an order', () => {
  test('a paid order that the buyer withdraws is canceled at once, and its price is returned by the provider', async () => {
    const order = await paidAtStripe()
    const { body } = expectStatus(await buyer.post(`${path}/${order.id}/withdraw`), 200)
    expect(body).toMatchObject({
      status: 'canceled',
      canceled_by: 'buyer',
      refund_amount: 100,
      refund_status: 'pending',
    })
    await expectState(order, { status: 'canceled' }, { refunds_payable: 10_000 })
    await settle(billing)
    await expectState(order, { status: 'canceled', refund_amount: 100, refund_status: 'succeeded' }, {})
    expect(billing.world.journal.net(order.intent)).toBe(0n)
  })

  test('a refund of a part leaves the rest to the seller and the fee', async () => {
    const order = await paidAtStripe()
    await settleOrder(order, 30)
    await settle(billing)
    const record = { status: 'completed', refund_amount: 30, refund_status: 'succeeded' }
    await expectState(order, record, { seller_pending: 6300, platform_fee: 700 })
  })

  test('what was owed and is returned in the panel of the provider is not returned again', async () => {
    const order = await paidAtStripe()
    await settleOrder(order, 30)
    billing.world.stripe.refundInDashboard(order.intent, 3000)
    await settle(billing)
    const record = { refund_amount: 30, refund_status: 'succeeded' }
    await expectState(order, record, { seller_pending: 6300, platform_fee: 700 })
  })

  test('a dispute of a completed order that is resolved returns its part once, and a later one in the panel as well', async () => {
    const order = await paidAtStripe()
    await resolveAfterCompletion(order, 30)
    await settle(billing)
    const record = { status: 'completed', refund_amount: 30, refund_status: 'succeeded' }
    await expectState(order, record, { seller_pending: 6300, platform_fee: 700 })
    expect(billing.world.journal.net(order.intent)).toBe(7000n)
    billing.world.stripe.refundInDashboard(order.intent, 7000)
    await settle(billing)
    await expectState(order, { status: 'completed', refund_amount: 100, refund_status: 'succeeded' }, {})
  })

  test.each<[string, (order: { id: string }) => Promise<unknown>]>([
    ['a dispute', (order) => resolveDispute(order, 100)],
    ['a dispute after the completion', (order) => resolveAfterCompletion(order, 100)],
  ])('a refund that is pending at the provider returns its part of what is decided in %s', async (_, end) => {
    const { stripe } = billing.world
    const order = await paidAtStripe()
    stripe.holdRefunds()
    const pending = stripe.refundInDashboard(order.intent, 3000)
    await settle(billing)
    await end(order)
    await settle(billing)
    await expectState(order, { refund_amount: 100, refund_status: 'pending' }, { refunds_payable: 3000 })
    stripe.finishRefund(pending, 'succeeded')
    await settle(billing)
    await expectState(order, { refund_amount: 100, refund_status: 'succeeded' }, {})
    // The first part changed nothing of the order.
    expect(await refundChanges(order)).toEqual([{ refund_amount: '10000', refund_status: 'succeeded' }])
    expect(billing.world.journal.net(order.intent)).toBe(0n)
  })

  test('only one of a withdrawal and its repetition returns the price', async () => {
    const order = await paidAtStripe()
    const responses = await Promise.all(Array.from({ length: 6 }, () => buyer.post(`${path}/${order.id}/withdraw`)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    await settle(billing)
    await expectState(order, { refund_status: 'succeeded' }, {})
  })

  test('a refund of a payment by hand waits for an instance admin', async () => {
    const { admin } = billing
    expectStatus(await admin.put('/api/v1/options/billing.provider', { value: 'manual' }), 200)
    const order = await orderedAndPaid(admin, buyer, await publishedGig(seller, { price: 100 }))
    expectStatus(await admin.put('/api/v1/options/billing.provider', { value: 'stripe' }), 200)
    expectStatus(await buyer.post(`${path}/${order.id}/withdraw`), 200)
    await settle(billing)
    await expectState(order, { status: 'canceled', refund_status: 'pending' }, { refunds_payable: 10_000 })
  })
})

describe('money that goes back without a decision in Meydan', () => {
  test('the payment of an order whose seller has deleted their account goes back', async () => {
    const { stripe } = billing.world
    const leaving = await memberOf(billing.t, seller.workspace_id, 'admin')
    const order = await ordered(buyer, await publishedGig(leaving, { price: 100 }))
    expectStatus(await leaving.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } }), 204)
    const session = stripe.sessions().find(({ url }) => url === order.checkout.url)
    expect(stripe.payCheckout(String(session?.id)).paid).toBe(true)
    await settle(billing)
    expect(await readOrder(buyer, order)).toMatchObject({ status: 'expired', checkout: null, refund_amount: 0 })
    const { ref } = await paymentOf(order)
    expect(billing.world.journal.net(ref)).toBe(0n)
    await expectLedger(billing.t)
  })

  test('an open order is canceled when all of its payment is refunded in the panel', async () => {
    const order = await paidAtStripe()
    billing.world.stripe.refundInDashboard(order.intent, 10_000)
    await settle(billing)
    const record = { status: 'canceled', canceled_by: 'system', refund_amount: 100, refund_status: 'succeeded' }
    await expectState(order, { ...record, cancel_reason: 'The payment was returned to the buyer.' }, {})
    expect(await eventsOf(order, 'canceled')).toMatchObject([{ data: { order: record } }])
  })

  test('a dispute of an open order ends when all of its payment is refunded in the panel', async () => {
    const order = await paidAtStripe()
    await deliver(order)
    const { dispute } = await doOn(buyer, order.id, 'dispute', { reason: 'Half of it is missing.' })
    billing.world.stripe.refundInDashboard(order.intent, 10_000)
    await settle(billing)
    await expectState(order, { status: 'canceled', dispute: { id: dispute.id, status: 'resolved' } }, {})
  })

  test('the interest of instalments, which was income, goes back with the whole payment', async () => {
    const { admin, t, world } = billing
    expectStatus(await admin.put('/api/v1/options/billing.provider', { value: 'paytr' }), 200)
    const order = await ordered(buyer, await publishedGig(seller, { price: 100 }))
    expectStatus(await admin.put('/api/v1/options/billing.provider', { value: 'stripe' }), 200)
    world.paytr.pay(tokenOf(order.checkout.url), { fee: 500n })
    await settle(billing)
    await expectState(order, { status: 'pending', price: 100 }, { escrow: 10_000, platform_fee: 500 })
    const { id, ref } = await paymentOf(order)
    world.paytr.refundInPanel(ref, 10_500n)
    await inTransaction(t.deps.db, (tx) => enqueueRefundSync(tx, id))
    await settle(billing)
    await expectState(order, { status: 'canceled', refund_amount: 100, refund_status: 'succeeded' }, {})
  })

  test.each<[string, (order: { id: string }) => Promise<unknown>]>([
    ['a completion', complete],
    ['a completion by itself', waitForCompletion],
    ['a proposal of less', (order) => settleOrder(order, 20)],
    ['a dispute that is resolved with less', (order) => resolveDispute(order, 10)],
    ['a dispute that is resolved with nothing', (order) => resolveDispute(order, 0)],
    ['a dispute after the completion that is resolved with less', (order) => resolveAfterCompletion(order, 10)],
  ])('a part that went back of an open order stays returned after %s', async (_, end) => {
    const order = await paidAtStripe()
    billing.world.stripe.refundInDashboard(order.intent, 3000)
    await settle(billing)
    const record = { refund_amount: 30, refund_status: 'succeeded' }
    await expectState(order, { ...record, status: 'pending' }, { escrow: 7000 })
    for (const who of [buyer, seller])
      expect(await refundChanges(order, who)).toEqual([{ refund_amount: '3000', refund_status: 'succeeded' }])
    await end(order)
    await settle(billing)
    await expectState(order, { ...record, status: 'completed' }, { seller_pending: 6300, platform_fee: 700 })
    expect(billing.world.journal.net(order.intent)).toBe(7000n)
    expect(await eventsOf(order, 'completed')).toMatchObject([{ data: { order: record } }])
  })

  test.each<[string, (order: { id: string }) => Promise<unknown>]>([
    ['a proposal', (order) => settleOrder(order, 50)],
    ['a dispute that is resolved', (order) => resolveDispute(order, 50)],
    ['a dispute after the completion', (order) => resolveAfterCompletion(order, 50)],
  ])('a part that went back of an open order counts towards the refund of %s', async (_, end) => {
    const order = await paidAtStripe()
    billing.world.stripe.refundInDashboard(order.intent, 3000)
    await settle(billing)
    await end(order)
    await settle(billing)
    const record = { status: 'completed', refund_amount: 50, refund_status: 'succeeded' }
    await expectState(order, record, { seller_pending: 4500, platform_fee: 500 })
    expect(billing.world.journal.net(order.intent)).toBe(5000n)
  })

  test('a withdrawal after a part went back returns the rest alone', async () => {
    const order = await paidAtStripe()
    billing.world.stripe.refundInDashboard(order.intent, 4000)
    await settle(billing)
    expectStatus(await buyer.post(`${path}/${order.id}/withdraw`), 200)
    await settle(billing)
    await expectState(order, { status: 'canceled', refund_amount: 100, refund_status: 'succeeded' }, {})
    expect(billing.world.journal.net(order.intent)).toBe(0n)
  })

  test('a lost dispute about a completed order takes the earnings and the fee back', async () => {
    const order = await paidAtStripe()
    await complete(order)
    const dispute = billing.world.stripe.dispute(order.intent)
    await settle(billing)
    await expectState(order, { refund_amount: 0 }, { seller_pending: 9000, platform_fee: 1000 })
    billing.world.stripe.closeDispute(dispute, 'lost')
    await settle(billing)
    await expectState(order, { status: 'completed', refund_amount: 100, refund_status: 'succeeded' }, {})
  })

  test('a completed order whose whole price went back has nothing left to dispute', async () => {
    const order = await paidAtStripe()
    await complete(order)
    const { dispute } = await doOn(buyer, order.id, 'dispute', { reason: 'Half of it is missing.' })
    const { stripe } = billing.world
    stripe.closeDispute(stripe.dispute(order.intent), 'lost')
    await settle(billing)
    await expectState(
      order,
      { status: 'completed', refund_amount: 100, dispute_until: null, dispute: { status: 'resolved' } },
      {},
    )
    const { admin } = billing
    const decision = await admin.post(`/api/v1/admin/marketplace/disputes/${dispute.id}/resolve`, { refund_amount: 0 })
    expectProblem(decision, 409, 'invalid_transition')
    expectProblem(await buyer.post(`${path}/${order.id}/dispute/withdraw`), 409, 'invalid_transition')
    expectProblem(await buyer.post(`${path}/${order.id}/dispute`, { reason: 'Again.' }), 409, 'dispute_closed')
  })

  test('the decision of a dispute is at least what went back before it', async () => {
    const order = await paidAtStripe()
    billing.world.stripe.refundInDashboard(order.intent, 3000)
    await settle(billing)
    await resolveAfterCompletion(order, 10)
    expect(await readOrder(buyer, order)).toMatchObject({ refund_amount: 30, dispute: { refund_amount: 30 } })
  })

  test('earnings and fee come back when such a refund fails after all', async () => {
    const order = await paidAtStripe()
    await complete(order)
    const refund = billing.world.stripe.refundInDashboard(order.intent, 2505)
    await settle(billing)
    await expectState(order, { refund_amount: 25.05 }, { seller_pending: 6745, platform_fee: 750 })
    billing.world.stripe.finishRefund(refund, 'failed')
    await settle(billing)
    await expectState(order, { refund_amount: 0, refund_status: null }, { seller_pending: 9000, platform_fee: 1000 })
    const reversal = billing.t.deps.db.selectFrom('ledger_transaction').select('kind').where('reverses', 'is not', null)
    expect((await reversal.execute()).map(({ kind }) => kind)).toContain('order_refund_failed')
  })

  test('a canceled order owes its buyer the price when the refund that canceled it fails after all', async () => {
    const order = await paidAtStripe()
    const refund = billing.world.stripe.refundInDashboard(order.intent, 10_000)
    await settle(billing)
    billing.world.stripe.finishRefund(refund, 'failed')
    await settle(billing)
    const record = { status: 'canceled', refund_amount: 100, refund_status: 'failed' }
    await expectState(order, record, { refunds_payable: 10_000 })
  })
})
