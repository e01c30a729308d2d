import type { Insertable, Updateable } from 'kysely'
import { invalidTransition } from '../../../errors.ts'
import { type Actor, audit, pickFields } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Subscription } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import { setPlan } from '../../workspaces/workspaces.ts'
import { subscriptionEvents } from '../records/subscriptions.events.ts'
import { recordOf, type SubscriptionRow } from '../records/subscriptions.ts'
import { nextTimer } from '../records/timers.ts'
import { isLive, type Status, type TransitionName, transitions } from '../records/transitions.ts'

type NewSubscription = Omit<Insertable<Subscription>, 'status' | 'due_at' | 'timer_at'>
export type Columns = Omit<Updateable<Subscription>, 'status' | 'due_at'>
type ChangeDeps = Pick<Deps, 'clock' | 'invalidationBus' | 'lifecycle' | 'baseUrl'>

/** Columns of a subscription without a planned change. */
export const noPendingChange = {
  pending_plan_code: null,
  pending_period: null,
  pending_amount: null,
  pending_price_ref: null,
} as const

const audited = [
  'plan_code',
  'status',
  'billing_period',
  'amount',
  'current_period_end',
  'cancel_at_period_end',
  'pending_plan_code',
  'past_due_deadline',
]

const statusAfter = (name: TransitionName, status: Status): Status => {
  const { to } = transitions[name]
  return to === 'same' ? status : to
}

/** Begins a subscription. The billing of the workspace must be locked, and it must have none in force. */
export async function startSubscription(
  deps: ChangeDeps,
  tx: Tx,
  actor: Actor,
  name: 'start' | 'start_trial',
  columns: NewSubscription,
) {
  const now = deps.clock.now()
  const inserted = await tx
    .insertInto('subscription')
    .values({ ...columns, status: transitions[name].to, timer_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  const row = await setDue(tx, inserted)
  await announce(deps, tx, actor, name, row)
  return row
}

/**
 * Makes a transition of the table. `row` was read while the billing of the workspace was locked. Throws 409 if its
 * status does not allow it.
 */
export async function changeSubscription(
  deps: ChangeDeps,
  tx: Tx,
  actor: Actor,
  name: TransitionName,
  row: SubscriptionRow,
  columns: Columns = {},
) {
  const status = statusAfter(name, row.status)
  const now = deps.clock.now()
  const updated = await tx
    .updateTable('subscription')
    .set({
      ...columns,
      status,
      ...(status !== 'past_due' && { past_due_at: null, past_due_deadline: null }),
      ...(!isLive(status) && { ended_at: now, ...noPendingChange }),
      updated_at: now,
    })
    .where('id', '=', row.id)
    .where('status', 'in', transitions[name].from)
    .returningAll()
    .executeTakeFirst()
  if (!updated) throw invalidTransition(row.status, name.replaceAll('_', ' '))
  const after = await setDue(tx, updated)
  await announce(deps, tx, actor, name, after, row)
  return after
}

/** Notes that timers up to `timer_at` have run. */
export const setTimersRun = async (tx: Tx, row: SubscriptionRow, timer_at: Date) =>
  setDue(tx, { ...row, timer_at }, { timer_at })

async function setDue(tx: Tx, row: SubscriptionRow, columns: Columns = {}) {
  const due_at = nextTimer(row)?.at ?? null
  await tx
    .updateTable('subscription')
    .set({ ...columns, due_at })
    .where('id', '=', row.id)
    .execute()
  return { ...row, ...columns, due_at } as SubscriptionRow
}

async function announce(
  deps: ChangeDeps,
  tx: Tx,
  actor: Actor,
  name: TransitionName,
  row: SubscriptionRow,
  before?: SubscriptionRow,
) {
  const { workspace_id, id } = row
  if (workspace_id === null) return
  await setPlan(deps, tx, workspace_id, isLive(row.status) ? row.plan_code : null)
  await audit(tx, { ...actor, workspace_id }, `subscription.${name}`, id, {
    ...(before && { before: pickFields(before, audited) }),
    after: pickFields(row, audited),
  })
  const subscription = await recordOf(tx, deps, row)
  await emit(tx, events[transitions[name].emits], workspace_id, { subscription }, deps.clock.now())
}

const events = {
  started: subscriptionEvents['billing.subscription.started'],
  changed: subscriptionEvents['billing.subscription.changed'],
  canceled: subscriptionEvents['billing.subscription.canceled'],
  expired: subscriptionEvents['billing.subscription.expired'],
}
