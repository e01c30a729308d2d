import { type NotNull, type Selectable, sql } from 'kysely'
import type { Static } from 'typebox'
import { invalidTransition, notFound } from '../../../../errors.ts'
import { audit } from '../../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { GigOrder, Payment } from '../../../../lib/db/database-types.ts'
import { page } from '../../../../lib/db/page.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { User } from '../../../../lib/http/access.ts'
import { toMajor } from '../../../../lib/money.ts'
import { recordRefund, retryRefund } from '../../../billing/payments/refunds.ts'
import { providerOf } from '../../../billing/providers/registry.ts'
import { lockBalances } from '../../../ledger/ledger.ts'
import { ORDER_REFUND } from './refund-order.ts'
import { findOrderPayment } from './refund-status.ts'
import type { OrderRefundQuery, OrderRefundRecord } from './refunds.schema.ts'
import { lockOrder } from './returned-money.ts'

/** Orders with money that goes or went back to the buyer. */
const refundedOrders = (db: Db) =>
  db
    .selectFrom('gig_order')
    .innerJoin('payment', (join) => join.onRef('payment.order_id', '=', 'gig_order.id').on('payment.use', '=', 'order'))
    .leftJoin('workspace', 'workspace.id', 'gig_order.buyer_workspace_id')
    .leftJoin('ledger_account', (join) =>
      join
        .on('ledger_account.kind', '=', 'refunds_payable')
        .on('ledger_account.owner', '=', sql<string>`gig_order.id::text`)
        .onRef('ledger_account.currency', '=', 'gig_order.currency'),
    )
    .select(['gig_order.id', 'gig_order.id as order_id', 'gig_order.title', 'gig_order.status as order_status'])
    .select(['workspace.name as buyer_workspace_name', 'refund_status', 'refund_amount', 'gig_order.currency'])
    .select(['payment.provider', 'gig_order.updated_at', 'ledger_account.balance as owed'])
    .select((order) =>
      order
        .selectFrom('refund')
        .select('failure')
        .whereRef('payment_id', '=', 'payment.id')
        .where('status', '=', 'failed')
        .orderBy('refund.id', 'desc')
        .limit(1)
        .as('failure'),
    )
    .where('refund_status', 'is not', null)
    .$narrowType<{ refund_status: NotNull }>()

type Row = Awaited<ReturnType<ReturnType<typeof refundedOrders>['executeTakeFirstOrThrow']>>

const recordOf = ({ refund_status, refund_amount, owed, ...row }: Row): OrderRefundRecord => ({
  ...row,
  status: refund_status,
  refund_amount: toMajor(refund_amount),
  owed_amount: toMajor(owed ?? '0'),
  is_manual: !providerOf(row.provider).refunds,
  failure: refund_status === 'failed' ? row.failure : null,
})

/** Lists the refunds of all orders, those of the newest orders first. */
export async function listOrderRefunds(db: Db, { status, ...cut }: Static<typeof OrderRefundQuery>) {
  let rows = refundedOrders(db)
  if (status) rows = rows.where('refund_status', '=', status)
  const { data, next_cursor } = await page(rows, 'gig_order.id', cut)
  return { data: data.map(recordOf), next_cursor }
}

type Owed = { order: Selectable<GigOrder>; payment: Selectable<Payment>; amount: bigint }

/** Changes a refund that is not completed, while its order is locked. A completed one is returned as it is. */
const settle = (deps: Deps, id: string, change: (tx: Tx, owed: Owed) => Promise<unknown>) =>
  inTransaction(deps.db, async (tx) => {
    const order = await lockOrder(tx, id)
    const payment = order?.refund_status ? await findOrderPayment(tx, id) : undefined
    if (!order || !payment) throw notFound()
    if (order.refund_status !== 'succeeded') {
      const [amount = 0n] = await lockBalances(tx, order.currency, [{ kind: 'refunds_payable', owner: id }])
      await change(tx, { order, payment, amount })
    }
    return recordOf(await refundedOrders(tx).where('gig_order.id', '=', id).executeTakeFirstOrThrow())
  })

/** Notes that an instance admin has returned what is owed to the buyer. Repeating it changes nothing. */
export const markRefundPaid = (
  deps: Deps,
  caller: User,
  id: string,
  { reference = null }: { reference?: string | null },
) =>
  settle(deps, id, async (tx, { order, payment, amount }) => {
    if (order.refund_status === 'pending' && providerOf(payment.provider).refunds)
      throw invalidTransition('pending', 'pay a refund by hand that the provider is making')
    await recordRefund(deps, tx, payment, { amount, reason: ORDER_REFUND, requested_by: caller.user_id })
    await audit(tx, caller, 'order.refund_paid', id, { amount: String(amount), currency: order.currency, reference })
  })

/** Asks the provider again for a refund that failed. */
export const retryOrderRefund = (deps: Deps, caller: User, id: string) =>
  settle(deps, id, async (tx, { order, payment, amount }) => {
    if (order.refund_status !== 'failed') throw invalidTransition('pending', 'retry a refund')
    await retryRefund(deps, tx, payment, { amount, reason: ORDER_REFUND, requested_by: caller.user_id })
    await tx.updateTable('gig_order').set({ refund_status: 'pending' }).where('id', '=', id).execute()
    await audit(tx, caller, 'order.refund_retried', id, { amount: String(amount), currency: order.currency })
  })
