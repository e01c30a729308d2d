import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Currency, type Period, savingOf } from '../format'
import type { PlanFormState } from './form-values'
import { parsePrice } from './form-values'

export function PriceFields({ form, currency }: { form: PlanFormState; currency: Currency }) {
  const { t } = useTranslation()
  const { monthly, yearly } = form.values.prices[currency]
  const month = parsePrice(monthly)
  const year = parsePrice(yearly)
  const saving = month !== undefined && year !== undefined ? savingOf({ monthly: month, yearly: year }) : 0
  const isDearer = month !== undefined && year !== undefined && year > month * 12
  const symbol = currency === 'try' ? '₺' : '$'
  const field = (period: Period) => ({
    label: t(`admin.plans.price.${currency}_${period}`),
    inputMode: 'decimal' as const,
    maxLength: 12,
    autoComplete: 'off',
    leftSection: (
      <Text span c="dimmed" aria-hidden="true">
        {symbol}
      </Text>
    ),
    required: true,
    ...form.getInputProps(`prices.${currency}.${period}`),
  })
  return (
    <div>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput {...field('monthly')} />
        <TextInput {...field('yearly')} />
      </SimpleGrid>
      <Text fz="sm" c="dimmed" mt={6} role="status">
        {saving > 0 && t('admin.plans.year_saves', { percent: saving })}
        {isDearer && t('admin.plans.year_dearer')}
      </Text>
    </div>
  )
}
