import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CountBadge } from '../../../ui/feedback/CountBadge'
import { pendingRequestsQuery } from './admin-queries'

/** Shows how many payment requests wait for a decision. */
export function PaymentRequestsBadge() {
  const { t } = useTranslation()
  const count = useQuery(pendingRequestsQuery).data ?? 0
  return <CountBadge count={count} label={t('subscription.requests_waiting', { count })} />
}
