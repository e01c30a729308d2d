import { Alert, Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CircleAlert, Info, Tags } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { plansQuery } from '../../../api'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { pricesIn } from '../../plans/format'
import { PlanComparison } from '../../plans/pricing/PlanComparison'
import { PriceCard } from '../../plans/pricing/PriceCard'
import { PriceControls } from '../../plans/pricing/PriceControls'
import { type PublicPlan, type Usage, usageQuery } from '../../plans/queries'
import type { PlanChoice } from '../../plans/search-params'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../Billing.module.css'
import { currencyOf } from '../format'
import { type CheckoutTerms, isLive, type Subscription, subscriptionQuery, termsQuery } from '../queries'
import { ChoosePlanDialog } from './ChoosePlanDialog'
import type { Choice } from './PaymentSummary'

const route = getRouteApi('/signed-in/shell/w/$workspace/billing/plans')

/** The plans on offer, to subscribe to one or to change to another. */
export function ChoosePlanPage() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  useDocumentTitle(t('subscription.choose_plan'))
  return (
    <>
      <PageHeader title={t('subscription.choose_plan')} about={t('subscription.choose_about')}>
        <AnchorLink to="/w/$workspace/billing" params={{ workspace: workspace.slug }}>
          {t('subscription.back')}
        </AnchorLink>
      </PageHeader>
      <Offer />
    </>
  )
}

function Offer() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const isAdmin = isAtLeast(workspace, 'admin')
  const usage = useQuery({ ...usageQuery(workspace.slug), enabled: isAdmin })
  const status = usage.data?.subscription_status
  const subscription = useQuery({ ...subscriptionQuery(workspace.slug), enabled: isLive(status) })
  const plans = useQuery({ ...plansQuery, enabled: isAdmin })
  const terms = useQuery({ ...termsQuery(workspace.slug), enabled: isAdmin })
  if (!isAdmin) return <RoleRequired needs="admin" />
  const failed = [usage, plans, terms, subscription].find(({ error, data }) => error && !data)
  if (failed) return <ProblemAlert error={failed.error} onRetry={() => failed.refetch()} />
  const isReady = usage.data && plans.data && terms.data && (!isLive(status) || subscription.data)
  if (!isReady) return <LoadingSkeleton lines={1} height={420} />
  if (!usage.data.billing_enabled || plans.data.length === 0)
    return (
      <EmptyState icon={<Tags size={26} />} title={t(usage.data.billing_enabled ? 'pricing.none' : 'subscription.off')}>
        {t(usage.data.billing_enabled ? 'pricing.none_detail' : 'subscription.off_detail')}
      </EmptyState>
    )
  return <Plans plans={plans.data} usage={usage.data} terms={terms.data} live={subscription.data} />
}

type PlansProps = { plans: PublicPlan[]; usage: Usage; terms: CheckoutTerms; live: Subscription | undefined }

function Plans({ plans, usage, terms, live }: PlansProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const workspace = useWorkspace()
  const period = search.period ?? live?.billing_period ?? 'monthly'
  // A subscription keeps its currency.
  const fixed = live && currencyOf(live.billing_currency)
  const currency = fixed ?? search.currency ?? currencyOf(workspace.default_currency)
  const choose = (change: PlanChoice) =>
    void navigate({ search: { ...search, ...change }, replace: true, resetScroll: false })
  const choiceOf = (plan: PublicPlan) => ({ plan, period, currency: pricesIn(plan.prices, currency).currency })
  const stateOf = (plan: PublicPlan) => stateOfPlan({ plan, period, currency }, { usage, terms, live })
  const wanted = plans.find((plan) => plan.code === search.plan && stateOf(plan) === 'available')
  return (
    <>
      <Notices terms={terms} live={live} />
      <PriceControls
        plans={plans}
        period={period}
        currency={currency}
        onChange={choose}
        {...(fixed && { hasCurrencies: false })}
      />
      <div className={classes.plans}>
        {plans.map((plan) => (
          <PriceCard
            key={plan.code}
            plan={!live && terms.trial ? plan : { ...plan, trial_days: null }}
            currency={currency}
            period={period}
            mark={plan.code === usage.plan?.code && <PresentBadge />}
          >
            <ChooseButton
              plan={plan}
              state={stateOf(plan)}
              terms={terms}
              live={live}
              onChoose={() => choose({ plan: plan.code })}
            />
          </PriceCard>
        ))}
      </div>
      <PlanComparison plans={plans} />
      {wanted && (
        <ChoosePlanDialog
          choice={choiceOf(wanted)}
          present={plans.find(({ code }) => code === usage.plan?.code)}
          usage={usage}
          terms={terms}
          live={live}
          onClose={() => choose({ plan: undefined })}
        />
      )}
    </>
  )
}

function PresentBadge() {
  const { t } = useTranslation()
  return (
    <Badge variant="light" color="gray">
      {t('pricing.yours')}
    </Badge>
  )
}

function Notices({ terms, live }: Pick<PlansProps, 'terms' | 'live'>) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const text =
    live?.status === 'past_due'
      ? t('subscription.notice.past_due')
      : live?.cancel_at_period_end
        ? t('subscription.notice.ending')
        : !live && !terms.is_configured
          ? t('subscription.notice.not_configured')
          : undefined
  if (!text) return null
  return (
    <Alert color="yellow" icon={live ? <CircleAlert size={20} /> : <Info size={20} />} mb="lg">
      {text}{' '}
      {live && (
        <AnchorLink to="/w/$workspace/billing" params={{ workspace: slug }}>
          {t('subscription.back')}
        </AnchorLink>
      )}
    </Alert>
  )
}

/** `ending`: the plan is in force once the subscription has ended. `blocked`: it cannot be chosen for now. */
type PlanState = 'present' | 'ending' | 'blocked' | 'available'

function stateOfPlan({ plan, period, currency }: Choice, { usage, terms, live }: Omit<PlansProps, 'plans'>): PlanState {
  if (!live) {
    if (plan.code === usage.plan?.code) return 'present'
    return terms.is_configured ? 'available' : 'blocked'
  }
  if (plan.code === live.plan_code && period === live.billing_period) return 'present'
  if (plan.code === terms.default_plan) return 'ending'
  const isSold = currency === 'try' || plan.prices.usd !== null
  return isSold && live.status !== 'past_due' && !live.cancel_at_period_end ? 'available' : 'blocked'
}

function ChooseButton({
  plan,
  state,
  terms,
  live,
  onChoose,
}: {
  plan: PublicPlan
  state: PlanState
  terms: CheckoutTerms
  live: Subscription | undefined
  onChoose: () => void
}) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  if (state === 'present')
    return (
      <Button fullWidth variant="default" disabled>
        {t('pricing.yours')}
      </Button>
    )
  if (state === 'ending')
    return (
      <ButtonLink to="/w/$workspace/billing" params={{ workspace: slug }} fullWidth variant="default">
        {t(live?.cancel_at_period_end ? 'subscription.ends_into' : 'subscription.by_canceling', { plan: plan.name })}
      </ButtonLink>
    )
  const isTrial = !live && terms.trial && plan.trial_days !== null && plan.trial_days > 0
  return (
    <Button
      fullWidth
      variant={plan.is_featured ? 'filled' : 'default'}
      disabled={state === 'blocked'}
      onClick={onChoose}
    >
      {isTrial ? t('pricing.try_it') : t(live ? 'subscription.change_to' : 'subscription.choose', { plan: plan.name })}
    </Button>
  )
}
