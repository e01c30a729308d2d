import type { Selectable } from 'kysely'
import { DAY } from '../../../../../shared/time.ts'
import type { GigOrder } from '../../../../lib/db/database-types.ts'

const REMIND_ACCEPT_BEFORE_MS = DAY
const REMIND_COMPLETE_BEFORE_MS = 2 * DAY

/** Timers that change the order. The others only remind. */
const effects = ['expire_acceptance', 'auto_complete'] as const
export type Timer = (typeof effects)[number] | 'remind_accept' | 'remind_late' | 'remind_complete'

type Row = Pick<Selectable<GigOrder>, 'status' | 'accept_by' | 'due_at' | 'auto_complete_at'>
type Due = { timer: Timer; at: Date }

const isEffect = (due: Due) => effects.some((effect) => effect === due.timer)
const before = (time: Date, ms: number) => new Date(time.getTime() - ms)

/** All timers of an order in its present state. A disputed order has none. */
function schedule({ status, accept_by, due_at, auto_complete_at }: Row): Due[] {
  if (status === 'pending' && accept_by)
    return [
      { timer: 'remind_accept', at: before(accept_by, REMIND_ACCEPT_BEFORE_MS) },
      { timer: 'expire_acceptance', at: accept_by },
    ]
  if (status === 'in_progress' && due_at) return [{ timer: 'remind_late', at: due_at }]
  if (status === 'delivered' && auto_complete_at)
    return [
      { timer: 'remind_complete', at: before(auto_complete_at, REMIND_COMPLETE_BEFORE_MS) },
      { timer: 'auto_complete', at: auto_complete_at },
    ]
  return []
}

/** Time of the next timer. Reminders of the past are left out; what changes the order is not. */
export function nextTimerAt(row: Row, now: Date) {
  const times = schedule(row)
    .filter((timer) => isEffect(timer) || timer.at > now)
    .map(({ at }) => at.getTime())
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

/**
 * The last timer that is due now: a change comes before the reminder of it. A reminder that comes a day late, after a
 * standstill, is left out.
 */
export function dueTimer(row: Row, now: Date) {
  const due = schedule(row).findLast(({ at }) => at <= now)
  return due && (isEffect(due) || now.getTime() - due.at.getTime() < DAY) ? due.timer : undefined
}
