import type { SubscriptionStatus } from '../../../lib/db/database-types.ts'

export type Status = SubscriptionStatus
export const liveStatuses = ['trialing', 'active', 'past_due'] as const satisfies Status[]
export const isLive = (status: Status) => status !== 'canceled' && status !== 'expired'

type Transition = {
  from: readonly Status[]
  to: Status | 'same'
  emits: 'started' | 'changed' | 'canceled' | 'expired'
}

/**
 * All changes of a subscription. Nothing else changes its status.
 *
 *     none ──▶ trialing ──▶ active ◀──▶ past_due
 *                  │          │            │
 *                  └──────────┴────────────┴──▶ canceled, expired
 */
export const transitions = {
  start_trial: { from: [], to: 'trialing', emits: 'started' },
  start: { from: [], to: 'active', emits: 'started' },
  /** A payment for the first period after a trial, a later period, or an open invoice. */
  pay: { from: ['trialing', 'active', 'past_due'], to: 'active', emits: 'changed' },
  /** The provider could not charge, or the period that Meydan renews ended unpaid. */
  miss_payment: { from: ['trialing', 'active'], to: 'past_due', emits: 'changed' },
  request_cancel: { from: ['trialing', 'active'], to: 'same', emits: 'changed' },
  resume: { from: ['trialing', 'active'], to: 'same', emits: 'changed' },
  cancel_now: { from: ['trialing', 'active', 'past_due'], to: 'canceled', emits: 'canceled' },
  /** The deadline passed, or a trial ended without a payment method. */
  expire: { from: ['trialing', 'active', 'past_due'], to: 'expired', emits: 'expired' },
  change_plan: { from: ['trialing', 'active'], to: 'same', emits: 'changed' },
  schedule_change: { from: ['trialing', 'active'], to: 'same', emits: 'changed' },
  undo_change: { from: ['trialing', 'active'], to: 'same', emits: 'changed' },
  /** An instance admin moves the end of the period. */
  extend: { from: ['trialing', 'active', 'past_due'], to: 'active', emits: 'changed' },
} as const satisfies Record<string, Transition>

export type TransitionName = keyof typeof transitions
