import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { plansQuery } from '../../../api'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { usageQuery } from '../../plans/queries'
import { UsageSection } from '../../plans/usage/UsageSection'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../Billing.module.css'
import { isLive, subscriptionQuery } from '../queries'
import { InvoiceList } from './InvoiceList'
import { PaymentCard } from './PaymentCard'
import { PlanCard } from './PlanCard'

/** Plan, payments, usage and invoices of a workspace. */
export function BillingPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.billing'))
  return (
    <>
      <PageHeader title={t('pages.billing')} about={t('subscription.about')} />
      <BillingContent />
    </>
  )
}

function BillingContent() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const isAdmin = isAtLeast(workspace, 'admin')
  const usage = useQuery({ ...usageQuery(workspace.slug), enabled: isAdmin })
  const hasOne = usage.data !== undefined && usage.data.subscription_status !== null
  const subscription = useQuery({ ...subscriptionQuery(workspace.slug), enabled: hasOne })
  const plans = useQuery({ ...plansQuery, enabled: isAdmin })
  if (!isAdmin) return <RoleRequired needs="admin" />
  const failed = [usage, subscription, plans].find(({ error, data }) => error && !data)
  if (failed) return <ProblemAlert error={failed.error} onRetry={() => failed.refetch()} />
  if (!usage.data || !plans.data || (hasOne && !subscription.data)) return <LoadingSkeleton lines={3} height={160} />
  if (!usage.data.billing_enabled)
    return (
      <EmptyState icon={<CreditCard size={26} />} title={t('subscription.off')}>
        {t('subscription.off_detail')}
      </EmptyState>
    )
  const known = subscription.data
  const live = known && isLive(known.status) ? known : undefined
  return (
    <Stack gap="lg">
      <div className={classes.columns}>
        <PlanCard subscription={known} usage={usage.data} plans={plans.data} />
        {live && <PaymentCard subscription={live} />}
      </div>
      <UsageSection />
      <InvoiceList />
    </Stack>
  )
}
