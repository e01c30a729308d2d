import type { Selectable } from 'kysely'
import { DAY, HOUR } from '../../../../shared/time.ts'
import type { Subscription } from '../../../lib/db/database-types.ts'
import { providerOf } from '../providers/registry.ts'
import { isLive } from './transitions.ts'

const INVOICE_BEFORE_MS = 7 * DAY
const REMIND_BEFORE_MS = 2 * DAY
const TRIAL_ENDING_BEFORE_MS = 3 * DAY
const REMIND_AFTER_MS = [3 * DAY, 7 * DAY, 14 * DAY]
/** Time for a provider that renews to charge after the end of a period. */
export const CHARGE_MS = HOUR
/**
 * A provider that cannot end a subscription with its period is canceled this long before its next charge, which cannot be
 * taken back. Time for the retries of the job while the provider is down.
 */
const CANCEL_BEFORE_MS = 4 * HOUR

/** Time before its charge at which a provider gets the price of the next period. */
export const CHANGE_BEFORE_MS = HOUR

export type Timer =
  | 'issue_renewal'
  | 'remind'
  | 'period_end'
  | 'deadline'
  | 'trial_ending'
  | 'cancel_at_provider'
  | 'read_provider'

type Row = Pick<
  Selectable<Subscription>,
  | 'status'
  | 'provider'
  | 'amount'
  | 'cancel_at_period_end'
  | 'current_period_end'
  | 'past_due_at'
  | 'past_due_deadline'
  | 'pending_plan_code'
  | 'timer_at'
>

const before = (time: Date, ms: number) => new Date(time.getTime() - ms)

/** All timers of a subscription in its present state, in the order of their time. */
function* schedule(row: Row): Generator<{ timer: Timer; at: Date }> {
  const { status, cancel_at_period_end: cancels, current_period_end: end } = row
  const { past_due_at: since, past_due_deadline: deadline } = row
  const { renews, cancelsAtPeriodEnd } = providerOf(row.provider)
  if (since && deadline) {
    const reminders = REMIND_AFTER_MS.map((ms) => before(since, -ms)).filter((at) => at < deadline)
    for (const at of reminders) yield { timer: 'remind', at }
    yield { timer: 'deadline', at: deadline }
    return
  }
  if (!isLive(status)) return
  if (renews) {
    if (status === 'trialing' && !cancels) yield { timer: 'trial_ending', at: before(end, TRIAL_ENDING_BEFORE_MS) }
    if (cancels && !cancelsAtPeriodEnd) yield { timer: 'cancel_at_provider', at: before(end, CANCEL_BEFORE_MS) }
    if (row.pending_plan_code) yield { timer: 'read_provider', at: before(end, CHANGE_BEFORE_MS) }
    if (!cancels) return yield { timer: 'read_provider', at: before(end, -CHARGE_MS) }
  } else if (!cancels && BigInt(row.amount) > 0n) {
    yield { timer: 'issue_renewal', at: before(end, INVOICE_BEFORE_MS) }
    yield { timer: 'remind', at: before(end, REMIND_BEFORE_MS) }
  }
  yield { timer: 'period_end', at: end }
}

/** The next timer after those that ran until `timer_at`. */
export const nextTimer = (row: Row) => schedule(row).find(({ at }) => at > row.timer_at)

type Canceled = Pick<
  Selectable<Subscription>,
  'provider' | 'cancel_at_period_end' | 'current_period_end' | 'extended_until'
>

/**
 * Whether a provider that cannot end a subscription with its period must end it now, before its next charge. The provider
 * knows nothing of an extension, and charges within it.
 */
export const mustEndAtProvider = ({ provider, current_period_end: end, ...row }: Canceled, now: Date) =>
  row.cancel_at_period_end &&
  providerOf(provider).renews &&
  !providerOf(provider).cancelsAtPeriodEnd &&
  (now >= before(end, CANCEL_BEFORE_MS) || (row.extended_until !== null && row.extended_until >= end))

type Issued = Pick<Row, 'provider' | 'timer_at' | 'current_period_end'>

/** Columns with which the renewal of this period is issued again, after its terms changed or it was withdrawn. */
export const renewalDueAgain = ({ provider, timer_at, current_period_end: end }: Issued) =>
  providerOf(provider).renews
    ? {}
    : { timer_at: new Date(Math.min(timer_at.getTime(), end.getTime() - INVOICE_BEFORE_MS - 1)) }
