import { Badge, Text, Title } from '@mantine/core'
import type { TFunction } from 'i18next'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Currency, type Period, pricesIn, savingOf, useLimitText, useMoney } from '../format'
import { entitlements, type Meter, type PublicPlan } from '../queries'
import classes from './PriceCard.module.css'

type Offer = Pick<
  PublicPlan,
  'name' | 'description' | 'prices' | 'limits' | 'trial_days' | 'is_featured' | 'entitlements'
> & {
  features: string[]
}

/** The main meters; the comparison lists the rest. */
const listedMeters = ['social_accounts', 'posts_per_month', 'ai_credits', 'team_members'] as const satisfies Meter[]

/** A plan's price and contents, as on the pricing page. */
export function PriceCard({
  plan,
  currency,
  period,
  order = 2,
  mark,
  children,
}: {
  plan: Offer
  currency: Currency
  period: Period
  order?: 2 | 3
  mark?: ReactNode
  children?: ReactNode
}) {
  const { t } = useTranslation()
  const limit = useLimitText()
  const lines = [
    ...listedMeters.filter((meter) => plan.limits[meter] !== 0).map((meter) => limit(meter, plan.limits[meter])),
    ...entitlements
      .filter((entitlement) => plan.entitlements.includes(entitlement))
      .map((entitlement) => t(`pricing.entitlement.${entitlement}`)),
    ...plan.features,
  ]
  return (
    <article className={classes.card} data-featured={plan.is_featured || undefined} aria-label={plan.name}>
      <div className={classes.head}>
        <Title order={order} size="h3" className="text">
          {plan.name}
        </Title>
        {mark}
        {plan.is_featured && <Badge className={classes.featured}>{t('pricing.featured')}</Badge>}
      </div>
      {plan.description && (
        <Text c="dimmed" className="text">
          {planDescription(t, plan)}
        </Text>
      )}
      <Price plan={plan} currency={currency} period={period} />
      {children}
      <ul className={classes.lines} aria-label={t('pricing.contains', { name: plan.name })}>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
          <li key={at}>
            <Check size={17} aria-hidden="true" />
            <span className="text">{line}</span>
          </li>
        ))}
      </ul>
    </article>
  )
}

function Price({ plan, currency, period }: { plan: Offer; currency: Currency; period: Period }) {
  const { t } = useTranslation()
  const money = useMoney()
  const prices = pricesIn(plan.prices, currency)
  const saving = savingOf(prices)
  const aMonth = Math.round(prices.yearly / 0.12) / 100
  return (
    <div className={classes.price}>
      <p>
        <span className={classes.amount}>{money(prices[period], prices.currency)}</span>{' '}
        <span className={classes.period}>{t(`pricing.per.${period}`)}</span>
      </p>
      <p className={classes.note}>
        {period === 'yearly' && prices.yearly > 0 && (
          <span>{t('pricing.comes_to', { price: money(aMonth, prices.currency) })}</span>
        )}
        {period === 'yearly' && saving > 0 && <span>{t('pricing.saving', { percent: saving })}</span>}
        {plan.trial_days ? (
          <span className={classes.line}>{t('pricing.trial', { count: plan.trial_days })}</span>
        ) : null}
        {prices.currency !== currency && <span className={classes.line}>{t('pricing.lira_only')}</span>}
      </p>
    </div>
  )
}

/** The description of a plan. Those of the initial plans are translated until an instance admin changes them. */
function planDescription(t: TFunction, { description }: Pick<PublicPlan, 'description'>) {
  if (description === 'For trying it out') return t('pricing.initial_description.free')
  if (description === 'For brands that post every day') return t('pricing.initial_description.pro')
  if (description === 'For agencies and teams') return t('pricing.initial_description.team')
  return description
}
