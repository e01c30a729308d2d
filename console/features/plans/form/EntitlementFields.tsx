import { Checkbox, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Entitlement, entitlements } from '../queries'
import type { PlanFormState } from './form-values'

/** The parts of Meydan that the plan includes. */
export function EntitlementFields({ form }: { form: PlanFormState }) {
  const { t } = useTranslation()
  return (
    <Checkbox.Group
      aria-label={t('admin.plans.part_entitlements')}
      value={form.values.entitlements}
      onChange={(chosen) => form.setFieldValue('entitlements', chosen as Entitlement[])}
      error={form.errors.entitlements}
    >
      <Stack gap="sm">
        {entitlements.map((entitlement) => (
          <Checkbox
            key={entitlement}
            value={entitlement}
            label={t(`pricing.entitlement.${entitlement}`)}
            description={t(`pricing.about_entitlement.${entitlement}`)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
