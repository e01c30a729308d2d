import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { HOUR } from '../../../../../shared/time.ts'
import { invalid, notFound } from '../../../../errors.ts'
import { audit } from '../../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { toMajor, toMinor } from '../../../../lib/money.ts'
import { mailOrder } from '../conversation/order-mails.ts'
import { mailRepeatable } from '../conversation/repeatable-mails.ts'
import { closeOrder } from '../money/close-order.ts'
import { actOnOrder, type Step, touchOrder } from '../record/act-on-order.ts'
import { type OrderState, otherSide } from '../record/order-state.ts'
import { writeSystemMessage } from '../record/system-messages.ts'
import type { ProposalInput } from './actions.schema.ts'

/** A proposal without a reaction expires then, without an effect: money never moves because somebody is silent. */
const OPEN_MS = 48 * HOUR

type ProposalOf = { id: string; proposal_id: string }

export const propose = (deps: Deps, caller: Member, id: string, input: Static<typeof ProposalInput>) =>
  actOnOrder(deps, caller, { id, action: 'propose' }, async (tx, order, step) => {
    const amount = toMinor(input.refund_amount, '/refund_amount')
    if (amount === 0n || amount > BigInt(order.price))
      throw invalid('/refund_amount', {
        en: 'This must be above 0, and at most the price.',
        tr: '0’dan büyük ve en çok fiyat kadar olmalı.',
      })
    const { by, now } = step
    // The job that ends it may come later.
    await expireProposals(tx, now, id)
    const expires_at = new Date(now.getTime() + OPEN_MS)
    const { reason } = input
    await tx
      .insertInto('order_proposal')
      .values({ order_id: id, proposed_by: by, refund_amount: String(amount), reason, expires_at, created_at: now })
      .execute()
    await note(tx, order, step, { code: 'propose', reason, refund_amount: String(amount) })
    await mailRepeatable(deps, tx, { order_id: id, side: otherSide(by), kind: 'order-proposal' })
  })

/** Ends the order with the refund, or cancels it when that is all of the price. */
export const acceptProposal = (deps: Deps, caller: Member, { id, proposal_id }: ProposalOf) =>
  actOnOrder(deps, caller, { id, action: 'accept_proposal' }, async (tx, order, step) => {
    const { refund_amount, reason } = await endProposal(tx, order, proposal_id, { status: 'accepted', now: step.now })
    const refunded = BigInt(refund_amount)
    const isWhole = refunded === BigInt(order.price)
    const after = await closeOrder(deps, tx, order, { name: isWhole ? 'cancel' : 'settle', ...step, refunded, reason })
    const key = isWhole ? 'order-canceled' : 'order-settled'
    await mailOrder(deps, tx, after, otherSide(step.by), { key, reason, amount: BigInt(after.refund_amount) })
  })

export const rejectProposal = (deps: Deps, caller: Member, { id, proposal_id }: ProposalOf) =>
  actOnOrder(deps, caller, { id, action: 'reject_proposal' }, async (tx, order, step) => {
    const { refund_amount } = await endProposal(tx, order, proposal_id, { status: 'rejected', now: step.now })
    await note(tx, order, step, { code: 'reject_proposal', refund_amount })
    await mailRepeatable(deps, tx, { order_id: id, side: otherSide(step.by), kind: 'order-proposal-rejected' })
  })

export const withdrawProposal = (deps: Deps, caller: Member, { id, proposal_id }: ProposalOf) =>
  actOnOrder(deps, caller, { id, action: 'withdraw_proposal' }, async (tx, order, step) => {
    const { refund_amount } = await endProposal(tx, order, proposal_id, { status: 'withdrawn', now: step.now })
    await note(tx, order, step, { code: 'withdraw_proposal', refund_amount })
  })

type End = { status: 'accepted' | 'rejected' | 'withdrawn'; now: Date }

/** The rules allow it for the open proposal. A request can name another one. */
async function endProposal(tx: Tx, order: OrderState, proposal_id: string, { status, now }: End) {
  const ended = await tx
    .updateTable('order_proposal')
    .set({ status, ended_at: now })
    .where('id', '=', proposal_id)
    .where('order_id', '=', order.id)
    .where('status', '=', 'open')
    .returning(['refund_amount', 'reason'])
    .executeTakeFirst()
  if (!ended) throw notFound()
  return ended
}

type Note = {
  code: 'propose' | 'reject_proposal' | 'withdraw_proposal'
  refund_amount: string
  reason?: string
}

async function note(tx: Tx, order: OrderState, { by, actor, now }: Step, { code, ...more }: Note) {
  await touchOrder(tx, order.id, now)
  await writeSystemMessage(tx, order, { code, by, now, ...more })
  await audit(tx, actor, `order.${code}`, order.id, { by, refund_amount: toMajor(more.refund_amount) })
}

/** Ends open proposals whose time is over: of one order, or of all. */
async function expireProposals(tx: Tx, now: Date, order_id?: string) {
  const expired = await tx
    .updateTable('order_proposal')
    .set({ status: 'expired', ended_at: now })
    .where('status', '=', 'open')
    .where('expires_at', '<=', now)
    .$if(order_id !== undefined, (all) => all.where('order_id', '=', order_id ?? ''))
    .where(sql<SqlBool>`order_id in (select id from gig_order where id = order_id for no key update skip locked)`)
    .returning(['order_id as id', 'refund_amount'])
    .execute()
  for (const order of expired) {
    await touchOrder(tx, order.id, now)
    await writeSystemMessage(tx, order, { code: 'expire_proposal', by: 'system', now })
  }
}

export const expireDueProposals = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  inTransaction(db, (tx) => expireProposals(tx, clock.now()))
