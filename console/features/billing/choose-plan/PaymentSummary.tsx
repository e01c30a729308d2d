import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../ui/text/useNow'
import { pricesIn, useMoney } from '../../plans/format'
import classes from '../Billing.module.css'
import { usePrice, useWorkspaceFormat } from '../format'
import type { CheckoutTerms, PlanChangePreview, Subscription } from '../queries'
import type { Choice } from './ChoosePlanPage'

const DAY_MS = 86_400_000

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
      <dl className={classes.facts}>
        <div className={trial > 0 ? undefined : classes.total}>
          <dt>{t('subscription.summary.now')}</dt>
          <dd>{money(trial > 0 ? 0 : amount, currency)}</dd>
        </div>
        <div>
          <dt>
            {trial > 0
              ? t('subscription.summary.after_trial', { date: format.date(new Date(now.getTime() + trial * DAY_MS)) })
              : t('subscription.summary.then')}
          </dt>
          <dd>{price({ amount, currency, period })}</dd>
        </div>
      </dl>
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
      <dl className={classes.facts}>
        <div className={amount_due > 0 ? classes.total : undefined}>
          <dt>{t('subscription.summary.now')}</dt>
          <dd>{money(amount_due, currency)}</dd>
        </div>
        <div>
          <dt>
            {renews_at
              ? t('subscription.summary.from', { date: format.date(renews_at) })
              : t('subscription.summary.then')}
          </dt>
          <dd>{price({ amount: renewal_amount, currency, period: renewal_period })}</dd>
        </div>
      </dl>
      <Text c="dimmed" fz="sm">
        {t(applies === 'now' ? 'subscription.summary.upgrade' : 'subscription.summary.downgrade', { date })}{' '}
        {t('subscription.summary.vat')}
      </Text>
    </>
  )
}
