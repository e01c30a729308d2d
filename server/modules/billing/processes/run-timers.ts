import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { system } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { HeldWork } from '../../../lib/lifecycle.ts'
import { findOpenRenewal } from '../checkouts/close-checkout.ts'
import { enqueueSubscriptionSync } from '../providers/enqueue-sync.ts'
import { providerOf } from '../providers/registry.ts'
import { lockBilling } from '../records/lock.ts'
import { periodEndAfter } from '../records/periods.ts'
import { subscriptionEvents } from '../records/subscriptions.events.ts'
import { isFree, readSubscriptionRow, recordOf, type SubscriptionRow } from '../records/subscriptions.ts'
import { nextTimer, type Timer } from '../records/timers.ts'
import { mailAdmins } from '../subscriptions/billing-mails.ts'
import { changeSubscription, setTimersRun } from '../subscriptions/change-subscription.ts'
import { announceFailure } from '../subscriptions/payment-failure.ts'
import { endSubscription } from './cancel-and-resume.ts'
import { issueRenewal } from './renewals.ts'

/** Subscriptions looked up at a time. */
const BATCH = 200

/**
 * Runs the timers of all subscriptions that are due. Each runs in a transaction that moves `timer_at` past it, so it
 * runs once on any number of nodes. Returns how many ran.
 */
export async function runBillingTimers(deps: Deps) {
  let count = 0
  const failed = new Set<string>()
  for (;;) {
    const due = await deps.db
      .selectFrom('subscription')
      .select(['id', 'workspace_id'])
      .where('due_at', '<=', deps.clock.now())
      .orderBy('due_at')
      .limit(BATCH + failed.size)
      .execute()
    const next = due.filter(({ id }) => !failed.has(id))
    if (next.length === 0) return count
    for (const { id, workspace_id } of next)
      try {
        if (await runTimer(deps, id, workspace_id)) count++
      } catch (error) {
        // One subscription must not hold up the others.
        failed.add(id)
        deps.log.error({ err: error, subscription_id: id }, 'a billing timer failed and is retried in a minute')
      }
  }
}

const runTimer = (deps: Deps, id: string, workspace_id: string | null) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, workspace_id ?? id)
    const row = await readSubscriptionRow(tx, id)
    const next = nextTimer(row)
    if (!next || next.at > deps.clock.now()) {
      // Another node was faster, or the timers of a former release were due then.
      if (row.due_at?.getTime() !== next?.at.getTime()) await setTimersRun(tx, row, row.timer_at)
      return false
    }
    const noted = await setTimersRun(tx, row, next.at)
    await handlers[next.timer](deps, tx, noted, next.at)
    return true
  })

type Handler = (deps: Deps, tx: Tx, row: SubscriptionRow, at: Date) => Promise<unknown>

/** A mail that comes a day late, after a standstill, is left out. */
const isLate = (deps: Deps, at: Date) => deps.clock.now().getTime() - at.getTime() > DAY

const handlers: Record<Timer, Handler> = {
  issue_renewal: async (deps, tx, row) => {
    if (await issueRenewal(deps, tx, row)) await mailAdmins(tx, deps, row, 'billing-renewal')
  },
  remind: async (deps, tx, row, at) => {
    if (isLate(deps, at)) return
    if (row.status === 'past_due') return mailAdmins(tx, deps, row, 'billing-failed')
    const renewal = await findOpenRenewal(tx, row)
    // One that was issued after the time of the reminder was mailed then.
    if (renewal && renewal.created_at < at) await mailAdmins(tx, deps, row, 'billing-renewal')
  },
  period_end: (deps, tx, row) => endPeriod(deps, tx, row),
  // A payment whose event was lost must not be followed by the end: the sync reads the provider before it ends anything.
  deadline: (deps, tx, row) =>
    providerOf(row.provider).kind === 'payment_request'
      ? endSubscription(deps, tx, system(row.workspace_id), row, 'expire')
      : enqueueSubscriptionSync(tx, row.id),
  trial_ending: async (deps, tx, row) => {
    if (!row.workspace_id) return
    const subscription = await recordOf(tx, deps, row)
    await emit(tx, subscriptionEvents['billing.trial.ending'], row.workspace_id, { subscription }, deps.clock.now())
    await mailAdmins(tx, deps, row, 'billing-trial-ending')
  },
  cancel_at_provider: (_, tx, row) => enqueueSubscriptionSync(tx, row.id),
  read_provider: (_, tx, row) => enqueueSubscriptionSync(tx, row.id),
}

/** The end of a period that was not renewed before. */
async function endPeriod(deps: Deps, tx: Tx, row: SubscriptionRow) {
  if (row.cancel_at_period_end) return endSubscription(deps, tx, system(row.workspace_id), row, 'cancel_now')
  if (isFree(row)) return renewFree(deps, tx, row)
  const grace = (await deps.options.get('billing.grace_days', tx)) * DAY
  // After a standstill nobody was asked to pay until now.
  const since = isLate(deps, row.current_period_end) ? deps.clock.now() : row.current_period_end
  const after = await changeSubscription(deps, tx, system(row.workspace_id), 'miss_payment', row, {
    past_due_at: since,
    past_due_deadline: new Date(since.getTime() + grace),
  })
  await announceFailure(deps, tx, after, { failed_payment: null })
}

const renewFree = (deps: Deps, tx: Tx, row: SubscriptionRow) =>
  changeSubscription(deps, tx, system(row.workspace_id), 'pay', row, {
    current_period_start: row.current_period_end,
    current_period_end: periodEndAfter(row.anchor, row.billing_period, row.current_period_end),
  })

/** Timers that only ask somebody to pay. The others change what is in force, or read what a provider has done. */
const requests: readonly Timer[] = ['issue_renewal', 'remind', 'trial_ending']

/**
 * Passes the due requests to pay of a subscription, up to the first timer that must run. A renewal is opened without a
 * mail, so that it can be paid in the console. Returns whether there were any.
 */
const skipRequests = (deps: Deps, { id, workspace_id }: Pick<SubscriptionRow, 'id' | 'workspace_id'>, now: Date) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, workspace_id ?? id)
    let row = await readSubscriptionRow(tx, id)
    let skipped = false
    for (;;) {
      const next = nextTimer(row)
      if (!next || next.at > now || !requests.includes(next.timer)) return skipped
      row = await setTimersRun(tx, row, next.at)
      if (next.timer === 'issue_renewal') await issueRenewal(deps, tx, row)
      skipped = true
    }
  })

const selectDue = (db: Db, now: Date) => db.selectFrom('subscription').where('due_at', '<=', now)

/** Subscriptions that a restored installation would renew, remind of or end. */
export const heldSubscriptions: HeldWork = {
  count: async (db, { now }) => {
    const { count } = await selectDue(db, now).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
    return count
  },
  drop: async (deps, { now }) => {
    let count = 0
    for (const row of await selectDue(deps.db, now).select(['id', 'workspace_id']).execute())
      if (await skipRequests(deps, row, now)) count++
    return count
  },
}
