import { DAY } from '../../../../../shared/time.ts'
import { invalidTransition, type Problem, problem } from '../../../../errors.ts'
import type { OrderParty } from '../../../../lib/db/database-types.ts'
import { type OrderState, otherSide, type Side } from './order-state.ts'
import { type Status, transitions } from './transitions.ts'

/** Time after `due_at` before the buyer can cancel. */
const LATE_GRACE_MS = DAY
/** Time after the end of an order in which both sides can review it. */
export const REVIEW_MS = 14 * DAY

/** The side that acts, or an instance admin. */
export type Party = Side | 'admin'
type Context = { order: OrderState; party: Party; now: Date }
type Rule = {
  by: readonly Party[]
  from: readonly Status[]
  /** Further reasons against it. */
  refuse?: (context: Context) => Problem | undefined
}

const sides = ['buyer', 'seller'] as const
const { accept, decline, cancel, deliver, complete, request_revision, submit_requirements } = transitions
const { dispute, withdraw_dispute } = transitions
const paid = ['pending', 'in_progress', 'delivered', 'disputed', 'completed', 'canceled'] as const
const closed = ['completed', 'canceled'] as const

/** Whether the seller has not delivered in time, and the buyer can cancel. */
const isLate = ({ order, now }: Context) =>
  order.due_at !== null && now.getTime() > order.due_at.getTime() + LATE_GRACE_MS

const refuseCancel = (context: Context) => {
  const { order, party } = context
  if (party === 'seller' || order.status === 'pending') return undefined
  if (order.status !== 'in_progress') return invalidTransition(order.status, 'cancel an order that you bought')
  return isLate(context)
    ? undefined
    : problem('order_not_late', { detail: 'The buyer can cancel a day after the delivery was due.' })
}

const openProposal = ({ order, now }: Context) =>
  order.proposal?.status === 'open' && new Date(order.proposal.expires_at) > now ? order.proposal : undefined

/** `own`: whether the proposal must be that of the caller. */
const refuseProposal = (own: boolean) => (context: Context) => {
  const proposal = openProposal(context)
  const { order, party } = context
  if (!proposal) return invalidTransition(order.proposal?.status ?? 'none', 'act on a proposal that is not open')
  if ((proposal.proposed_by === party) === own) return undefined
  return problem('forbidden_role', {
    detail: own ? 'Only the side that made the proposal withdraws it.' : 'Only the other side accepts or rejects it.',
  })
}

/** Time at which an order ended that can be reviewed: a completed one, or one canceled after its acceptance. */
export const reviewableSince = ({
  accepted_at,
  completed_at,
  canceled_at,
}: Pick<OrderState, 'accepted_at' | 'completed_at' | 'canceled_at'>) =>
  accepted_at === null ? null : (completed_at ?? canceled_at)

const reviewBy = (order: OrderState, side: OrderParty) => order.reviews.find((review) => review.side === side)

const refuseReview = ({ order, party, now }: Context) => {
  if (reviewBy(order, party)) return problem('already_reviewed')
  const since = reviewableSince(order)
  if (since === null || now.getTime() > since.getTime() + REVIEW_MS) return problem('review_closed')
}

const refuseReply = ({ order, party }: Context) => {
  const review = reviewBy(order, otherSide(party))
  if (!review?.published_at) return problem('review_closed', { detail: 'The other side has no published review.' })
  if (review.reply !== null) return problem('already_reviewed', { detail: 'You already replied to this review.' })
}

const refuseDispute = ({ order, party, now }: Context) => {
  if (order.status !== 'completed') return undefined
  if (party !== 'buyer' || order.dispute?.status === 'open')
    return invalidTransition('completed', 'open a dispute about an order')
  if (order.dispute_until && now <= order.dispute_until) return undefined
  return problem('dispute_closed', { detail: 'Ask the seller for help in a message.' })
}

const refuseWithdrawal = ({ order, party }: Context) => {
  if (order.dispute?.status !== 'open') return invalidTransition(order.status, 'withdraw a dispute that is not open')
  if (order.dispute.opened_by === party) return undefined
  return problem('forbidden_role', { detail: 'Only the side that opened the dispute withdraws it.' })
}

/** The parties and states of each action on an order. Calls check these rules, and `actions` of an order follows from them. */
const rules = {
  accept: { by: ['seller'], from: accept.from },
  cancel: { by: sides, from: [...decline.from, ...cancel.from], refuse: refuseCancel },
  deliver: { by: ['seller'], from: deliver.from },
  complete: { by: ['buyer', 'admin'], from: complete.from },
  submit_requirements: {
    by: ['buyer'],
    from: submit_requirements.from,
    refuse: ({ order }) =>
      order.status === 'in_progress' && order.requirements !== null
        ? problem('requirements_given', { detail: 'Write a message, or request a revision of the delivery.' })
        : undefined,
  },
  request_revision: {
    by: ['buyer'],
    from: request_revision.from,
    refuse: ({ order }) =>
      order.revisions_used < order.revisions_allowed
        ? undefined
        : problem('no_revisions_left', { detail: 'All revisions of this order were used.' }),
  },
  propose: {
    by: sides,
    from: cancel.from,
    refuse: (context) =>
      openProposal(context) && problem('proposal_open', { detail: 'Wait for the reaction to it, or withdraw it.' }),
  },
  accept_proposal: { by: sides, from: cancel.from, refuse: refuseProposal(false) },
  reject_proposal: { by: sides, from: cancel.from, refuse: refuseProposal(false) },
  withdraw_proposal: { by: sides, from: cancel.from, refuse: refuseProposal(true) },
  dispute: { by: sides, from: [...dispute.from, 'completed'], refuse: refuseDispute },
  withdraw_dispute: { by: sides, from: [...withdraw_dispute.from, 'completed'], refuse: refuseWithdrawal },
  send_message: { by: sides, from: paid },
  review: { by: sides, from: closed, refuse: refuseReview },
  reply_to_review: { by: sides, from: closed, refuse: refuseReply },
} as const satisfies Record<string, Rule>

export type Action = keyof typeof rules
export const actions = Object.keys(rules) as Action[]

/** The problem that refuses an action now; undefined if it is possible. */
function refusalOf(action: Action, context: Context): Problem | undefined {
  const { by, from, refuse }: Rule = rules[action]
  const { order, party } = context
  if (!by.includes(party)) return problem('forbidden_role', { detail: `Only the ${by.join(' and the ')} can do this.` })
  if (!from.includes(order.status)) return invalidTransition(order.status, action.replaceAll('_', ' '))
  return refuse?.(context)
}

export function assertAllowed(action: Action, context: Context) {
  const refusal = refusalOf(action, context)
  if (refusal) throw refusal
}

export const allowedActions = (context: Context) => actions.filter((action) => !refusalOf(action, context))
