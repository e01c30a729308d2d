import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { audit, system } from '../../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../../lib/db/database.ts'
import type { GigOrder } from '../../../../lib/db/database-types.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { OrderReturn } from '../../../../lib/lifecycle.ts'
import { type LedgerEntry, lockBalances, postTransaction } from '../../../ledger/ledger.ts'
import { creditAvailable } from '../../payouts/balances.ts'
import { earningsLeft } from '../../payouts/clearance.ts'
import { changeOrder, endDispute } from '../record/change-order.ts'
import { splitEarnings } from '../record/earnings.ts'
import { isClosed } from '../record/transitions.ts'
import { type RefundState, refundStatusOf } from './refund-status.ts'

type Row = Selectable<GigOrder>

const CHARGED_BACK = 'The payment was returned to the buyer.'
const minOf = (one: bigint, other: bigint) => (one < other ? one : other)

export const lockOrder = (tx: Tx, id: string) =>
  tx.selectFrom('gig_order').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

async function lockAccounts(tx: Tx, { id, seller_account: seller, currency }: Row, provider?: string) {
  const [owed = 0n, , , pending = 0n, available = 0n, debt = 0n] = await lockBalances(tx, currency, [
    { kind: 'refunds_payable', owner: id },
    { kind: 'escrow', owner: id },
    { kind: 'platform_fee' },
    { kind: 'seller_pending', owner: seller },
    { kind: 'seller_available', owner: seller },
    { kind: 'seller_debt', owner: seller },
    ...(provider === undefined ? [] : [{ kind: 'provider_clearing', owner: provider } as const]),
  ])
  return { owed, pending, available, owedBySeller: -debt }
}

/**
 * Takes what went back to the buyer from where it lies, as far as it was not owed to them: from the escrow of an open
 * order, else from what the seller and Meydan earned. An open order without anything left is canceled. The order must
 * be locked.
 */
export async function takeReturned(deps: Deps, tx: Tx, returned: OrderReturn) {
  const order = await lockOrder(tx, returned.order_id)
  if (!order) return
  const now = deps.clock.now()
  const accounts = await lockAccounts(tx, order, returned.provider)
  const lacking = returned.amount > accounts.owed ? returned.amount - accounts.owed : 0n
  const left = BigInt(order.price) - BigInt(order.refund_amount)
  const taken = minOf(lacking, left)
  const from = isClosed(order.status)
    ? await takeEarnings(tx, order, { left, taken, ...accounts })
    : [{ kind: 'escrow' as const, owner: order.id, amount: -taken }]
  await postReturn(tx, order, { key: `order_returned:${returned.refund_id}`, from, amount: taken, now })
  // More than the price, as interest for instalments, was income.
  const surplus: LedgerEntry[] = [{ kind: 'platform_fee', amount: taken - lacking }]
  const surplusKey = `order_surplus:${returned.refund_id}`
  await postReturn(tx, order, { key: surplusKey, from: surplus, amount: lacking - taken, now, of: returned.payment_id })
  const state = await refundStatusOf(tx, order, accounts.owed + lacking - returned.amount)
  await noteReturn(tx, order, BigInt(order.refund_amount) + taken, state, now)
}

type Posting = { key: string; from: LedgerEntry[]; amount: bigint; now: Date; of?: string }
async function postReturn(tx: Tx, order: Row, { key, from, amount, now, of = order.id }: Posting) {
  if (amount === 0n) return
  await postTransaction(tx, {
    key,
    kind: 'order_returned',
    reference: of,
    occurred_at: now,
    currency: order.currency,
    entries: [...from, { kind: 'refunds_payable', owner: order.id, amount }],
  })
}

type Earnings = { left: bigint; taken: bigint; pending: bigint; available: bigint }

/** The fee falls with the earnings. The seller's part is taken from this order, then from what is available, then owed. */
async function takeEarnings(tx: Tx, order: Row, { left, taken, pending, available }: Earnings): Promise<LedgerEntry[]> {
  const { fee, payout } = difference(order, left - taken, left)
  const fromPending = minOf(payout, minOf(await earningsLeft(tx, order.id, order.seller_account), pending))
  const fromAvailable = minOf(payout - fromPending, available)
  const owner = order.seller_account
  return [
    { kind: 'platform_fee', amount: -fee },
    { kind: 'seller_pending', owner, amount: -fromPending },
    { kind: 'seller_available', owner, amount: -fromAvailable },
    { kind: 'seller_debt', owner, amount: fromPending + fromAvailable - payout },
  ]
}

/** Owes the buyer of a completed order a further part of the price, taken from what was earned. The order must be locked. */
export async function takeBack(
  tx: Tx,
  order: Row,
  { key, amount, now }: Required<Pick<Posting, 'key' | 'amount' | 'now'>>,
) {
  const accounts = await lockAccounts(tx, order)
  const left = BigInt(order.price) - BigInt(order.refund_amount)
  const from = await takeEarnings(tx, order, { left, taken: amount, ...accounts })
  await postReturn(tx, order, { key, from, amount, now })
}

function difference({ fee_bps }: Row, less: bigint, more: bigint) {
  const before = splitEarnings(more, fee_bps)
  const after = splitEarnings(less, fee_bps)
  return { fee: before.platform_fee - after.platform_fee, payout: before.seller_payout - after.seller_payout }
}

/**
 * Notes a refund that failed. If it had succeeded, as when a dispute is won after all, what was taken for it goes back to
 * the order, as far as it exceeds the refund that was decided. The rest is owed to the buyer, as all of it is by a
 * canceled order. The order must be locked.
 */
export async function noteFailedReturn(deps: Deps, tx: Tx, failed: OrderReturn & { wasBooked: boolean }) {
  const order = await lockOrder(tx, failed.order_id)
  if (!order) return
  const now = deps.clock.now()
  const { owed, owedBySeller } = await lockAccounts(tx, order, failed.provider)
  const taken = failed.wasBooked ? await takenFor(tx, order, failed.refund_id) : 0n
  const restored = order.status === 'canceled' ? 0n : minOf(taken, await undecided(tx, order))
  await postReturn(tx, order, {
    key: `order_restored:${failed.refund_id}`,
    from: restoredTo(order, restored, owedBySeller),
    amount: -restored,
    now,
  })
  const state = await refundStatusOf(tx, order, owed - restored)
  await noteReturn(tx, order, BigInt(order.refund_amount) - restored, state, now)
}

/** Minor units that went back beyond the refund of the decided dispute, or of the proposal that both sides agreed on. */
async function undecided(tx: Tx, { id, refund_amount }: Row) {
  const { decided } = await tx
    .selectFrom(
      tx
        .selectFrom('order_dispute')
        .select('refund_amount')
        .where('order_id', '=', id)
        .where('status', '=', 'resolved')
        .unionAll(
          tx
            .selectFrom('order_proposal')
            .select('refund_amount')
            .where('order_id', '=', id)
            .where('status', '=', 'accepted'),
        )
        .as('decision'),
    )
    .select(sql<string>`coalesce(max(refund_amount), 0)::text`.as('decided'))
    .executeTakeFirstOrThrow()
  const beyond = BigInt(refund_amount) - BigInt(decided)
  return beyond > 0n ? beyond : 0n
}

/** Minor units of the price that were taken for a refund that was not owed. */
async function takenFor(tx: Tx, { id }: Row, refund_id: string) {
  const { taken } = await tx
    .selectFrom('ledger_transaction')
    .innerJoin('ledger_entry', 'transaction_id', 'ledger_transaction.id')
    .innerJoin('ledger_account', 'ledger_account.id', 'account_id')
    .select(sql<string>`coalesce(sum(amount), 0)::text`.as('taken'))
    .where('idempotency_key', '=', `order_returned:${refund_id}`)
    .where('ledger_account.kind', '=', 'refunds_payable')
    .where('owner', '=', id)
    .executeTakeFirstOrThrow()
  return BigInt(taken)
}

function restoredTo(order: Row, amount: bigint, owedBySeller: bigint): LedgerEntry[] {
  if (!isClosed(order.status)) return [{ kind: 'escrow', owner: order.id, amount }]
  const left = BigInt(order.price) - BigInt(order.refund_amount)
  const { fee, payout } = difference(order, left, left + amount)
  const owner = order.seller_account
  return [
    { kind: 'platform_fee', amount: fee },
    ...(order.cleared_at
      ? creditAvailable(owner, payout, owedBySeller)
      : [{ kind: 'seller_pending' as const, owner, amount: payout }]),
  ]
}

async function noteReturn(tx: Tx, order: Row, refunded: bigint, refund_status: RefundState, now: Date) {
  const columns = { refund_amount: String(refunded), refund_status: refunded === 0n ? null : refund_status }
  if (!isClosed(order.status) && refunded === BigInt(order.price)) {
    await changeOrder(tx, order.id, {
      name: 'charge_back',
      by: 'system',
      actor: system(),
      now,
      columns: { ...columns, canceled_at: now, canceled_by: 'system', cancel_reason: CHARGED_BACK },
    })
    return
  }
  const isSame = columns.refund_amount === order.refund_amount && columns.refund_status === order.refund_status
  if (isSame) return
  const isWhole = order.status === 'completed' && refunded === BigInt(order.price)
  if (isWhole) await endDispute(tx, order.id, now)
  await tx
    .updateTable('gig_order')
    .set({
      ...columns,
      ...(isWhole && { disputed_from: null, dispute_until: null }),
      updated_at: nextUpdatedAt(now),
    })
    .where('id', '=', order.id)
    .execute()
  for (const workspace_id of [order.buyer_workspace_id, order.seller_workspace_id])
    if (workspace_id) await audit(tx, system(workspace_id), 'order.refund_changed', order.id, columns)
}
