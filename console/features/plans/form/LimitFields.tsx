import { Switch, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Meter, meters } from '../queries'
import type { PlanFormState } from './form-values'
import classes from './PlanForm.module.css'

/** The limit of each meter in a workspace: a number or unlimited. */
export function LimitFields({ form }: { form: PlanFormState }) {
  return meters.map((meter) => <LimitField key={meter} form={form} meter={meter} />)
}

function LimitField({ form, meter }: { form: PlanFormState; meter: Meter }) {
  const { t } = useTranslation()
  const { unlimited } = form.values.limits[meter]
  const name = t(`pricing.line.${meter}`)
  const path = `limits.${meter}.amount`
  return (
    <div className={classes.limit}>
      <TextInput
        label={name}
        description={meter === 'storage_mb' ? t('admin.plans.storage_about') : t(`pricing.about_limit.${meter}`)}
        inputMode="numeric"
        maxLength={13}
        rightSection={
          meter === 'storage_mb' &&
          !unlimited && (
            <Text span c="dimmed" fz="sm">
              MB
            </Text>
          )
        }
        autoComplete="off"
        required={!unlimited}
        disabled={unlimited}
        placeholder={unlimited ? t('usage.unlimited') : undefined}
        {...form.getInputProps(path)}
        value={unlimited ? '' : form.values.limits[meter].amount}
      />
      <Switch
        label={t('admin.plans.unlimited')}
        aria-label={t('admin.plans.unlimited_one', { name })}
        checked={unlimited}
        onChange={({ currentTarget: { checked } }) => {
          form.clearFieldError(path)
          form.setFieldValue(`limits.${meter}.unlimited`, checked)
        }}
      />
    </div>
  )
}
