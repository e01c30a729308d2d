import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../../api'
import { CountBadge } from '../../../ui/feedback/CountBadge'
import { isAtLeast } from '../../workspaces/queries'
import { orderCountsQuery } from './order-queries'

/** Shows how many orders wait for the user, on both sides. Only admins act on orders. */
export function OrdersBadge({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const counts = useQuery({ ...orderCountsQuery(workspace.slug), enabled: isAtLeast(workspace, 'admin') }).data
  const count = counts ? counts.buyer.waiting + counts.seller.waiting : 0
  return <CountBadge count={count} label={t('orders.waiting', { count })} />
}
