import '../../../theme/components'
import { Alert, Anchor, Badge, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { Info, Tags } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type Me, plansQuery } from '../../../api'
import { currentLanguage, type Language, languageOf, languages, setLanguage } from '../../../i18n'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { Logo } from '../../../ui/layout/Logo'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { instanceQuery, meQuery } from '../../auth/queries'
import { wasSignedIn } from '../../auth/sign-in'
import { isAtLeast, workspacesQuery } from '../../workspaces/queries'
import { type Currency, type Period, pricesIn } from '../format'
import { type PublicPlan, usageQuery } from '../queries'
import type { PlanChoice } from '../search-params'
import { PlanComparison } from './PlanComparison'
import { PriceCard } from './PriceCard'
import { PriceControls } from './PriceControls'
import classes from './Pricing.module.css'

const route = getRouteApi('/pricing')

/** Prices and contents of the plans; needs no sign-in. */
export function PricingPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pricing.title'))
  const plans = useQuery(plansQuery)
  // New visitors need no request.
  const me = useQuery({ ...meQuery, enabled: wasSignedIn(), retry: false }).data
  useEffect(() => {
    if (me) void setLanguage(languageOf(me.locale))
  }, [me])
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Link to="/" className={classes.home}>
          <Logo size={28} />
          <span>Meydan</span>
        </Link>
        <Group gap="md">
          {!me && <LanguageLinks />}
          {me ? (
            <ButtonLink to="/" variant="default">
              {t('pricing.back')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/sign-in" variant="default">
              {t('pricing.sign_in')}
            </ButtonLink>
          )}
        </Group>
      </header>
      <main id="main" className={classes.main}>
        <div className={classes.head}>
          <Title order={1} className={classes.title}>
            {t('pricing.heading')}
          </Title>
          <Text c="dimmed" fz="lg">
            {t('pricing.about')}
          </Text>
        </div>
        {plans.error && !plans.data && <ProblemAlert error={plans.error} onRetry={() => plans.refetch()} />}
        {plans.isPending && <LoadingCards />}
        {plans.data?.length === 0 && (
          <EmptyState icon={<Tags size={26} />} title={t('pricing.none')}>
            {t('pricing.none_detail')}
          </EmptyState>
        )}
        {plans.data && plans.data.length > 0 && <Plans plans={plans.data} me={me} />}
      </main>
    </div>
  )
}

function Plans({ plans, me }: { plans: PublicPlan[]; me: Me | undefined }) {
  const { t } = useTranslation()
  const { workspace, ...chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const { buildLocation } = useRouter()
  const workspaces = useQuery({ ...workspacesQuery, enabled: me !== undefined }).data
  // The workspace used last, as on all pages outside of a workspace.
  const own = workspaces?.find(({ id, slug }) => (workspace ? slug === workspace : id === me?.workspace_id))
  const of = workspace ?? (own ?? workspaces?.[0])?.slug
  const usage = useQuery({ ...usageQuery(of ?? ''), enabled: me !== undefined && of !== undefined, retry: false }).data
  const signUp = useQuery({ ...instanceQuery, enabled: !me }).data?.sign_up ?? 'open'
  const inDollars = plans.some(({ prices }) => prices.usd !== null)
  const currency = !inDollars ? 'try' : (chosen.currency ?? (currentLanguage() === 'tr' ? 'try' : 'usd'))
  const period = chosen.period ?? 'monthly'
  const choose = (change: { currency?: Currency; period?: Period }) =>
    void navigate({ search: { workspace, ...chosen, ...change }, replace: true, resetScroll: false })
  const choosePlan = (search: PlanChoice) => buildLocation({ to: '/choose-plan', search }).href
  const mine = usage?.billing_enabled ? usage.plan?.code : undefined
  return (
    <>
      {usage?.billing_enabled === false && (
        <Alert color="gray" icon={<Info size={20} />} mb="lg" maw={720} mx="auto">
          {t('pricing.not_billed')}
        </Alert>
      )}
      <PriceControls plans={plans} period={period} currency={currency} onChange={choose} />
      <div className={classes.cards}>
        {plans.map((plan) => (
          <PriceCard
            key={plan.code}
            plan={plan}
            currency={currency}
            period={period}
            mark={
              plan.code === mine && (
                <Badge variant="light" color="gray">
                  {t('pricing.yours')}
                </Badge>
              )
            }
          >
            {!me && signUp === 'open' && (
              <ButtonLink
                to="/sign-up"
                search={
                  pricesIn(plan.prices, currency)[period] > 0
                    ? { next: choosePlan({ plan: plan.code, period, currency }) }
                    : {}
                }
                fullWidth
                variant={plan.is_featured ? 'filled' : 'default'}
              >
                {plan.trial_days ? t('pricing.try_it') : t('pricing.create_account')}
              </ButtonLink>
            )}
          </PriceCard>
        ))}
      </div>
      {!me && signUp !== 'open' && (
        <Text ta="center" c="dimmed" mt="lg">
          {t(`pricing.sign_up_${signUp}`)}
        </Text>
      )}
      {mine && (
        <Text ta="center" c="dimmed" mt="lg">
          {own && isAtLeast(own, 'admin') ? (
            <AnchorLink to="/w/$workspace/billing/plans" params={{ workspace: own.slug }} search={{ currency, period }}>
              {t('pricing.change')}
            </AnchorLink>
          ) : (
            t('pricing.how_to_change')
          )}
        </Text>
      )}
      <PlanComparison plans={plans} />
    </>
  )
}

function LanguageLinks() {
  const other = (Object.keys(languages) as Language[]).filter((language) => language !== currentLanguage())
  return other.map((language) => (
    <Anchor key={language} component="button" type="button" lang={language} onClick={() => void setLanguage(language)}>
      {languages[language]}
    </Anchor>
  ))
}

function LoadingCards() {
  const { t } = useTranslation()
  return (
    <div className={classes.cards} role="status" aria-label={t('ui.loading')}>
      {[0, 1, 2].map((card) => (
        <Skeleton key={card} height={360} radius="lg" />
      ))}
    </div>
  )
}
