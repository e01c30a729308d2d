import { CircleCheck, CirclePause, CircleX, Clock, type LucideIcon, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './deliveries.module.css'
import { type Delivery, standingOf } from './log'

const looks: Record<ReturnType<typeof standingOf>, { color: string; icon: LucideIcon }> = {
  waiting: { color: 'blue', icon: Clock },
  retrying: { color: 'orange', icon: RotateCw },
  held: { color: 'yellow', icon: CirclePause },
  failed: { color: 'coral', icon: CircleX },
  delivered: { color: 'iznik', icon: CircleCheck },
}

/** How a delivery stands: by icon, colour and word. */
export function DeliveryState({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation()
  const state = standingOf(delivery)
  const { color, icon: Icon } = looks[state]
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
