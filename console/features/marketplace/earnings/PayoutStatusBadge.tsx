import { Ban, CircleCheck, CircleX, Clock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import type { Payout } from '../queries'

const styles: Record<Payout['status'], StatusStyle> = {
  pending: { color: 'blue', icon: Clock },
  processing: { color: 'yellow', icon: null },
  paid: { color: 'success', icon: CircleCheck },
  failed: { color: 'coral', icon: CircleX },
  canceled: { color: 'gray', icon: Ban },
}

export function PayoutStatusBadge({ status }: Pick<Payout, 'status'>) {
  const { t } = useTranslation()
  return <StatusBadge {...styles[status]}>{t(`earnings.status.${status}`)}</StatusBadge>
}
