import { CircleCheck, CirclePause, CircleX, Clock, type LucideIcon, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './deliveries.module.css'
import { type Delivery, deliveryStatus } from './delivery-queries'

const statusStyles: Record<ReturnType<typeof deliveryStatus>, { color: string; icon: LucideIcon }> = {
  waiting: { color: 'blue', icon: Clock },
  retrying: { color: 'orange', icon: RotateCw },
  held: { color: 'yellow', icon: CirclePause },
  failed: { color: 'coral', icon: CircleX },
  delivered: { color: 'iznik', icon: CircleCheck },
}

/** Shows the status by icon, colour and word. */
export function DeliveryStatusBadge({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation()
  const state = deliveryStatus(delivery)
  const { color, icon: Icon } = statusStyles[state]
  return (
    <span
      className={classes.state}
      style={{
        backgroundColor: `var(--mantine-color-${color}-light)`,
        color: `var(--mantine-color-${color}-light-color)`,
      }}
    >
      <Icon size={14} aria-hidden="true" />
      {t(`deliveries.state.${state}`)}
    </span>
  )
}
