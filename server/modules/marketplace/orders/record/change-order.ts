import { sql, type Updateable } from 'kysely'
import { invalidTransition } from '../../../../errors.ts'
import { type Actor, audit, pickFields, system } from '../../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../../lib/db/database.ts'
import type { GigOrder, OrderParty } from '../../../../lib/db/database-types.ts'
import { emit } from '../../../../lib/events/emit.ts'
import type { EventType } from '../../../../lib/events/event-type.ts'
import { orderEvents } from './orders.events.ts'
import type { OrderRecord } from './orders.schema.ts'
import { type OrderRow, readRow, recordOf } from './orders.ts'
import { writeSystemMessage } from './system-messages.ts'
import { nextTimerAt } from './timers.ts'
import { type Status, type TransitionName, transitions } from './transitions.ts'

type Columns = Omit<Updateable<GigOrder>, 'status'>
type Change = {
  name: TransitionName
  /** Side that acts, and its user. */
  by: OrderParty
  actor: Actor
  now: Date
  columns?: Columns
  /** Text of a request for a revision, or of a dispute. */
  reason?: string
}

const audited = ['status', 'due_at', 'auto_complete_at', 'revisions_used', 'refund_amount', 'cancel_reason']

/** Makes a transition of the table. Throws 409 with the current state if that does not allow it. */
export async function changeOrder(tx: Tx, id: string, { name, by, actor, now, columns = {}, reason = '' }: Change) {
  const { from, to } = transitions[name]
  const updated = await tx
    .updateTable('gig_order')
    .set({
      ...columns,
      ...(to !== 'same' && { status: to === 'former' ? sql<Status>`disputed_from` : to }),
      // A dispute keeps it, so that the time that was left goes on after it.
      ...(!['delivered', 'former', 'disputed'].includes(to) && { auto_complete_at: null }),
      updated_at: nextUpdatedAt(now),
    })
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .returning('id')
    .executeTakeFirst()
  if (!updated) {
    const { status } = await readRow(tx, id)
    throw invalidTransition(status, `${name.replaceAll('_', ' ')} an order`)
  }
  const after = await readRow(tx, id)
  await tx
    .updateTable('gig_order')
    .set({ timer_at: nextTimerAt(after, now) })
    .where('id', '=', id)
    .execute()
  await endLeftovers(tx, after, now)
  await writeSystemMessage(tx, after, { code: name, by, now, reason })
  await announce(tx, after, { name, by, actor, now, reason })
  return after
}

/** Ends the proposal and the dispute that the new status leaves no room for. A completed order can have a dispute. */
async function endLeftovers(tx: Tx, { id, status }: OrderRow, now: Date) {
  if (status !== 'in_progress' && status !== 'delivered')
    await tx
      .updateTable('order_proposal')
      .set({ status: 'expired', ended_at: now })
      .where('order_id', '=', id)
      .where('status', '=', 'open')
      .execute()
  if (status !== 'disputed' && status !== 'completed') await endDispute(tx, id, now)
}

/** Ends the open dispute of an order without a decision: nothing is left to decide. */
export const endDispute = (tx: Tx, order_id: string, now: Date) =>
  tx
    .updateTable('order_dispute')
    .set({ status: 'resolved', ended_at: now })
    .where('order_id', '=', order_id)
    .where('status', '=', 'open')
    .execute()

/** Writes the audit entry and the event for both workspaces. The other side does not learn the address of the caller. */
async function announce(
  tx: Tx,
  row: OrderRow,
  { name, by, actor, now, reason }: Required<Pick<Change, 'name' | 'by' | 'actor' | 'now' | 'reason'>>,
) {
  const order = recordOf(row)
  const sides = { buyer: row.buyer_workspace_id, seller: row.seller_workspace_id }
  const details = { by, ...pickFields(row, audited), ...(reason && { reason }) }
  if (by === 'admin') await audit(tx, { ...actor, workspace_id: null }, `order.${name}`, row.id, details)
  for (const [side, workspace_id] of Object.entries(sides)) {
    if (workspace_id === null) continue
    const author = side === by ? { ...actor, workspace_id } : system(workspace_id)
    await audit(tx, author, `order.${name}`, row.id, details)
  }
  // In the same order for every transaction.
  const workspaces = Object.values(sides).filter((id) => id !== null)
  for (const event of eventsOf[name] ?? [])
    for (const workspace_id of workspaces.sort())
      await emit(tx, event, workspace_id, { order, opened_by: by, reason }, now)
}

const completed = orderEvents['marketplace.order.completed']
const canceled = orderEvents['marketplace.order.canceled']
const disputed = orderEvents['marketplace.order.disputed']
const resolved = orderEvents['marketplace.order.dispute_resolved']
/** The events of each transition that has some. */
const eventsOf: Partial<
  Record<TransitionName, EventType<{ order: OrderRecord; opened_by: OrderParty; reason: string }>[]>
> = {
  pay: [orderEvents['marketplace.order.created']],
  accept: [orderEvents['marketplace.order.accepted']],
  deliver: [orderEvents['marketplace.order.delivered']],
  request_revision: [orderEvents['marketplace.order.revision_requested']],
  dispute: [disputed],
  dispute_completed: [disputed],
  complete: [completed],
  settle: [completed],
  resolve: [resolved, completed],
  resolve_completed: [resolved],
  decline: [canceled],
  cancel: [canceled],
  resolve_canceled: [resolved, canceled],
  charge_back: [canceled],
}
