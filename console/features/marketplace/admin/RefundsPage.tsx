import { Alert, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CircleCheck, CircleX, Clock, TriangleAlert, Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { langOfEnglishText } from '../../../i18n'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { ListCard } from '../../billing/admin/ListCard'
import { PromptDialog } from '../../billing/admin/PromptDialog'
import classes from '../../billing/Billing.module.css'
import { useMoney } from '../../plans/format'
import { invalidateMarketplaceAdmin, type OrderRefund, refundStatuses, refundsQuery } from './admin-queries'
import { StatusFilter, statusOf } from './StatusFilter'

const route = getRouteApi('/signed-in/shell/admin/marketplace/refunds')

const styles: Record<OrderRefund['status'], StatusStyle> = {
  pending: { color: 'yellow', icon: Clock },
  failed: { color: 'coral', icon: CircleX },
  succeeded: { color: 'success', icon: CircleCheck },
}

/** The money that goes back to buyers, some of it by hand. */
export function RefundsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.order_refunds'))
  const navigate = route.useNavigate()
  const status = statusOf(refundStatuses, route.useSearch().status)
  const refunds = useInfiniteQuery(refundsQuery(status))
  const failed = useInfiniteQuery(refundsQuery('failed'))
  const hasFailed = (failed.data?.pages[0]?.data.length ?? 0) > 0
  return (
    <>
      <PageHeader title={t('pages.order_refunds')} about={t('admin.marketplace.refunds_about')} />
      {hasFailed && status === 'pending' && (
        <Alert color="coral" icon={<TriangleAlert size={18} />} mb="md">
          {t('admin.marketplace.refunds_failed')}{' '}
          <AnchorLink to="/admin/marketplace/refunds" search={{ status: 'failed' }}>
            {t('admin.marketplace.refunds_failed_show')}
          </AnchorLink>
        </Alert>
      )}
      <Group mb="md" role="search">
        <StatusFilter
          statuses={refundStatuses}
          label={(value) => t(`admin.marketplace.refund.${value}`)}
          value={status}
          onChange={(chosen) => void navigate({ search: { status: chosen }, replace: true })}
        />
      </Group>
      <ListCard
        of={refunds}
        icon={Undo2}
        label={t('pages.order_refunds')}
        none={t('admin.marketplace.no_refunds')}
        noneDetail={t('admin.marketplace.no_refunds_detail')}
        row={(refund) => <RefundRow refund={refund} />}
      />
    </>
  )
}

function RefundRow({ refund }: { refund: OrderRefund }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  const { title, status, buyer_workspace_name, order_status, provider, is_manual, failure, updated_at } = refund
  const { refund_amount, owed_amount, currency } = refund
  return (
    <>
      <div className={classes.what}>
        <Group gap="xs">
          <Text fw={600} className="text">
            {title}
          </Text>
          <StatusBadge {...styles[status]}>{t(`admin.marketplace.refund.${status}`)}</StatusBadge>
        </Group>
        <Text c="dimmed" fz="sm" className="text">
          {buyer_workspace_name ?? t('orders.gone')} · {t(`admin.billing.provider.${provider}`)} ·{' '}
          {t(`orders.status.${order_status}`)} · <span title={format.full(updated_at)}>{format.ago(updated_at)}</span>
        </Text>
        {status !== 'succeeded' && owed_amount !== refund_amount && (
          <Text fz="sm">{t('admin.marketplace.owed', { amount: money(owed_amount, currency) })}</Text>
        )}
        {failure && (
          <Text fz="sm" className="text" lang={langOfEnglishText()}>
            {failure}
          </Text>
        )}
        {status === 'pending' && !is_manual && (
          <Text fz="sm" c="dimmed">
            {t('admin.marketplace.at_provider')}
          </Text>
        )}
      </div>
      <span className={classes.money}>{money(refund_amount, currency)}</span>
      <Group gap="xs">
        {status === 'failed' && !is_manual && <RetryButton refund={refund} />}
        {(status === 'failed' || (status === 'pending' && is_manual)) && <PaidButton refund={refund} />}
      </Group>
    </>
  )
}

function RetryButton({ refund: { order_id, title } }: { refund: OrderRefund }) {
  const { t } = useTranslation()
  const retry = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/v1/admin/marketplace/refunds/{id}/retry', { params: { path: { id: order_id } } })),
    onSuccess: () => notifications.show({ message: t('admin.marketplace.refund_retried') }),
    onSettled: invalidateMarketplaceAdmin,
    onError: useErrorNotification(),
  })
  return (
    <Button
      variant="default"
      onClick={() => retry.mutate()}
      loading={retry.isPending}
      aria-label={t('admin.marketplace.retry_one', { title })}
    >
      {t('admin.marketplace.retry')}
    </Button>
  )
}

function PaidButton({ refund }: { refund: OrderRefund }) {
  const { t } = useTranslation()
  const money = useMoney()
  const [asking, ask] = useDisclosure(false)
  const { order_id, title, owed_amount, currency, buyer_workspace_name } = refund
  return (
    <>
      <Button onClick={ask.open} aria-label={t('admin.marketplace.refund_paid_one', { title })}>
        {t('admin.marketplace.refund_paid')}
      </Button>
      <PromptDialog
        opened={asking}
        onClose={ask.close}
        title={t('admin.marketplace.refund_paid_ask', {
          amount: money(owed_amount, currency),
          name: buyer_workspace_name ?? t('orders.gone'),
        })}
        detail={t('admin.marketplace.refund_paid_detail')}
        fields={[
          {
            name: 'reference',
            label: t('admin.billing.bank_reference'),
            about: t('admin.marketplace.refund_reference_about'),
          },
        ]}
        action={t('admin.marketplace.refund_paid')}
        send={({ reference }) =>
          unwrap(
            api.POST('/api/v1/admin/marketplace/refunds/{id}/paid', {
              params: { path: { id: order_id } },
              body: reference ? { reference } : {},
            }),
          )
        }
        onDone={() => {
          notifications.show({ message: t('admin.marketplace.refund_paid_done') })
          return invalidateMarketplaceAdmin()
        }}
      />
    </>
  )
}
