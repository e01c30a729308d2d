import { Ban, CircleCheck, Clock, CreditCard, PackageCheck, PencilLine, Scale, TimerOff } from 'lucide-react'
import type { StatusStyle } from '../../../ui/feedback/StatusBadge'
import type { Order, OrderRole } from './order-queries'

export const orderStyles: Record<Order['status'], StatusStyle> = {
  pending_payment: { color: 'yellow', icon: CreditCard },
  pending: { color: 'yellow', icon: Clock },
  in_progress: { color: 'iznik', icon: PencilLine },
  delivered: { color: 'iznik', icon: PackageCheck },
  completed: { color: 'green', icon: CircleCheck },
  canceled: { color: 'gray', icon: Ban },
  disputed: { color: 'coral', icon: Scale },
  expired: { color: 'gray', icon: TimerOff },
}

export const roleOf = (order: Order, workspace_id: string): OrderRole =>
  order.buyer.workspace_id === workspace_id ? 'buyer' : 'seller'

/** Time until which somebody acts, if there is one. */
export const dueTime = ({ status, accept_by, due_at, auto_complete_at, checkout }: Order) =>
  ({
    pending_payment: checkout?.expires_at ?? null,
    pending: accept_by,
    in_progress: due_at,
    delivered: auto_complete_at,
    completed: null,
    canceled: null,
    disputed: null,
    expired: null,
  })[status]
