import { Ban, CircleCheck, Clock, CreditCard, PackageCheck, PencilLine, Scale, TimerOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import type { Order } from './order-queries'

const styles: Record<Order['status'], StatusStyle> = {
  pending_payment: { color: 'yellow', icon: CreditCard },
  pending: { color: 'yellow', icon: Clock },
  in_progress: { color: 'blue', icon: PencilLine },
  delivered: { color: 'success', icon: PackageCheck },
  completed: { color: 'success', icon: CircleCheck },
  canceled: { color: 'gray', icon: Ban },
  disputed: { color: 'coral', icon: Scale },
  expired: { color: 'gray', icon: TimerOff },
}

export function OrderStatusBadge({ status }: Pick<Order, 'status'>) {
  const { t } = useTranslation()
  return <StatusBadge {...styles[status]}>{t(`orders.status.${status}`)}</StatusBadge>
}
