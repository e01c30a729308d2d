import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../ui/text/useNow'
import { useMoney } from '../../plans/format'
import classes from '../Billing.module.css'
import { usePrice, useWorkspaceFormat } from '../format'
import type { CheckoutTerms, Subscription } from '../queries'
import { appliesNow, chosenAmount, dueNow } from './amounts'
import type { Choice } from './ChoosePlanPage'

const DAY_MS = 86_400_000

type Props = { choice: Choice; terms: CheckoutTerms; live: Subscription | undefined }

/** Shows the payment due now and the later ones. */
export function PaymentSummary({ choice, terms, live }: Props) {
  return live ? <ChangeSummary choice={choice} live={live} /> : <StartSummary choice={choice} terms={terms} />
}

function StartSummary({ choice, terms }: Omit<Props, 'live'>) {
  const { t } = useTranslation()
  const money = useMoney()
  const price = usePrice()
  const format = useWorkspaceFormat()
  const now = useNow()
  const { plan, period, currency } = choice
  const amount = chosenAmount(choice)
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

function ChangeSummary({ choice, live }: { choice: Choice; live: Subscription }) {
  const { t } = useTranslation()
  const money = useMoney()
  const price = usePrice()
  const format = useWorkspaceFormat()
  const now = useNow()
  const { period, currency } = choice
  const isNow = appliesNow(live, choice)
  const isTrial = live.status === 'trialing'
  const date = format.date(live.current_period_end)
  const due = isNow && !isTrial ? dueNow(live, choice, now) : 0
  return (
    <>
      <dl className={classes.facts}>
        <div>
          <dt>{t('subscription.summary.now')}</dt>
          <dd>{due > 0 ? t('subscription.summary.about', { amount: money(due, currency) }) : money(0, currency)}</dd>
        </div>
        <div>
          <dt>
            {isNow && period !== live.billing_period && !isTrial
              ? t('subscription.summary.then')
              : t('subscription.summary.from', { date })}
          </dt>
          <dd>{price({ amount: chosenAmount(choice), currency: live.billing_currency, period })}</dd>
        </div>
      </dl>
      <Text c="dimmed" fz="sm">
        {t(isNow ? 'subscription.summary.upgrade' : 'subscription.summary.downgrade', { date })}{' '}
        {t('subscription.summary.vat')}
      </Text>
    </>
  )
}
