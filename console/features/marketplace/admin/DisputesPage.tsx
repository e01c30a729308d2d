import { Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CircleCheck, CircleMinus, Scale } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { ListCard } from '../../billing/admin/ListCard'
import classes from '../../billing/Billing.module.css'
import { useMoney } from '../../plans/format'
import { type DisputeSummary, disputeStatuses, disputesQuery } from './admin-queries'
import { StatusFilter, statusOf } from './StatusFilter'

const route = getRouteApi('/signed-in/shell/admin/marketplace/disputes')

const styles: Record<DisputeSummary['status'], StatusStyle> = {
  open: { color: 'coral', icon: Scale },
  resolved: { color: 'success', icon: CircleCheck },
  withdrawn: { color: 'gray', icon: CircleMinus },
}

export function DisputeBadge({ status }: Pick<DisputeSummary, 'status'>) {
  const { t } = useTranslation()
  return <StatusBadge {...styles[status]}>{t(`admin.marketplace.dispute.${status}`)}</StatusBadge>
}

/** The disputes of all orders, which instance admins decide. */
export function DisputesPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.disputes'))
  const navigate = route.useNavigate()
  const status = statusOf(disputeStatuses, route.useSearch().status)
  const disputes = useInfiniteQuery(disputesQuery(status))
  return (
    <>
      <PageHeader title={t('pages.disputes')} about={t('admin.marketplace.disputes_about')} />
      <Group mb="md" role="search">
        <StatusFilter
          statuses={disputeStatuses}
          label={(value) => t(`admin.marketplace.dispute.${value}`)}
          value={status}
          onChange={(chosen) => void navigate({ search: { status: chosen }, replace: true })}
        />
      </Group>
      <ListCard
        of={disputes}
        icon={Scale}
        label={t('pages.disputes')}
        none={t('admin.marketplace.no_disputes')}
        noneDetail={t('admin.marketplace.no_disputes_detail')}
        row={(dispute) => <DisputeRow dispute={dispute} />}
      />
    </>
  )
}

function DisputeRow({ dispute: { id, status, opened_by, created_at, order } }: { dispute: DisputeSummary }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  return (
    <>
      <div className={classes.what}>
        <Group gap="xs">
          <AnchorLink to="/admin/marketplace/disputes/$dispute" params={{ dispute: id }} fw={600} className="text">
            {order.title}
          </AnchorLink>
          <DisputeBadge status={status} />
        </Group>
        <Text c="dimmed" fz="sm" className="text">
          {t('orders.buyer')}: {order.buyer.workspace_name ?? t('orders.gone')} · {t('orders.seller')}:{' '}
          {order.seller.name ?? t('orders.gone')}
        </Text>
        <Text c="dimmed" fz="sm">
          {t('admin.marketplace.opened_by', { side: t(`orders.side_of.${opened_by}`) })} ·{' '}
          <span title={format.full(created_at)}>{format.ago(created_at)}</span>
        </Text>
      </div>
      <span className={classes.money}>{money(order.price, order.currency)}</span>
    </>
  )
}
