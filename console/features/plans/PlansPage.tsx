import { Alert, Badge, Card, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink, Info, Plus, Tags } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, plansQuery, queryClient, unwrap } from '../../api'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { WithGuide } from '../../ui/navigation/WithGuide'
import { currencies, useLimitText, useMoney } from './format'
import { PlanActions } from './PlanActions'
import classes from './Plans.module.css'
import { adminPlansQuery, billingQuery, type Plan } from './queries'
import { SortableList, useSortableRow } from './SortableList'

/** The plans on sale, in the order of the pricing page. */
export function PlansPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.plans'))
  const plans = useQuery(adminPlansQuery)
  const billing = useQuery(billingQuery).data
  const reorder = useReorder()
  const active = plans.data?.filter(({ is_active }) => is_active) ?? []
  const archived = plans.data?.filter(({ is_active }) => !is_active) ?? []
  const add = (
    <ButtonLink to="/admin/plans/new" leftSection={<Plus size={17} />}>
      {t('admin.plans.add')}
    </ButtonLink>
  )
  const move = (from: number, to: number) => {
    const moved = [...active]
    moved.splice(to, 0, ...moved.splice(from, 1))
    // Archived plans keep their positions among the others, in case they are restored.
    const next = moved.values()
    reorder.mutate((plans.data ?? []).map((plan) => (plan.is_active ? (next.next().value ?? plan) : plan)))
  }
  return (
    <>
      <PageHeader title={t('pages.plans')} about={<WithGuide name="plans">{t('admin.plans.about')}</WithGuide>}>
        <ButtonLink to="/pricing" target="_blank" variant="default" leftSection={<ExternalLink size={16} />}>
          {t('admin.plans.see_pricing')}
        </ButtonLink>
        {plans.data && plans.data.length > 0 && add}
      </PageHeader>
      {billing?.enabled === false && (
        <Alert color="gray" icon={<Info size={20} />} mb="md">
          {t('admin.plans.not_billed')} <AnchorLink to="/admin/options">{t('admin.plans.to_options')}</AnchorLink>
        </Alert>
      )}
      {plans.error && <ProblemAlert error={plans.error} onRetry={() => plans.refetch()} />}
      {plans.isPending && <LoadingSkeleton lines={3} height={84} />}
      {plans.data && active.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<Tags size={26} />} title={t('admin.plans.none')} action={add}>
            {t('admin.plans.none_detail')}
          </EmptyState>
        </Card>
      )}
      {active.length > 0 && (
        <SortableList
          ids={active.map(({ code }) => code)}
          nameOf={(id) => active.find(({ code }) => code === id)?.name ?? id}
          onMove={move}
        >
          <PlanTable label={t('pages.plans')}>
            {active.map((plan, at) => (
              <SortablePlan
                key={plan.code}
                plan={plan}
                isDefault={plan.code.toLowerCase() === billing?.default_plan}
                onUp={at > 0 ? () => move(at, at - 1) : undefined}
                onDown={at < active.length - 1 ? () => move(at, at + 1) : undefined}
              />
            ))}
          </PlanTable>
          <Text c="dimmed" fz="sm" mt="xs">
            {t('admin.plans.order_about')}
          </Text>
        </SortableList>
      )}
      {archived.length > 0 && (
        <>
          <Title order={2} size="h3" mt="xl" mb={4}>
            {t('admin.plans.archived')}
          </Title>
          <Text c="dimmed" fz="sm" mb="sm">
            {t('admin.plans.archived_about')}
          </Text>
          <PlanTable label={t('admin.plans.archived')}>
            {archived.map((plan) => (
              <tr key={plan.code} className={classes.row} aria-label={plan.name}>
                <td className={classes.grip} />
                <PlanCells plan={plan} />
                <td className={classes.actions}>
                  <PlanActions plan={plan} />
                </td>
              </tr>
            ))}
          </PlanTable>
        </>
      )}
    </>
  )
}

/** Shows the new order at once and saves it, one change after the other. */
function useReorder() {
  const tell = useErrorNotification()
  return useMutation({
    scope: { id: 'plan-order' },
    mutationKey: ['plan-order'],
    mutationFn: (plans: Plan[]) =>
      unwrap(api.POST('/api/v1/admin/plans/order', { body: { codes: plans.map(({ code }) => code) } })),
    onMutate: async (plans) => {
      await queryClient.cancelQueries({ queryKey: adminPlansQuery.queryKey })
      queryClient.setQueryData(adminPlansQuery.queryKey, plans)
    },
    onError: tell,
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: ['plan-order'] }) > 1) return
      void queryClient.invalidateQueries({ queryKey: plansQuery.queryKey })
      return queryClient.invalidateQueries({ queryKey: adminPlansQuery.queryKey })
    },
  })
}

function PlanTable({ label, children }: { label: string; children: React.ReactNode }) {
  const { t } = useTranslation()
  return (
    <Card padding={0} style={{ overflow: 'visible' }}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <td className={classes.grip} />
            <th scope="col">{t('admin.plans.plan')}</th>
            <th scope="col">{t('pricing.periods.monthly')}</th>
            <th scope="col">{t('pricing.periods.yearly')}</th>
            <th scope="col">{t('admin.plans.contains')}</th>
            <td className={classes.actions} />
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Card>
  )
}

function SortablePlan({
  plan,
  isDefault,
  ...moves
}: {
  plan: Plan
  isDefault: boolean
  onUp?: () => void
  onDown?: () => void
}) {
  const { row, handle } = useSortableRow<HTMLTableRowElement>(plan.code, plan.name)
  return (
    <tr className={classes.row} aria-label={plan.name} {...row}>
      <td className={classes.grip}>{handle}</td>
      <PlanCells plan={plan} isDefault={isDefault} />
      <td className={classes.actions}>
        <PlanActions plan={plan} isDefault={isDefault} {...moves} />
      </td>
    </tr>
  )
}

function PlanCells({ plan, isDefault }: { plan: Plan; isDefault?: boolean }) {
  const { t } = useTranslation()
  const money = useMoney()
  const limit = useLimitText()
  const { code, name, prices, limits, trial_days } = plan
  const priced = currencies.flatMap((currency) => {
    const found = prices[currency]
    return found ? [{ currency, ...found }] : []
  })
  return (
    <>
      <th scope="row">
        <div className={classes.name}>
          <Link to="/admin/plans/$plan" params={{ plan: code }} className="text">
            {name}
          </Link>
          {plan.is_featured && <Badge>{t('pricing.featured')}</Badge>}
          {isDefault && (
            <Badge variant="light" color="gray">
              {t('admin.plans.is_default')}
            </Badge>
          )}
          {!plan.is_public && (
            <Badge variant="light" color="yellow">
              {t('admin.plans.is_hidden')}
            </Badge>
          )}
        </div>
        <div className={classes.code}>
          {code}
          {trial_days ? ` · ${t('pricing.trial', { count: trial_days })}` : ''}
        </div>
        <div className={classes.small}>
          {priced.map(({ currency, monthly, yearly }) => (
            <div key={currency}>
              {money(monthly, currency)} {t('pricing.per.monthly')} · {money(yearly, currency)}{' '}
              {t('pricing.per.yearly')}
            </div>
          ))}
        </div>
      </th>
      {(['monthly', 'yearly'] as const).map((period) => (
        <td key={period} className={classes.money}>
          {priced.map((prices) => (
            <div key={prices.currency}>{money(prices[period], prices.currency)}</div>
          ))}
        </td>
      ))}
      <td className={classes.contains}>
        {(['social_accounts', 'posts_per_month', 'team_members'] as const)
          .map((meter) => limit(meter, limits[meter]))
          .join(' · ')}
      </td>
    </>
  )
}
