import { CircleCheck, CirclePause, CircleX, Clock, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import { type Delivery, deliveryStatus } from './delivery-queries'

const statusStyles: Record<ReturnType<typeof deliveryStatus>, StatusStyle> = {
  waiting: { color: 'blue', icon: Clock },
  retrying: { color: 'orange', icon: RotateCw },
  held: { color: 'yellow', icon: CirclePause },
  failed: { color: 'coral', icon: CircleX },
  delivered: { color: 'success', icon: CircleCheck },
}

export function DeliveryStatusBadge({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation()
  const status = deliveryStatus(delivery)
  return <StatusBadge {...statusStyles[status]}>{t(`deliveries.state.${status}`)}</StatusBadge>
}
