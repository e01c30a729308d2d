import { CircleAlert, CircleCheck, CircleSlash, Clock, Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../ui/feedback/StatusBadge'
import type { Subscription } from './queries'

const styles: Record<Subscription['status'] | 'ending', StatusStyle> = {
  trialing: { color: 'blue', icon: Hourglass },
  active: { color: 'success', icon: CircleCheck },
  past_due: { color: 'coral', icon: CircleAlert },
  canceled: { color: 'gray', icon: CircleSlash },
  expired: { color: 'gray', icon: CircleSlash },
  ending: { color: 'yellow', icon: Clock },
}

export function SubscriptionBadge({
  status,
  cancel_at_period_end,
}: Pick<Subscription, 'status' | 'cancel_at_period_end'>) {
  const { t } = useTranslation()
  const shown = cancel_at_period_end && (status === 'active' || status === 'trialing') ? 'ending' : status
  return <StatusBadge {...styles[shown]}>{t(`subscription.status.${shown}`)}</StatusBadge>
}
