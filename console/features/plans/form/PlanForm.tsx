import { Stack, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, unwrap, unwrapWithEtag } from '../../../api'
import { FormSection } from '../../../ui/forms/FormSection'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { type Loaded, useRecordForm } from '../../../ui/forms/useRecordForm'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { adminPlanQuery, invalidatePlans, type Plan } from '../queries'
import { EntitlementFields } from './EntitlementFields'
import { FeatureFields } from './FeatureFields'
import {
  changedFields,
  isChanged,
  mergeChanges,
  nestedFieldProblems,
  type PlanValues,
  toBody,
  toFormValues,
  validatePlan,
} from './form-values'
import { GeneralFields } from './GeneralFields'
import { LimitFields } from './LimitFields'
import { MetadataFields } from './MetadataFields'
import classes from './PlanForm.module.css'
import { PlanPreview } from './PlanPreview'
import { PriceFields } from './PriceFields'

type Start = Loaded<Plan> | { values: PlanValues }

/** Creates a plan or changes the given one, with a preview of its price card. */
export function PlanForm({ start }: { start: Start }) {
  const { t } = useTranslation()
  const state = usePlanForm(start)
  const { form, base } = state
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <div className={classes.beside}>
        <Stack gap="lg" miw={0}>
          <GeneralFields form={form} isNew={!base} />
          <FormSection title={t('admin.plans.part_prices')} about={t('admin.plans.prices_about')}>
            <PriceFields form={form} currency="try" />
            <Switch
              label={t('admin.plans.in_dollars')}
              description={t('admin.plans.in_dollars_about')}
              {...form.getInputProps('in_dollars', { type: 'checkbox' })}
            />
            {form.values.in_dollars && <PriceFields form={form} currency="usd" />}
            <TextInput
              label={t('admin.plans.trial_days')}
              description={t('admin.plans.trial_days_about')}
              inputMode="numeric"
              maxLength={5}
              autoComplete="off"
              maw={260}
              {...form.getInputProps('trial_days')}
            />
          </FormSection>
          <FormSection title={t('admin.plans.part_limits')} about={t('admin.plans.limits_about')}>
            <LimitFields form={form} />
          </FormSection>
          <FormSection title={t('admin.plans.part_features')} about={t('admin.plans.features_about')}>
            <FeatureFields form={form} />
          </FormSection>
          <FormSection title={t('admin.plans.part_entitlements')} about={t('admin.plans.entitlements_about')}>
            <EntitlementFields form={form} />
          </FormSection>
          <FormSection title={t('admin.plans.part_metadata')} about={t('admin.plans.metadata_about')}>
            <MetadataFields form={form} />
          </FormSection>
        </Stack>
        <PlanPreview values={form.values} />
      </div>
      <Stack mt="lg">
        <RecordFormActions
          state={state}
          save={t(base ? 'admin.plans.save' : 'admin.plans.create')}
          conflict={{ detail: t('admin.plans.conflict_detail') }}
          cancel={
            <ButtonLink variant="default" to="/admin/plans">
              {t('ui.cancel')}
            </ButtonLink>
          }
        />
      </Stack>
    </form>
  )
}

function usePlanForm(start: Start) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  const leave = (message: string) => {
    void invalidatePlans()
    notifications.show({ message })
    return navigate({ to: '/admin/plans', ignoreBlocker: true })
  }
  return useRecordForm({
    start,
    query: ({ code }: Plan) => adminPlanQuery(code),
    toValues: toFormValues,
    toPatch: changedFields,
    isChanged,
    merge: mergeChanges,
    validate: (values) => validatePlan(t, values),
    at: { plan_code_taken: 'code' },
    partProblems: (error, values) => nestedFieldProblems(t, error, values),
    update: (body, { record: { code }, etag }) =>
      unwrapWithEtag(
        api.PATCH('/api/v1/admin/plans/{code}', { params: { path: { code } }, body, headers: { 'if-match': etag } }),
      ),
    onUpdated: ({ record: { name } }) => leave(t('admin.plans.saved', { name })),
    create: (values) => {
      const body = toBody(values)
      return once(body, (headers) => unwrap(api.POST('/api/v1/admin/plans', { body, headers })))
    },
    onCreated: ({ name }) => leave(t('admin.plans.created', { name })),
  })
}
