import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DAY } from '../../../../shared/time'
import { Fact, FactList } from '../../../ui/layout/FactList'
import { useNow } from '../../../ui/text/useNow'
import { type Currency, type Period, pricesIn, useMoney } from '../../plans/format'
import type { PublicPlan } from '../../plans/queries'
import { usePrice, useWorkspaceFormat } from '../format'
import type { CheckoutTerms, PlanChangePreview, Subscription } from '../queries'

export type Choice = { plan: PublicPlan; period: Period; currency: Currency }

type Props = { choice: Choice; terms: CheckoutTerms }

/** Shows what a new subscription costs now and later. */
export function StartSummary({ choice, terms }: Props) {
  const { t } = useTranslation()
  const money = useMoney()
  const price = usePrice()
  const format = useWorkspaceFormat()
  const now = useNow()
  const { plan, period, currency } = choice
  const amount = pricesIn(plan.prices, currency)[period]
  const trial = terms.trial ? (plan.trial_days ?? 0) : 0
  if (amount === 0) return <Text>{t('subscription.summary.free')}</Text>
  return (
    <>
      <FactList>
        <Fact name={t('subscription.summary.now')} isTotal={trial <= 0}>
          {money(trial > 0 ? 0 : amount, currency)}
        </Fact>
        <Fact
          name={
            trial > 0
              ? t('subscription.summary.after_trial', { date: format.date(new Date(now.getTime() + trial * DAY)) })
              : t('subscription.summary.then')
          }
        >
          {price({ amount, currency, period })}
        </Fact>
      </FactList>
      <Text c="dimmed" fz="sm">
        {trial > 0 && `${t('subscription.summary.trial', { count: trial })} `}
        {t(`subscription.summary.${terms.renews ? 'renews' : terms.provider === 'manual' ? 'manual' : 'link'}`)}{' '}
        {t('subscription.summary.vat')}
      </Text>
    </>
  )
}

/** Shows what a change of the plan charges now and later, as the server works it out. */
export function ChangeSummary({ preview, live }: { preview: PlanChangePreview; live: Subscription }) {
  const { t } = useTranslation()
  const money = useMoney()
  const price = usePrice()
  const format = useWorkspaceFormat()
  const { applies, amount_due, currency, renewal_amount, renewal_period, renews_at } = preview
  const date = format.date(live.current_period_end)
  return (
    <>
      <FactList>
        <Fact name={t('subscription.summary.now')} isTotal={amount_due > 0}>
          {money(amount_due, currency)}
        </Fact>
        <Fact
          name={
            renews_at
              ? t('subscription.summary.from', { date: format.date(renews_at) })
              : t('subscription.summary.then')
          }
        >
          {price({ amount: renewal_amount, currency, period: renewal_period })}
        </Fact>
      </FactList>
      <Text c="dimmed" fz="sm">
        {t(applies === 'now' ? 'subscription.summary.upgrade' : 'subscription.summary.downgrade', { date })}{' '}
        {t('subscription.summary.vat')}
      </Text>
    </>
  )
}
