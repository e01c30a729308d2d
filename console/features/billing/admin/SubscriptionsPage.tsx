import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { FilterSelect } from '../../../ui/fields/filters'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { adminPlansQuery } from '../../plans/queries'
import classes from '../Billing.module.css'
import { priceOf, usePrice } from '../format'
import { isLive } from '../queries'
import { SubscriptionBadge } from '../SubscriptionBadge'
import {
  type AdminSubscription,
  invalidateBillingAdmin,
  oneOf,
  providers,
  subscriptionStatuses,
  subscriptionsQuery,
} from './admin-queries'
import { ListCard } from './ListCard'
import { PromptDialog } from './PromptDialog'

const route = getRouteApi('/signed-in/shell/admin/billing/subscriptions')

export function SubscriptionsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.subscriptions'))
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const plans = useQuery(adminPlansQuery).data ?? []
  const status = oneOf(subscriptionStatuses, search.status)
  const provider = oneOf(providers, search.provider)
  const subscriptions = useInfiniteQuery(subscriptionsQuery({ status, provider, plan_code: search.plan }))
  const filter = (change: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...change }, replace: true, resetScroll: false })
  return (
    <>
      <PageHeader title={t('pages.subscriptions')} about={t('admin.billing.subscriptions_about')} />
      <Group mb="md" gap="sm" role="search">
        <FilterSelect
          aria-label={t('admin.billing.by_status')}
          placeholder={t('admin.billing.any_status')}
          data={subscriptionStatuses.map((value) => ({ value, label: t(`subscription.status.${value}`) }))}
          value={status ?? null}
          onChange={(value) => filter({ status: value ?? undefined })}
        />
        <FilterSelect
          aria-label={t('admin.billing.by_plan')}
          placeholder={t('admin.billing.any_plan')}
          data={plans.map(({ code, name }) => ({ value: code, label: name }))}
          value={search.plan ?? null}
          onChange={(value) => filter({ plan: value ?? undefined })}
        />
        <FilterSelect
          aria-label={t('admin.billing.by_provider')}
          placeholder={t('admin.billing.any_provider')}
          data={providers.map((value) => ({ value, label: t(`admin.billing.provider.${value}`) }))}
          value={provider ?? null}
          onChange={(value) => filter({ provider: value ?? undefined })}
        />
      </Group>
      <ListCard
        of={subscriptions}
        label={t('pages.subscriptions')}
        none={t('admin.billing.no_subscriptions')}
        noneDetail={t('admin.billing.no_subscriptions_detail')}
        row={(subscription) => (
          <SubscriptionRow
            subscription={subscription}
            plan={plans.find(({ code }) => code === subscription.plan_code)?.name ?? subscription.plan_code}
          />
        )}
      />
    </>
  )
}

function SubscriptionRow({ subscription, plan }: { subscription: AdminSubscription; plan: string }) {
  const { t } = useTranslation()
  const price = usePrice()
  const format = useFormat(useMe().timezone)
  const [extending, extend] = useDisclosure(false)
  const [ending, end] = useDisclosure(false)
  const { id, provider, status, current_period_end, ended_at } = subscription
  const name = subscription.workspace_name ?? t('admin.billing.deleted_workspace')
  const params = { path: { id } }
  const expire = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/admin/subscriptions/{id}/expire', { params })),
    onSuccess: () => {
      end.close()
      notifications.show({ message: t('admin.billing.expired', { name }) })
      return invalidateBillingAdmin()
    },
  })
  return (
    <>
      <div className={classes.what}>
        <Group gap="xs">
          <Text fw={600} className="text">
            {name}
          </Text>
          <SubscriptionBadge {...subscription} />
        </Group>
        <Text c="dimmed" fz="sm">
          {plan} · {t(`admin.billing.provider.${provider}`)} ·{' '}
          {ended_at
            ? t('admin.billing.ended_on', { date: format.date(ended_at) })
            : t('admin.billing.period_until', { date: format.date(current_period_end) })}
        </Text>
      </div>
      <span className={classes.money}>{price(priceOf(subscription))}</span>
      {isLive(status) && (
        <Group gap="xs">
          <Button variant="default" onClick={extend.open} aria-label={t('admin.billing.extend_one', { name })}>
            {t('admin.billing.extend')}
          </Button>
          <Button
            variant="subtle"
            color="coral"
            c="var(--mantine-color-error)"
            onClick={end.open}
            aria-label={t('admin.billing.end_one', { name })}
          >
            {t('admin.billing.end')}
          </Button>
        </Group>
      )}
      <PromptDialog
        opened={extending}
        onClose={extend.close}
        title={t('admin.billing.extend_ask', { name })}
        detail={t('admin.billing.extend_detail')}
        fields={[{ name: 'days', label: t('admin.billing.days'), required: true, initial: '30', numeric: true }]}
        action={t('admin.billing.extend')}
        send={({ days }) =>
          unwrap(api.POST('/api/v1/admin/subscriptions/{id}/extend', { params, body: { days: Number(days) } }))
        }
        onDone={() => {
          notifications.show({ message: t('admin.billing.extended', { name }) })
          return invalidateBillingAdmin()
        }}
      />
      <ConfirmDialog
        opened={ending}
        onClose={end.close}
        title={t('admin.billing.end_ask', { name })}
        confirm={t('admin.billing.end')}
        mutation={expire}
        onConfirm={() => expire.mutate()}
      >
        {t('admin.billing.end_detail')}
      </ConfirmDialog>
    </>
  )
}
