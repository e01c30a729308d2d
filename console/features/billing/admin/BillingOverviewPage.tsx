import { Alert, Card, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { HandCoins, TriangleAlert, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { type CurrencyCode, currencies, useMoney } from '../../plans/format'
import classes from '../Billing.module.css'
import { currencyCode } from '../format'
import { type Overview, overviewQuery } from './admin-queries'
import { MonthBars } from './MonthBars'

/** Revenue and subscriptions of all workspaces. */
export function BillingOverviewPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('admin.billing.title'))
  const overview = useQuery(overviewQuery)
  return (
    <>
      <PageHeader title={t('admin.billing.title')} about={t('admin.billing.about')} />
      {overview.error && !overview.data && <ProblemAlert error={overview.error} onRetry={() => overview.refetch()} />}
      {overview.isPending && <LoadingSkeleton lines={3} height={140} />}
      {overview.data && <Figures overview={overview.data} />}
    </>
  )
}

function Figures({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { failed_ends, live, months, open_refunds, pending_payment_requests, unapplied_payments } = overview
  const count = (wanted: string) => live.reduce((sum, { status, count }) => sum + (status === wanted ? count : 0), 0)
  const now = months.at(-1)
  const churn = now && now.live_at_start > 0 ? Math.round((now.ended / now.live_at_start) * 100) : 0
  return (
    <Stack gap="lg">
      {pending_payment_requests > 0 && (
        <Alert color="yellow" icon={<HandCoins size={20} />}>
          {t('admin.billing.pending', { count: pending_payment_requests })}{' '}
          <AnchorLink to="/admin/billing/payment-requests">{t('pages.payment_requests')}</AnchorLink>
        </Alert>
      )}
      {unapplied_payments > 0 && (
        <Alert color="coral" icon={<TriangleAlert size={20} />}>
          {t('admin.billing.unapplied', { count: unapplied_payments })}
        </Alert>
      )}
      {failed_ends.length > 0 && (
        <Alert color="coral" icon={<TriangleAlert size={20} />}>
          {t('admin.billing.failed_ends', { count: failed_ends.length })} {failed_ends[0]?.error}
        </Alert>
      )}
      {open_refunds.length > 0 && <OpenRefunds refunds={open_refunds} />}
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <Figure name={t('admin.billing.recurring')} about={t('admin.billing.recurring_about')}>
          <Amounts of={overview.monthly_recurring_revenue} />
        </Figure>
        <Figure
          name={t('admin.billing.live')}
          about={t('admin.billing.live_about', { trials: format.number(count('trialing')) })}
        >
          {format.number(live.reduce((sum, { count }) => sum + count, 0))}
        </Figure>
        <Figure name={t('admin.billing.churn')} about={t('admin.billing.churn_about')}>
          {t('admin.billing.percent', { percent: format.number(churn) })}
        </Figure>
        <Figure name={t('admin.billing.unpaid')} about={t('admin.billing.unpaid_about', { count: count('past_due') })}>
          <Amounts of={overview.unpaid} />
        </Figure>
      </SimpleGrid>
      <div className={classes.columns}>
        <RevenueCard title={t('admin.billing.recurring')} months={months} figure="recurring" />
        <RevenueCard title={t('admin.billing.received')} months={months} figure="received" />
        <Card>
          <MonthBars
            title={t('admin.billing.movement')}
            months={months.map(({ month, started, ended }) => ({ month, values: [started, ended] }))}
            series={[t('admin.billing.new'), t('admin.billing.churned')]}
            format={format.number}
          />
        </Card>
        {overview.repaired.length > 0 && <RepairedCard repaired={overview.repaired} />}
      </div>
    </Stack>
  )
}

/** Disputes, and refunds that are pending or failed. */
function OpenRefunds({ refunds }: { refunds: Overview['open_refunds'] }) {
  const { t } = useTranslation()
  const money = useMoney()
  return (
    <Alert color="yellow" icon={<Undo2 size={20} />} title={t('admin.billing.open_refunds')}>
      <Stack gap={4}>
        {refunds.map(({ id, is_dispute, status, amount, currency, invoice_number, workspace_name, failure }) => (
          <Text key={id} fz="sm">
            {t(
              `admin.billing.${is_dispute ? 'dispute_open' : status === 'failed' ? 'refund_failed' : 'refund_pending'}`,
              {
                amount: money(amount, currency),
                of: [invoice_number, workspace_name].filter(Boolean).join(', ') || '–',
              },
            )}
            {failure && ` ${failure}`}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}

function Figure({ name, about, children }: { name: string; about: string; children: ReactNode }) {
  return (
    <Card>
      <Text c="dimmed" fz="sm">
        {name}
      </Text>
      <div className={classes.price}>{children}</div>
      <Text c="dimmed" fz="sm" mt={4}>
        {about}
      </Text>
    </Card>
  )
}

/** The amount in each currency that has one. */
function Amounts({ of }: { of: { TRY: number; USD: number } }) {
  const money = useMoney()
  return (
    <>
      <div>{money(of.TRY, 'TRY')}</div>
      {of.USD !== 0 && <div>{money(of.USD, 'USD')}</div>}
    </>
  )
}

type RevenueProps = Pick<Overview, 'months'> & { title: string; figure: 'recurring' | 'received' }

function RevenueCard({ title, months, figure }: RevenueProps) {
  const { t } = useTranslation()
  const money = useMoney()
  const [currency, setCurrency] = useState<CurrencyCode>('TRY')
  return (
    <Card>
      <MonthBars
        title={title}
        months={months.map(({ month, [figure]: amounts }) => ({ month, values: [amounts[currency]] }))}
        series={[title]}
        format={(amount) => money(amount, currency)}
        control={
          <SegmentedControl
            size="xs"
            aria-label={`${title}: ${t('pricing.currency')}`}
            value={currency}
            onChange={setCurrency}
            data={currencies.map(currencyCode)}
          />
        }
      />
    </Card>
  )
}

/** Subscriptions that the nightly comparison with the providers changed. */
function RepairedCard({ repaired }: Pick<Overview, 'repaired'>) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  return (
    <Card component="section" aria-labelledby="repaired">
      <Title order={2} size="h3" id="repaired">
        {t('admin.billing.repaired')}
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        {t('admin.billing.repaired_about')}
      </Text>
      <ul className={classes.list} aria-labelledby="repaired">
        {repaired.map(({ at, subscription_id, workspace_name, status_before, status }) => (
          <li key={`${subscription_id} ${at}`} className={classes.row}>
            <div className={classes.what}>
              <Text fw={600} className="text">
                {workspace_name ?? t('admin.billing.deleted_workspace')}
              </Text>
              <Text c="dimmed" fz="sm">
                {format.dateTime(at)}
              </Text>
            </div>
            <span>
              {status_before === status
                ? t(`subscription.status.${status}`)
                : `${t(`subscription.status.${status_before}`)} → ${t(`subscription.status.${status}`)}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
