import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CircleCheck, CircleMinus, CircleSlash, CircleX, Clock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import { FilterSelect } from '../../../ui/fields/filters'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { useMoney } from '../../plans/format'
import { adminPlansQuery } from '../../plans/queries'
import classes from '../Billing.module.css'
import { transferReference } from '../format'
import { invalidateBillingAdmin, oneOf, type PaymentRequest, requestStatuses, requestsQuery } from './admin-queries'
import { ListCard } from './ListCard'
import { PromptDialog } from './PromptDialog'

const route = getRouteApi('/signed-in/shell/admin/billing/payment-requests')

const styles: Record<PaymentRequest['status'], StatusStyle> = {
  pending: { color: 'yellow', icon: Clock },
  approved: { color: 'success', icon: CircleCheck },
  rejected: { color: 'coral', icon: CircleX },
  expired: { color: 'gray', icon: CircleSlash },
  withdrawn: { color: 'gray', icon: CircleMinus },
}

/** Payments by bank transfer, which an instance admin approves once the money has arrived. */
export function PaymentRequestsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.payment_requests'))
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const status = search.status === 'all' ? undefined : (oneOf(requestStatuses, search.status) ?? 'pending')
  const requests = useInfiniteQuery(requestsQuery(status))
  const plans = useQuery(adminPlansQuery).data ?? []
  const planName = (wanted: string) => plans.find(({ code }) => code === wanted)?.name ?? wanted
  return (
    <>
      <PageHeader title={t('pages.payment_requests')} about={t('admin.billing.requests_about')} />
      <Group mb="md" role="search">
        <FilterSelect
          aria-label={t('admin.billing.by_status')}
          clearable={false}
          allowDeselect={false}
          data={[
            ...requestStatuses.map((value) => ({ value, label: t(`admin.billing.request.${value}`) })),
            { value: 'all', label: t('admin.billing.any_status') },
          ]}
          value={status ?? 'all'}
          onChange={(value) => void navigate({ search: { status: value ?? undefined }, replace: true })}
        />
      </Group>
      <ListCard
        of={requests}
        label={t('pages.payment_requests')}
        none={t('admin.billing.no_requests')}
        noneDetail={t('admin.billing.no_requests_detail')}
        row={(request) => <RequestRow request={request} planName={planName} />}
      />
    </>
  )
}

function RequestRow({ request, planName }: { request: PaymentRequest; planName: (code: string) => string }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  const [approving, approve] = useDisclosure(false)
  const [rejecting, reject] = useDisclosure(false)
  const { id, workspace_name, plan_code, amount, currency, status, checkout_id, created_at, reason, reference } =
    request
  const price = money(amount, currency)
  const params = { path: { id } }
  const done = (message: string) => () => {
    notifications.show({ message })
    return invalidateBillingAdmin()
  }
  return (
    <>
      <div className={classes.what}>
        <Group gap="xs">
          <Text fw={600} className="text">
            {workspace_name}
          </Text>
          <StatusBadge {...styles[status]}>{t(`admin.billing.request.${status}`)}</StatusBadge>
        </Group>
        <Text c="dimmed" fz="sm">
          {plan_code ? planName(plan_code) : t('subscription.checkout.purpose.order')} ·{' '}
          <span title={format.full(created_at)}>{format.ago(created_at)}</span> ·{' '}
          {t('admin.billing.reference', { reference: transferReference(checkout_id) })}
          {reference && ` · ${reference}`}
        </Text>
        {reason && (
          <Text fz="sm" className="text">
            {reason}
          </Text>
        )}
      </div>
      <span className={classes.money}>{price}</span>
      {status === 'pending' && (
        <Group gap="xs">
          <Button
            variant="default"
            onClick={reject.open}
            aria-label={t('admin.billing.reject_one', { name: workspace_name })}
          >
            {t('admin.billing.reject')}
          </Button>
          <Button onClick={approve.open} aria-label={t('admin.billing.approve_one', { name: workspace_name })}>
            {t('admin.billing.approve')}
          </Button>
        </Group>
      )}
      <PromptDialog
        opened={approving}
        onClose={approve.close}
        title={t('admin.billing.approve_ask', { amount: price, name: workspace_name })}
        detail={t('admin.billing.approve_detail')}
        fields={[
          {
            name: 'reference',
            label: t('admin.billing.bank_reference'),
            about: t('admin.billing.bank_reference_about'),
          },
        ]}
        action={t('admin.billing.approve')}
        send={({ reference: given }) =>
          unwrap(
            api.POST('/api/v1/admin/payment-requests/{id}/approve', {
              params,
              body: given ? { reference: given } : {},
            }),
          )
        }
        onDone={done(t('admin.billing.approved', { name: workspace_name }))}
      />
      <PromptDialog
        opened={rejecting}
        onClose={reject.close}
        title={t('admin.billing.reject_ask', { name: workspace_name })}
        detail={t('admin.billing.reject_detail')}
        fields={[
          {
            name: 'reason',
            label: t('admin.billing.reason'),
            about: t('admin.billing.reason_about'),
            required: true,
            lines: true,
          },
        ]}
        action={t('admin.billing.reject')}
        color="coral"
        send={({ reason: given = '' }) =>
          unwrap(api.POST('/api/v1/admin/payment-requests/{id}/reject', { params, body: { reason: given } }))
        }
        onDone={done(t('admin.billing.rejected', { name: workspace_name }))}
      />
    </>
  )
}
