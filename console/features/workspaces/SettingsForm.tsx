import { Alert, Button, Card, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode, queryClient, unwrapWithEtag, type Workspace, workspaceApi } from '../../api'
import { type Language, languageOf, languages } from '../../i18n'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { UnsavedChangesGuard } from '../../ui/forms/UnsavedChangesGuard'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { usageQuery } from '../plans/queries'
import { WorkspaceNameField, ZoneField } from './fields'
import { copyCachedWorkspace, settingsQuery, workspacesQuery } from './queries'

type Settings = { record: Workspace; etag: string }
type Values = ReturnType<typeof toFormValues>

const addressFields = ['name', 'line1', 'line2', 'city', 'postal', 'country', 'tax_id'] as const
const currencies = ['TRY', 'USD'] as const satisfies Workspace['default_currency'][]

function toFormValues({ name, slug, default_currency, locale, timezone, billing_address }: Workspace) {
  const address = billing_address ?? {}
  return {
    name,
    slug,
    default_currency,
    language: languageOf(locale),
    timezone,
    ...(Object.fromEntries(addressFields.map((line) => [`address_${line}`, address[line] ?? ''])) as Record<
      `address_${(typeof addressFields)[number]}`,
      string
    >),
  }
}

/** Only the changed fields: concurrent changes by others are kept. */
function changedFields(values: Values, before: Values) {
  const { name, slug, default_currency, language, timezone } = values
  const isChanged = (key: keyof Values) => values[key] !== before[key]
  return {
    ...(isChanged('name') && { name }),
    ...(isChanged('slug') && { slug }),
    ...(isChanged('default_currency') && { default_currency }),
    ...(isChanged('language') && { locale: language }),
    ...(isChanged('timezone') && { timezone }),
    ...(addressFields.some((line) => isChanged(`address_${line}`)) && {
      billing_address: Object.fromEntries(
        addressFields.map((line) => [line, values[`address_${line}`].trim()]).filter(([, text]) => text),
      ),
    }),
  }
}

export function SettingsForm({ settings, mayChange }: { settings: Settings; mayChange: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  // A refetch changes `settings`, but not the values this form started with.
  const [base, setBase] = useState(settings)
  const before = toFormValues(base.record)
  const form = useForm({ initialValues: before })
  const { slug } = base.record
  const plan = useQuery(usageQuery(slug)).data?.plan
  const save = useFormSubmit(form, {
    at: { workspace_name_taken: 'name', workspace_slug_taken: 'slug' },
    mutationFn: (values) =>
      unwrapWithEtag(
        workspaceApi(slug).PATCH('/api/v1/workspace', {
          body: changedFields(values, before),
          headers: { 'if-match': base.etag },
        }),
      ),
    onSuccess: async (saved) => {
      const { record } = saved
      setBase(saved)
      form.setInitialValues(toFormValues(record))
      form.setValues(toFormValues(record))
      queryClient.setQueryData(settingsQuery(record.slug).queryKey, saved)
      notifications.show({ message: t('settings.saved') })
      const { queryKey } = workspacesQuery
      const others = (queryClient.getQueryData(queryKey) ?? []).filter(({ id }) => id !== record.id)
      copyCachedWorkspace(base.record, record)
      queryClient.setQueryData(queryKey, [...others, record])
      if (record.slug !== slug)
        await navigate({
          to: '/w/$workspace/settings',
          params: { workspace: record.slug },
          replace: true,
          ignoreBlocker: true,
        })
      await queryClient.invalidateQueries({ queryKey })
    },
  })
  const submit = useRef<HTMLButtonElement>(null)
  /** Applies the user's changes to the current version, for review before saving. */
  const readAgain = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...settingsQuery(slug), staleTime: 0 }),
    onSuccess: (now) => {
      const current = toFormValues(now.record)
      const own = Object.entries(form.values).filter(([key, value]) => value !== before[key as keyof Values])
      setBase(now)
      form.setInitialValues(current)
      form.setValues({ ...current, ...Object.fromEntries(own) })
      save.reset()
      submit.current?.focus()
    },
    onError: useErrorNotification(),
  })
  const changed = Object.keys(changedFields(form.values, before)).length > 0
  const conflict = isCode(save.problem, 'version_conflict')
  const field = (key: keyof Values) => ({ ...form.getInputProps(key), readOnly: !mayChange })
  return (
    <form onSubmit={save.onSubmit} noValidate>
      <Stack gap="lg">
        <FormSection title={t('settings.general')}>
          <WorkspaceNameField maxLength={80} {...field('name')} />
          <TextInput
            label={t('settings.slug')}
            description={t('settings.slug_about', { address: `${location.host}/w/${form.values.slug}` })}
            maxLength={40}
            autoCapitalize="none"
            spellCheck={false}
            required
            {...field('slug')}
          />
          {form.values.slug !== before.slug && (
            <Alert color="yellow" icon={<TriangleAlert size={20} />}>
              {t('settings.slug_warning')}
            </Alert>
          )}
        </FormSection>
        <FormSection title={t('settings.region')}>
          <ZoneField {...field('timezone')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Select
              label={t('settings.language')}
              description={t('settings.language_about')}
              allowDeselect={false}
              data={(Object.keys(languages) as Language[]).map((value) => ({ value, label: languages[value] }))}
              {...field('language')}
            />
            <Select
              label={t('settings.currency')}
              description={t('settings.currency_about')}
              allowDeselect={false}
              data={currencies.map((value) => ({ value, label: t(`settings.currency_${value}`) }))}
              {...field('default_currency')}
            />
          </SimpleGrid>
        </FormSection>
        <FormSection title={t('settings.billing')} about={t('settings.billing_about')}>
          <Group gap="xs">
            <Text fw={500}>{t('settings.plan')}</Text>
            <Text c="dimmed">{plan?.name ?? base.record.plan_code}</Text>
          </Group>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {addressFields.map((line) => (
              <TextInput
                key={line}
                label={t(`settings.address_${line}`)}
                maxLength={200}
                autoComplete="off"
                {...field(`address_${line}`)}
              />
            ))}
          </SimpleGrid>
        </FormSection>
        {conflict ? (
          <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('settings.conflict')} role="alert">
            <Text>{t('settings.conflict_detail')}</Text>
            <Button
              mt="sm"
              variant="default"
              leftSection={<RefreshCw size={16} />}
              loading={readAgain.isPending}
              onClick={() => readAgain.mutate()}
            >
              {t('settings.conflict_load')}
            </Button>
          </Alert>
        ) : (
          save.problem && <ProblemAlert error={save.problem} />
        )}
        {mayChange && (
          <Group justify="flex-end">
            {changed && (
              <Button variant="default" onClick={form.reset}>
                {t('settings.undo')}
              </Button>
            )}
            <Button ref={submit} type="submit" loading={save.isPending} disabled={!changed}>
              {t('settings.save')}
            </Button>
          </Group>
        )}
      </Stack>
      <UnsavedChangesGuard when={() => changed} />
    </form>
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
