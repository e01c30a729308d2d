import type { Static } from 'typebox'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { mailRepeatable } from '../conversation/repeatable-mails.ts'
import { actOnOrder } from '../record/act-on-order.ts'
import { changeOrder } from '../record/change-order.ts'
import { otherSide } from '../record/order-state.ts'
import type { DisputeInput } from './disputes.schema.ts'

/**
 * Stops all timers of the order until an instance admin decides, or the dispute is withdrawn. What the seller earned with
 * a completed order is held.
 */
export const openDispute = (deps: Deps, caller: Member, id: string, { reason }: Static<typeof DisputeInput>) =>
  actOnOrder(deps, caller, { id, action: 'dispute' }, async (tx, order, step) => {
    const { by, now } = step
    const name = order.status === 'completed' ? 'dispute_completed' : 'dispute'
    await tx.insertInto('order_dispute').values({ order_id: id, opened_by: by, reason, created_at: now }).execute()
    const columns = { disputed_at: now, disputed_from: order.status }
    await changeOrder(tx, id, { name, ...step, columns, reason })
    await mailRepeatable(deps, tx, { order_id: id, side: otherSide(by), kind: 'order-disputed' })
  })

/** The order goes on with the time that was left; a completed one stays completed. */
export const withdrawDispute = (deps: Deps, caller: Member, id: string) =>
  actOnOrder(deps, caller, { id, action: 'withdraw_dispute' }, async (tx, order, step) => {
    const { now } = step
    const isCompleted = order.status === 'completed'
    await tx
      .updateTable('order_dispute')
      .set({ status: 'withdrawn', ended_at: now })
      .where('order_id', '=', id)
      .where('status', '=', 'open')
      .execute()
    const lasted = now.getTime() - (order.disputed_at ?? now).getTime()
    const later = (time: Date | null) => time && new Date(time.getTime() + lasted)
    const columns = isCompleted
      ? { disputed_at: null, disputed_from: null }
      : { disputed_at: null, due_at: later(order.due_at), auto_complete_at: later(order.auto_complete_at) }
    const name = isCompleted ? 'withdraw_completed_dispute' : 'withdraw_dispute'
    await changeOrder(tx, id, { name, ...step, columns })
    await mailRepeatable(deps, tx, { order_id: id, side: otherSide(step.by), kind: 'order-dispute-withdrawn' })
  })
