import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Currency } from '../../../lib/db/database-types.ts'
import { bookOrderPayment } from '../../billing/payments/book-payments.ts'
import { recordRefund } from '../../billing/payments/refunds.ts'
import { bookClosing, splitEarnings } from '../orders/money/book-orders.ts'
import { sellerAccount } from './balances.ts'
import { clearanceOf, clearEarnings } from './clearance.ts'

type Terms = { price?: bigint; currency?: Currency; fee_bps?: number; title?: string }

const account = ({ id, workspace_id }: WorkspaceOwner) => sellerAccount({ user_id: id, workspace_id })

/** An order that was paid and completes now. Amounts in minor units. Returns its id. */
export const completedOrder = (
  { deps }: TestApp,
  seller: WorkspaceOwner,
  { price = 100_000n, currency = 'TRY', fee_bps = 1000, title = 'Ten posts' }: Terms = {},
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const { platform_fee, seller_payout } = splitEarnings(price, fee_bps)
    const order = await tx
      .insertInto('gig_order')
      .values({
        seller_id: seller.id,
        seller_workspace_id: seller.workspace_id,
        seller_account: account(seller),
        title,
        price: String(price),
        currency,
        delivery_days: 3,
        fee_bps,
        platform_fee: String(platform_fee),
        seller_payout: String(seller_payout),
        revisions_allowed: 2,
        status: 'completed',
        paid_at: now,
        completed_at: now,
        clears_at: await clearanceOf(deps, tx, now),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const payment = await tx
      .insertInto('payment')
      .values({
        order_id: order.id,
        provider: 'manual',
        provider_payment_id: order.id,
        currency,
        amount: String(price),
        paid_at: now,
        use: 'order',
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await bookOrderPayment(tx, payment, { order_id: order.id, amount: order.price })
    await bookClosing(tx, order, now)
    return order.id
  })

/** Returns a part of the price of a completed order to its buyer, in minor units, as an instance admin notes it. */
export const returnToBuyer = ({ deps }: TestApp, order_id: string, amount: bigint) =>
  inTransaction(deps.db, async (tx) => {
    const payment = await tx
      .selectFrom('payment')
      .selectAll()
      .where('order_id', '=', order_id)
      .executeTakeFirstOrThrow()
    await recordRefund(deps, tx, payment, { amount, reason: 'test', requested_by: null })
  })

/** An order whose earnings are available. Returns its id. */
export async function clearedOrder(t: TestApp, seller: WorkspaceOwner, terms: Terms = {}) {
  const id = await completedOrder(t, seller, terms)
  await t.deps.db.updateTable('gig_order').set({ clears_at: t.clock.now() }).where('id', '=', id).execute()
  await clearEarnings(t.deps)
  return id
}

const within = ({ workspace_id }: WorkspaceOwner) => ({ 'x-workspace-id': workspace_id })

export const payoutAccount = { holder: 'Ada Lovelace', iban: 'TR33 0006 1005 1978 6457 8413 26' }

/** A seller with 900 TRY available and a payout account. */
export async function withEarnings(t: TestApp, seller: WorkspaceOwner, account: object = payoutAccount) {
  await clearedOrder(t, seller)
  expectStatus(await seller.put('/api/v1/marketplace/payout-account', account, within(seller)), 200)
  return seller
}

/** Requests a payout, as a whole unless an amount is given. Returns its record. */
export const requested = async (seller: WorkspaceOwner, amount?: number) =>
  expectStatus(await seller.post('/api/v1/marketplace/payouts', { currency: 'TRY', amount }, within(seller)), 201).body
