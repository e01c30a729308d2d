import { Badge, Group, SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Currency, currencies, type Period, periods, pricesIn, savingOf } from '../format'
import type { PublicPlan } from '../queries'
import classes from './Pricing.module.css'

/** Chooses the period and, where plans are sold in several, the currency of the prices shown. */
export function PriceControls({
  plans,
  period,
  currency,
  onChange,
  hasCurrencies = plans.some(({ prices }) => prices.usd !== null),
}: {
  plans: PublicPlan[]
  period: Period
  currency: Currency
  onChange: (change: { currency?: Currency; period?: Period }) => void
  hasCurrencies?: boolean
}) {
  const { t } = useTranslation()
  const saving = Math.max(...plans.map(({ prices }) => savingOf(pricesIn(prices, currency))))
  return (
    <div className={classes.controls}>
      <Group gap="sm" justify="center">
        <SegmentedControl
          aria-label={t('pricing.period')}
          value={period}
          onChange={(value) => onChange({ period: value })}
          data={periods.map((value) => ({ value, label: t(`pricing.periods.${value}`) }))}
        />
        {saving > 0 && <Badge variant="light">{t('pricing.saving_up_to', { percent: saving })}</Badge>}
      </Group>
      {hasCurrencies && (
        <SegmentedControl
          aria-label={t('pricing.currency')}
          value={currency}
          onChange={(value) => onChange({ currency: value })}
          data={currencies.map((value) => ({ value, label: t(`pricing.currencies.${value}`) }))}
        />
      )}
    </div>
  )
}
