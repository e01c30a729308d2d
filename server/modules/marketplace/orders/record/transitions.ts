import type { OrderStatus } from '../../../../lib/db/database-types.ts'

export type Status = OrderStatus

type Transition = {
  from: readonly Status[]
  /** `former`: the status before the dispute. */
  to: Status | 'same' | 'former'
}

const underway = ['in_progress', 'delivered'] as const

/**
 * All changes of an order. Nothing else changes its status.
 *
 *     pending_payment ──▶ pending ──▶ in_progress ◀──▶ delivered ──▶ completed
 *            │               │              └───────┬──────┘
 *            ▼               ▼                      ▼
 *         expired         canceled       disputed, canceled, completed
 *
 * A dispute ends where it began, or in `completed` or `canceled`. One of a completed order changes no status.
 */
export const transitions = {
  pay: { from: ['pending_payment'], to: 'pending' },
  /** It was not paid in time, or the buyer withdrew it before the payment. */
  expire: { from: ['pending_payment'], to: 'expired' },
  accept: { from: ['pending'], to: 'in_progress' },
  /** The seller declines, the buyer withdraws, or the seller did not accept in time. */
  decline: { from: ['pending'], to: 'canceled' },
  submit_requirements: { from: ['pending_payment', 'pending', 'in_progress'], to: 'same' },
  /** Also replaces a former delivery. */
  deliver: { from: underway, to: 'delivered' },
  request_revision: { from: ['delivered'], to: 'in_progress' },
  complete: { from: ['delivered'], to: 'completed' },
  /** The seller cancels, the buyer of an order that is late, or both with a proposal. */
  cancel: { from: underway, to: 'canceled' },
  /** A proposal for a refund of a part was accepted. */
  settle: { from: underway, to: 'completed' },
  dispute: { from: underway, to: 'disputed' },
  withdraw_dispute: { from: ['disputed'], to: 'former' },
  /** An instance admin leaves the seller a part of the price, or all of it. */
  resolve: { from: ['disputed'], to: 'completed' },
  /** An instance admin refunds all of the price. */
  resolve_canceled: { from: ['disputed'], to: 'canceled' },
  /** The buyer disputes a completed order. What the seller earned with it is held. */
  dispute_completed: { from: ['completed'], to: 'same' },
  withdraw_completed_dispute: { from: ['completed'], to: 'same' },
  /** An instance admin leaves the seller what was earned, or refunds a part of the price or all of it. */
  resolve_completed: { from: ['completed'], to: 'same' },
  /** The provider returned all of the payment, as after a dispute with the bank. */
  charge_back: { from: ['pending', ...underway, 'disputed'], to: 'canceled' },
} as const satisfies Record<string, Transition>

export type TransitionName = keyof typeof transitions

export const isClosed = (status: Status) => status === 'completed' || status === 'canceled' || status === 'expired'
