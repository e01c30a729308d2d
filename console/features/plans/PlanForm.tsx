import {
  Button,
  Card,
  Checkbox,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, isStatus, queryClient, unwrap, unwrapWithEtag } from '../../api'
import { NotFoundPage } from '../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { SaveProblemAlert } from '../../ui/forms/SaveProblemAlert'
import { UnsavedChangesGuard } from '../../ui/forms/UnsavedChangesGuard'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { FeatureFields } from './FeatureFields'
import {
  changedFields,
  codeFromName,
  mergeChanges,
  nestedFieldProblems,
  newValues,
  type PlanValues,
  parsePrice,
  toBody,
  toCopy,
  toFormValues,
  validatePlan,
} from './form-values'
import { type Currency, currencies, type Period, periods, savingOf } from './format'
import { LimitFields } from './LimitFields'
import { entitlementLabelKey } from './labels'
import { MetadataFields } from './MetadataFields'
import classes from './PlanForm.module.css'
import { PriceCard } from './PriceCard'
import { adminPlanQuery, type Entitlement, entitlements, invalidatePlans, type Plan } from './queries'

const newRoute = getRouteApi('/signed-in/shell/admin/plans/new')
const editRoute = getRouteApi('/signed-in/shell/admin/plans/$plan')

type LoadedPlan = { record: Plan; etag: string }

export function NewPlanPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('admin.plans.new'))
  const { from } = newRoute.useSearch()
  const model = useQuery({ ...adminPlanQuery(from ?? ''), enabled: from !== undefined })
  return (
    <>
      <PageHeader
        title={t('admin.plans.new')}
        about={model.data ? t('admin.plans.new_from', { name: model.data.record.name }) : t('admin.plans.new_about')}
      />
      {from && model.error && <ProblemAlert error={model.error} onRetry={() => model.refetch()} />}
      {from && model.isPending && <LoadingSkeleton lines={3} height={160} />}
      {!from && <PlanForm key="new" />}
      {from && model.data && <PlanForm key={from} start={toCopy(model.data.record)} />}
    </>
  )
}

export function EditPlanPage() {
  const { t } = useTranslation()
  const { plan: code } = editRoute.useParams()
  // Fills the form with the current record, not with a cached one.
  const plan = useQuery({ ...adminPlanQuery(code), staleTime: 0 })
  const ready = plan.isFetchedAfterMount && plan.data
  const name = plan.data?.record.name ?? code
  useDocumentTitle(name)
  if (!plan.data && (isStatus(plan.error, 404) || isStatus(plan.error, 400))) return <NotFoundPage />
  return (
    <>
      <PageHeader title={name} about={t('admin.plans.edit_about')} />
      {plan.error && <ProblemAlert error={plan.error} onRetry={() => plan.refetch()} />}
      {!ready && !plan.error && <LoadingSkeleton lines={3} height={160} />}
      {ready && <PlanForm key={code} plan={plan.data} />}
    </>
  )
}

/** Creates a plan or changes the given one, with a preview of its price card. */
function PlanForm({ plan, start }: { plan?: LoadedPlan; start?: PlanValues }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [base, setBase] = useState(plan)
  const [before, setBefore] = useState(() => (plan ? toFormValues(plan.record) : (start ?? newValues())))
  // Until the user enters a code, it follows the name.
  const [ownCode, setOwnCode] = useState(plan !== undefined)
  const form = useForm<PlanValues>({ initialValues: before, validate: (values) => validatePlan(t, values) })
  const { values } = form
  const once = useIdempotencyKey()
  const save = useFormSubmit<PlanValues, LoadedPlan | Plan>(form, {
    at: { plan_code_taken: 'code' },
    mutationFn: (values) => {
      if (base)
        return unwrapWithEtag(
          api.PATCH('/api/v1/admin/plans/{code}', {
            params: { path: { code: base.record.code } },
            body: changedFields(values, before),
            headers: { 'if-match': base.etag },
          }),
        )
      const body = toBody(values)
      return once(body, (headers) => unwrap(api.POST('/api/v1/admin/plans', { body, headers })))
    },
    onSuccess: (saved) => {
      const { code, name } = 'etag' in saved ? saved.record : saved
      if ('etag' in saved) queryClient.setQueryData(adminPlanQuery(code).queryKey, saved)
      void invalidatePlans()
      notifications.show({ message: t(base ? 'admin.plans.saved' : 'admin.plans.created', { name }) })
      return navigate({ to: '/admin/plans', ignoreBlocker: true })
    },
    onError: (error) => {
      for (const [path, said] of Object.entries(nestedFieldProblems(t, error, form.values))) {
        form.clearFieldError(path.split('.')[0] ?? '')
        form.setFieldError(path, said)
      }
    },
  })
  const readAgain = useMutation({
    mutationFn: (code: string) => queryClient.fetchQuery({ ...adminPlanQuery(code), staleTime: 0 }),
    onSuccess: (now) => {
      const current = toFormValues(now.record)
      setBase(now)
      setBefore(current)
      form.setInitialValues(current)
      form.setValues(mergeChanges(form.values, before, current))
      save.reset()
    },
    onError: useErrorNotification(),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { errors, hasErrors } = form.validate()
    if (!hasErrors) return save.onSubmit(event)
    event.preventDefault()
    const paths = new Set(Object.keys(errors))
    const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-path]')]
    fields.find(({ dataset }) => paths.has(dataset.path ?? ''))?.focus()
  }
  const changed = Object.keys(changedFields(values, before)).length > 0 || (!base && values.code !== before.code)
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.beside}>
        <Stack gap="lg" miw={0}>
          <FormSection title={t('admin.plans.part_general')}>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={t('admin.plans.name')}
                description={t('admin.plans.name_about')}
                maxLength={80}
                autoComplete="off"
                required
                {...form.getInputProps('name')}
                onChange={({ currentTarget: { value: name } }) => {
                  form.setFieldValue('name', name)
                  if (!ownCode) form.setFieldValue('code', codeFromName(name))
                }}
              />
              <TextInput
                label={t('admin.plans.code')}
                description={t(base ? 'admin.plans.code_fixed' : 'admin.plans.code_about')}
                maxLength={40}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                required={!base}
                readOnly={base !== undefined}
                {...form.getInputProps('code')}
                onChange={({ currentTarget: { value: code } }) => {
                  setOwnCode(code !== '')
                  form.setFieldValue('code', code)
                }}
              />
            </SimpleGrid>
            <Textarea
              label={t('admin.plans.description')}
              description={t('admin.plans.description_about')}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={500}
              {...form.getInputProps('description')}
            />
            <Switch
              label={t('admin.plans.is_public')}
              description={t('admin.plans.is_public_about')}
              {...form.getInputProps('is_public', { type: 'checkbox' })}
            />
            <Switch
              label={t('admin.plans.is_featured')}
              description={t('admin.plans.is_featured_about')}
              {...form.getInputProps('is_featured', { type: 'checkbox' })}
            />
          </FormSection>
          <FormSection title={t('admin.plans.part_prices')} about={t('admin.plans.prices_about')}>
            <PriceFields form={form} currency="try" />
            <Switch
              label={t('admin.plans.in_dollars')}
              description={t('admin.plans.in_dollars_about')}
              {...form.getInputProps('in_dollars', { type: 'checkbox' })}
            />
            {values.in_dollars && <PriceFields form={form} currency="usd" />}
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
            <Checkbox.Group
              aria-label={t('admin.plans.part_entitlements')}
              value={values.entitlements}
              onChange={(chosen) => form.setFieldValue('entitlements', chosen as Entitlement[])}
              error={form.errors.entitlements}
            >
              <Stack gap="sm">
                {entitlements.map((entitlement) => (
                  <Checkbox
                    key={entitlement}
                    value={entitlement}
                    label={t(`pricing.entitlement.${entitlementLabelKey(entitlement)}`)}
                    description={t(`pricing.about_entitlement.${entitlementLabelKey(entitlement)}`)}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          </FormSection>
          <FormSection title={t('admin.plans.part_metadata')} about={t('admin.plans.metadata_about')}>
            <MetadataFields form={form} />
          </FormSection>
        </Stack>
        <PlanPreview values={values} />
      </div>
      <Stack mt="lg">
        <SaveProblemAlert
          problem={save.problem}
          conflict={t('admin.plans.conflict_detail')}
          onLoad={base && (() => readAgain.mutate(base.record.code))}
          loading={readAgain.isPending}
        />
        <div className={classes.save}>
          <ButtonLink to="/admin/plans" variant="default">
            {t('ui.cancel')}
          </ButtonLink>
          <Button type="submit" loading={save.isPending} disabled={base && !changed}>
            {t(base ? 'admin.plans.save' : 'admin.plans.create')}
          </Button>
        </div>
      </Stack>
      <UnsavedChangesGuard when={() => changed && !save.isSuccess} />
    </form>
  )
}

export type PlanFormState = UseFormReturnType<PlanValues, PlanValues, (values: PlanValues) => FormErrors>

function PriceFields({ form, currency }: { form: PlanFormState; currency: Currency }) {
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

/** Previews the card of the pricing page. */
function PlanPreview({ values }: { values: PlanValues }) {
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

const FormSection = ({ title, about, children }: { title: string; about?: string; children: ReactNode }) => (
  <Card component="section" aria-label={title}>
    <Title order={2} size="h3">
      {title}
    </Title>
    {about && (
      <Text c="dimmed" fz="sm">
        {about}
      </Text>
    )}
    <Stack mt="md">{children}</Stack>
  </Card>
)
