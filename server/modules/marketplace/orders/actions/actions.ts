import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../../shared/time.ts'
import { notFound } from '../../../../errors.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member, User } from '../../../../lib/http/access.ts'
import type { IfMatch } from '../../../../lib/http/etag.ts'
import { mailOrder } from '../conversation/order-mails.ts'
import { closeOrder } from '../money/close-order.ts'
import { actAs, actOnOrder } from '../record/act-on-order.ts'
import { changeOrder } from '../record/change-order.ts'
import { earningsOf } from '../record/earnings.ts'
import { type OrderState, otherSide } from '../record/order-state.ts'
import type { CancelInput, RequirementsInput, RevisionInput } from './actions.schema.ts'

/** Time until which the seller delivers: the days of the order after the later of acceptance and requirements. */
const dueAfter = (start: Date, { delivery_days }: Pick<OrderState, 'delivery_days'>) =>
  new Date(start.getTime() + delivery_days * DAY)

export const acceptOrder = (deps: Deps, caller: Member, id: string, ifMatch: IfMatch) =>
  actOnOrder(deps, caller, { id, action: 'accept', ifMatch }, async (tx, order, step) => {
    const columns = { accepted_at: step.now, due_at: dueAfter(step.now, order), accept_by: null }
    const after = await changeOrder(tx, id, { name: 'accept', ...step, columns })
    await mailOrder(deps, tx, after, 'buyer', { key: 'order-accepted', deadline: after.due_at })
  })

/** Before the acceptance it is declined. All of the price is refunded. */
export const cancelOrder = (
  deps: Deps,
  caller: Member,
  id: string,
  { reason }: Static<typeof CancelInput>,
  ifMatch: IfMatch,
) =>
  actOnOrder(deps, caller, { id, action: 'cancel', ifMatch }, async (tx, order, step) => {
    const name = order.status === 'pending' ? 'decline' : 'cancel'
    const after = await closeOrder(deps, tx, order, { name, ...step, refunded: BigInt(order.price), reason })
    await mailOrder(deps, tx, after, otherSide(step.by), { key: 'order-canceled', reason })
  })

/** Completes an order for an admin of the buyer, or for an instance admin, who may belong to no workspace. */
export const completeOrder = (deps: Deps, caller: User, id: string, ifMatch: IfMatch) =>
  actAs(
    deps,
    caller,
    { id, action: 'complete', ifMatch },
    (order, tx) => completingParty(tx, order, caller),
    async (tx, order, step) => {
      const actor = { ...caller, workspace_id: order.buyer_workspace_id }
      const after = await closeOrder(deps, tx, order, { name: 'complete', ...step, actor, refunded: 0n })
      await mailOrder(deps, tx, after, 'seller', { key: 'order-completed', amount: earningsOf(after).seller_payout })
    },
  )

async function completingParty(tx: Tx, order: OrderState, { user_id, is_instance_admin }: User) {
  const memberships = await tx
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_id')
    .select(['workspace_id', 'role'])
    .where('user_id', '=', user_id)
    .where('workspace.deleted_at', 'is', null)
    .where(sql<SqlBool>`workspace_id = any(${[order.buyer_workspace_id, order.seller_workspace_id]}::uuid[])`)
    .execute()
  const isIn = (workspace_id: string | null) => memberships.find((member) => member.workspace_id === workspace_id)
  const role = isIn(order.buyer_workspace_id)?.role
  if (role === 'admin' || role === 'owner') return 'buyer'
  if (is_instance_admin) return 'admin'
  // The rules refuse them: they see the order, and do not complete it.
  if (role || (order.seller_id === user_id && isIn(order.seller_workspace_id))) return 'seller'
  throw notFound()
}

/** Requirements that come after the acceptance start the time of delivery again, once. */
export const submitRequirements = (
  deps: Deps,
  caller: Member,
  id: string,
  { requirements }: Static<typeof RequirementsInput>,
) =>
  actOnOrder(deps, caller, { id, action: 'submit_requirements' }, async (tx, order, step) => {
    const { now } = step
    await changeOrder(tx, id, {
      name: 'submit_requirements',
      ...step,
      columns: {
        requirements,
        requirements_at: now,
        ...(order.status === 'in_progress' && { due_at: dueAfter(now, order) }),
      },
    })
  })

/** The seller gets the days of the order again, so that a late revision is no way to a refund. */
export const requestRevision = (deps: Deps, caller: Member, id: string, { reason }: Static<typeof RevisionInput>) =>
  actOnOrder(deps, caller, { id, action: 'request_revision' }, async (tx, order, step) => {
    const due_at = dueAfter(step.now, order)
    const columns = { revisions_used: order.revisions_used + 1, due_at }
    const after = await changeOrder(tx, id, { name: 'request_revision', ...step, columns, reason })
    await mailOrder(deps, tx, after, 'seller', { key: 'order-revision-requested', reason, deadline: due_at })
  })
