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
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api, isStatus, queryClient, tagged } from '../../api'
import { SaveProblem } from '../../ui/SaveProblem'
import { NotFoundScreen, PageHead, Problem } from '../../ui/screens'
import { Unsaved } from '../../ui/Unsaved'
import { useOnce } from '../../ui/useOnce'
import { useSubmit } from '../../ui/useSubmit'
import { useTell } from '../../ui/useTell'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { FeatureFields } from './FeatureFields'
import { type Currency, currencies, type Period, periods, savingOf } from './format'
import { LimitFields } from './LimitFields'
import { MetadataFields } from './MetadataFields'
import classes from './PlanForm.module.css'
import { PriceCard } from './PriceCard'
import { adminPlanQuery, type Entitlement, entitlements, type Plan, readAnew } from './queries'
import { wordOf } from './words'
import {
  bodyOf,
  changeOf,
  codeFor,
  copyOf,
  faultsOf,
  merged,
  newValues,
  type PlanValues,
  partProblems,
  priceOf,
  valuesOf,
} from './writing'

const newRoute = getRouteApi('/inside/shell/admin/plans/new')
const editRoute = getRouteApi('/inside/shell/admin/plans/$plan')

type Known = { record: Plan; etag: string }

export function NewPlanPage() {
  const { t } = useTranslation()
  useTitle(t('desk.plans.new'))
  const { from } = newRoute.useSearch()
  const model = useQuery({ ...adminPlanQuery(from ?? ''), enabled: from !== undefined })
  return (
    <>
      <PageHead
        title={t('desk.plans.new')}
        about={model.data ? t('desk.plans.new_from', { name: model.data.record.name }) : t('desk.plans.new_about')}
      />
      {from && model.error && <Problem error={model.error} onRetry={() => model.refetch()} />}
      {from && model.isPending && <Waiting lines={3} height={160} />}
      {!from && <PlanForm key="new" />}
      {from && model.data && <PlanForm key={from} start={copyOf(model.data.record)} />}
    </>
  )
}

export function EditPlanPage() {
  const { t } = useTranslation()
  const { plan: code } = editRoute.useParams()
  // A form is filled with what is there now, not with what was read a while ago.
  const plan = useQuery({ ...adminPlanQuery(code), staleTime: 0 })
  const ready = plan.isFetchedAfterMount && plan.data
  const name = plan.data?.record.name ?? code
  useTitle(name)
  if (!plan.data && (isStatus(plan.error, 404) || isStatus(plan.error, 400))) return <NotFoundScreen />
  return (
    <>
      <PageHead title={name} about={t('desk.plans.edit_about')} />
      {plan.error && <Problem error={plan.error} onRetry={() => plan.refetch()} />}
      {!ready && !plan.error && <Waiting lines={3} height={160} />}
      {ready && <PlanForm key={code} plan={plan.data} />}
    </>
  )
}

/** Makes a plan, or changes the one that is given, beside the card that people will see. */
function PlanForm({ plan, start }: { plan?: Known; start?: PlanValues }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [base, setBase] = useState(plan)
  const [before, setBefore] = useState(() => (plan ? valuesOf(plan.record) : (start ?? newValues())))
  // As long as nobody has chosen a code, it follows the name.
  const [ownCode, setOwnCode] = useState(plan !== undefined)
  const form = useForm<PlanValues>({ initialValues: before, validate: (values) => faultsOf(t, values) })
  const { values } = form
  const once = useOnce()
  const save = useSubmit<PlanValues, Known | Plan>(form, {
    at: { plan_code_taken: 'code' },
    mutationFn: (values) => {
      if (base)
        return tagged(
          api.PATCH('/api/v1/admin/plans/{code}', {
            params: { path: { code: base.record.code } },
            body: changeOf(values, before),
            headers: { 'if-match': base.etag },
          }),
        )
      const body = bodyOf(values)
      return once(body, (headers) => answered(api.POST('/api/v1/admin/plans', { body, headers })))
    },
    onSuccess: (saved) => {
      const { code, name } = 'etag' in saved ? saved.record : saved
      if ('etag' in saved) queryClient.setQueryData(adminPlanQuery(code).queryKey, saved)
      void readAnew()
      notifications.show({ message: t(base ? 'desk.plans.saved' : 'desk.plans.created', { name }) })
      return navigate({ to: '/admin/plans', ignoreBlocker: true })
    },
    onError: (error) => {
      for (const [path, said] of Object.entries(partProblems(t, error, form.values))) {
        form.clearFieldError(path.split('.')[0] ?? '')
        form.setFieldError(path, said)
      }
    },
  })
  const readAgain = useMutation({
    mutationFn: (code: string) => queryClient.fetchQuery({ ...adminPlanQuery(code), staleTime: 0 }),
    onSuccess: (now) => {
      const current = valuesOf(now.record)
      setBase(now)
      setBefore(current)
      form.setInitialValues(current)
      form.setValues(merged(form.values, before, current))
      save.reset()
    },
    onError: useTell(),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { errors, hasErrors } = form.validate()
    if (!hasErrors) return save.onSubmit(event)
    event.preventDefault()
    const paths = new Set(Object.keys(errors))
    const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-path]')]
    fields.find(({ dataset }) => paths.has(dataset.path ?? ''))?.focus()
  }
  const changed = Object.keys(changeOf(values, before)).length > 0 || (!base && values.code !== before.code)
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.beside}>
        <Stack gap="lg" miw={0}>
          <Part title={t('desk.plans.part_general')}>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={t('desk.plans.name')}
                description={t('desk.plans.name_about')}
                maxLength={80}
                autoComplete="off"
                required
                {...form.getInputProps('name')}
                onChange={({ currentTarget: { value: name } }) => {
                  form.setFieldValue('name', name)
                  if (!ownCode) form.setFieldValue('code', codeFor(name))
                }}
              />
              <TextInput
                label={t('desk.plans.code')}
                description={t(base ? 'desk.plans.code_fixed' : 'desk.plans.code_about')}
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
              label={t('desk.plans.description')}
              description={t('desk.plans.description_about')}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={500}
              {...form.getInputProps('description')}
            />
            <Switch
              label={t('desk.plans.is_public')}
              description={t('desk.plans.is_public_about')}
              {...form.getInputProps('is_public', { type: 'checkbox' })}
            />
            <Switch
              label={t('desk.plans.is_featured')}
              description={t('desk.plans.is_featured_about')}
              {...form.getInputProps('is_featured', { type: 'checkbox' })}
            />
          </Part>
          <Part title={t('desk.plans.part_prices')} about={t('desk.plans.prices_about')}>
            <Prices form={form} currency="try" />
            <Switch
              label={t('desk.plans.in_dollars')}
              description={t('desk.plans.in_dollars_about')}
              {...form.getInputProps('in_dollars', { type: 'checkbox' })}
            />
            {values.in_dollars && <Prices form={form} currency="usd" />}
            <TextInput
              label={t('desk.plans.trial_days')}
              description={t('desk.plans.trial_days_about')}
              inputMode="numeric"
              maxLength={5}
              autoComplete="off"
              maw={260}
              {...form.getInputProps('trial_days')}
            />
          </Part>
          <Part title={t('desk.plans.part_limits')} about={t('desk.plans.limits_about')}>
            <LimitFields form={form} />
          </Part>
          <Part title={t('desk.plans.part_features')} about={t('desk.plans.features_about')}>
            <FeatureFields form={form} />
          </Part>
          <Part title={t('desk.plans.part_entitlements')} about={t('desk.plans.entitlements_about')}>
            <Checkbox.Group
              aria-label={t('desk.plans.part_entitlements')}
              value={values.entitlements}
              onChange={(chosen) => form.setFieldValue('entitlements', chosen as Entitlement[])}
              error={form.errors.entitlements}
            >
              <Stack gap="sm">
                {entitlements.map((entitlement) => (
                  <Checkbox
                    key={entitlement}
                    value={entitlement}
                    label={t(`pricing.entitlement.${wordOf(entitlement)}`)}
                    description={t(`pricing.about_entitlement.${wordOf(entitlement)}`)}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          </Part>
          <Part title={t('desk.plans.part_metadata')} about={t('desk.plans.metadata_about')}>
            <MetadataFields form={form} />
          </Part>
        </Stack>
        <Preview values={values} />
      </div>
      <Stack mt="lg">
        <SaveProblem
          problem={save.problem}
          conflict={t('desk.plans.conflict_detail')}
          onLoad={base && (() => readAgain.mutate(base.record.code))}
          loading={readAgain.isPending}
        />
        <div className={classes.save}>
          <Button variant="default" renderRoot={(props) => <Link to="/admin/plans" {...props} />}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={base && !changed}>
            {t(base ? 'desk.plans.save' : 'desk.plans.create')}
          </Button>
        </div>
      </Stack>
      <Unsaved when={() => changed && !save.isSuccess} />
    </form>
  )
}

export type PlanFormOf = UseFormReturnType<PlanValues, PlanValues, (values: PlanValues) => FormErrors>

function Prices({ form, currency }: { form: PlanFormOf; currency: Currency }) {
  const { t } = useTranslation()
  const { monthly, yearly } = form.values.prices[currency]
  const month = priceOf(monthly)
  const year = priceOf(yearly)
  const saving = month !== undefined && year !== undefined ? savingOf({ monthly: month, yearly: year }) : 0
  const isDearer = month !== undefined && year !== undefined && year > month * 12
  const symbol = currency === 'try' ? '₺' : '$'
  const field = (period: Period) => ({
    label: t(`desk.plans.price.${currency}_${period}`),
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
        {saving > 0 && t('desk.plans.year_saves', { percent: saving })}
        {isDearer && t('desk.plans.year_dearer')}
      </Text>
    </div>
  )
}

/** The card of the pricing page, as it will be. */
function Preview({ values }: { values: PlanValues }) {
  const { t } = useTranslation()
  const [currency, setCurrency] = useState<Currency>('try')
  const [period, setPeriod] = useState<Period>('monthly')
  const offer = { ...bodyOf(values), name: values.name.trim() || t('desk.plans.nameless') }
  return (
    <section className={classes.preview} aria-label={t('desk.plans.preview')}>
      <Text fw={600}>{t('desk.plans.preview')}</Text>
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
          {t('desk.plans.preview_hidden')}
        </Text>
      )}
    </section>
  )
}

const Part = ({ title, about, children }: { title: string; about?: string; children: ReactNode }) => (
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
