import { HOUR } from '../../../../../shared/time.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { addJob } from '../../../../lib/runtime/jobs.ts'
import { lockOrder } from '../record/act-on-order.ts'
import { type OrderState, readState, type Side } from '../record/order-state.ts'
import { mailOrder, type OrderMail } from './order-mails.ts'

/** Least time between two mails of one kind to a side of an order. */
const PAUSE_MS = HOUR

/** Returns the content of a mail from the state of its order; undefined if the state has passed. */
type Describe = (order: OrderState, side: Side) => Omit<OrderMail, 'key'> | undefined

/** Mails about what the other side can do any number of times. */
const repeatable = {
  'order-delivered': ({ status, auto_complete_at }) =>
    status === 'delivered' ? { deadline: auto_complete_at } : undefined,
  'order-disputed': ({ dispute }) => (dispute?.status === 'open' ? { reason: dispute.reason } : undefined),
  'order-dispute-withdrawn': ({ status, dispute, due_at }) => {
    if (dispute?.status === 'open') return undefined
    return ['in_progress', 'delivered', 'completed'].includes(status) ? { deadline: due_at } : undefined
  },
  'order-proposal': ({ proposal }, side) =>
    proposal?.status === 'open' && proposal.proposed_by !== side
      ? {
          reason: proposal.reason,
          amount: BigInt(proposal.refund_amount),
          deadline: new Date(proposal.expires_at),
        }
      : undefined,
  'order-proposal-rejected': ({ proposal }, side) =>
    proposal?.status === 'rejected' && proposal.proposed_by === side
      ? { amount: BigInt(proposal.refund_amount) }
      : undefined,
} as const satisfies Partial<Record<OrderMail['key'], Describe>>

export type RepeatableMail = { order_id: string; side: Side; kind: keyof typeof repeatable }

/**
 * Mails a side of an order, which is locked, at once or an hour after the last mail of this kind. What is repeated until
 * then is one mail, about the order as it is at that time.
 */
export async function mailRepeatable(deps: Deps, tx: Tx, mail: RepeatableMail) {
  const { order_id, side, kind } = mail
  const order = await readState(tx, order_id)
  const content = repeatable[kind](order, side)
  if (!content) return
  const now = deps.clock.now()
  const last = await tx
    .selectFrom('order_mail')
    .select('mailed_at')
    .where('order_id', '=', order_id)
    .where('side', '=', side)
    .where('kind', '=', kind)
    .executeTakeFirst()
  const runAt = last && new Date(last.mailed_at.getTime() + PAUSE_MS)
  if (runAt && runAt > now)
    return addJob(tx, 'mail-order', mail, { key: `order-mail ${order_id} ${side} ${kind}`, runAt })
  await tx
    .insertInto('order_mail')
    .values({ ...mail, mailed_at: now })
    .onConflict((conflict) => conflict.columns(['order_id', 'side', 'kind']).doUpdateSet({ mailed_at: now }))
    .execute()
  await mailOrder(deps, tx, order, side, { key: kind, ...content })
}

/** Sends a mail that waited. */
export const mailLater = (deps: Deps, mail: RepeatableMail) =>
  inTransaction(deps.db, async (tx) => {
    await lockOrder(tx, mail.order_id)
    await mailRepeatable(deps, tx, mail)
  })
