import type { Static } from 'typebox'
import { toMajor } from '../../../../lib/money.ts'
import type { OrderState, Side } from './order-state.ts'
import type { OrderView } from './order-view.schema.ts'
import { recordOf } from './orders.ts'
import { allowedActions, type Party } from './rules.ts'

type View = Static<typeof OrderView>

const major = (minor: number | string) => toMajor(String(minor))

/** An order as one party sees it. `canAct`: whether the caller may do what that party can do. */
export function viewOf(order: OrderState, party: Party, { now, canAct }: { now: Date; canAct: boolean }) {
  const { proposal, dispute, reviews, unread_buyer, unread_seller, ...row } = order
  return {
    ...recordOf(row, party === 'buyer'),
    version: row.version,
    actions: canAct ? allowedActions({ order, party, now }) : [],
    unread_messages: party === 'seller' ? unread_seller : unread_buyer,
    proposal: proposal && { ...proposal, refund_amount: major(proposal.refund_amount) },
    dispute: dispute && {
      ...dispute,
      refund_amount: dispute.refund_amount === null ? null : major(dispute.refund_amount),
    },
    reviews: reviews.filter((review) => review.published_at !== null || review.side === party),
  } satisfies View & { version: number }
}

/** Side of an order on which a member is. Undefined for third parties. */
export function sideOf(
  order: Pick<OrderState, 'buyer_workspace_id' | 'seller_workspace_id' | 'seller_id'>,
  { user_id, workspace_id }: { user_id: string; workspace_id: string },
): Side | undefined {
  if (order.buyer_workspace_id === workspace_id) return 'buyer'
  return order.seller_workspace_id === workspace_id && order.seller_id === user_id ? 'seller' : undefined
}
