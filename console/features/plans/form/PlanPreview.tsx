import { Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Currency, currencies, type Period, periods } from '../format'
import { PriceCard } from '../pricing/PriceCard'
import { type PlanValues, toBody } from './form-values'
import classes from './PlanForm.module.css'

/** Previews the card of the pricing page. */
export function PlanPreview({ values }: { values: PlanValues }) {
  const { t } = useTranslation()
  const [currency, setCurrency] = useState<Currency>('try')
  const [period, setPeriod] = useState<Period>('monthly')
  const offer = { ...toBody(values), name: values.name.trim() || t('admin.plans.name_missing') }
  return (
    <section className={classes.preview} aria-label={t('admin.plans.preview')}>
      <Text fw={600}>{t('admin.plans.preview')}</Text>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('pricing.period')}
          value={period}
          onChange={setPeriod}
          data={periods.map((value) => ({ value, label: t(`pricing.periods.${value}`) }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('pricing.currency')}
          value={currency}
          onChange={setCurrency}
          data={currencies.map((value) => ({ value, label: value.toUpperCase() }))}
        />
      </Group>
      <PriceCard plan={offer} currency={currency} period={period} order={3} />
      {!values.is_public && (
        <Text fz="sm" c="dimmed">
          {t('admin.plans.preview_hidden')}
        </Text>
      )}
    </section>
  )
}
