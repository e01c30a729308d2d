import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { inTransaction, newId } from '../../../lib/db/database.ts'
import type { Currency } from '../../../lib/db/database-types.ts'
import { postTransaction } from '../../ledger/ledger.ts'
import { bookClosing, splitEarnings } from '../orders/money/book-orders.ts'
import { lockSeller, sellerAccount } from './balances.ts'
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
    await postTransaction(tx, {
      key: `order_paid:${order.id}`,
      kind: 'order_paid',
      reference: order.id,
      occurred_at: now,
      currency,
      entries: [
        { kind: 'provider_clearing', owner: 'manual', amount: -price },
        { kind: 'escrow', owner: order.id, amount: price },
      ],
    })
    await tx
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
      .execute()
    await bookClosing(tx, order, now)
    return order.id
  })

/** Returns a part of what a seller earned with a completed order to its buyer, in minor units: at last as a debt. */
export const returnToBuyer = ({ deps }: TestApp, order_id: string, amount: bigint) =>
  inTransaction(deps.db, async (tx) => {
    const { seller_account, currency } = await tx
      .selectFrom('gig_order')
      .select(['seller_account', 'currency'])
      .where('id', '=', order_id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const { pending, available } = await lockSeller(tx, seller_account, currency)
    const fromPending = pending < amount ? pending : amount
    const rest = amount - fromPending
    const fromAvailable = available < rest ? available : rest
    await postTransaction(tx, {
      key: `order_returned:${await newId(tx)}`,
      kind: 'order_returned',
      reference: order_id,
      occurred_at: deps.clock.now(),
      currency,
      entries: [
        { kind: 'seller_pending', owner: seller_account, amount: -fromPending },
        { kind: 'seller_available', owner: seller_account, amount: -fromAvailable },
        { kind: 'seller_debt', owner: seller_account, amount: fromAvailable - rest },
        { kind: 'provider_clearing', owner: 'manual', amount },
      ],
    })
    const payment = await tx
      .selectFrom('payment')
      .select('id')
      .where('order_id', '=', order_id)
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('refund')
      .values({ payment_id: payment.id, amount: String(amount), status: 'succeeded', settled_at: deps.clock.now() })
      .execute()
    await tx
      .updateTable('gig_order')
      .set((order) => ({ refund_amount: order('refund_amount', '+', String(amount)), refund_status: 'succeeded' }))
      .where('id', '=', order_id)
      .execute()
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
