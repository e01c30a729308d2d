import { Alert, Button, Card, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode, queryClient, tagged, type Workspace, workspaceApi } from '../../api'
import { type Language, languageOf, languages } from '../../i18n'
import { Problem } from '../../ui/screens'
import { Unsaved } from '../../ui/Unsaved'
import { useSubmit } from '../../ui/useSubmit'
import { useTell } from '../../ui/useTell'
import { usageQuery } from '../plans/queries'
import { WorkspaceNameField, ZoneField } from './fields'
import { carryOver, settingsQuery, workspacesQuery } from './queries'

type Settings = { record: Workspace; etag: string }
type Values = ReturnType<typeof valuesOf>

const lines = ['name', 'line1', 'line2', 'city', 'postal', 'country', 'tax_id'] as const
const currencies = ['TRY', 'USD'] as const satisfies Workspace['default_currency'][]

function valuesOf({ name, slug, default_currency, locale, timezone, billing_address }: Workspace) {
  const address = billing_address ?? {}
  return {
    name,
    slug,
    default_currency,
    language: languageOf(locale),
    timezone,
    ...(Object.fromEntries(lines.map((line) => [`address_${line}`, address[line] ?? ''])) as Record<
      `address_${(typeof lines)[number]}`,
      string
    >),
  }
}

/** What was changed, and nothing else: what somebody else changes at the same time is theirs. */
function changeOf(values: Values, before: Values) {
  const { name, slug, default_currency, language, timezone } = values
  const isChanged = (key: keyof Values) => values[key] !== before[key]
  return {
    ...(isChanged('name') && { name }),
    ...(isChanged('slug') && { slug }),
    ...(isChanged('default_currency') && { default_currency }),
    ...(isChanged('language') && { locale: language }),
    ...(isChanged('timezone') && { timezone }),
    ...(lines.some((line) => isChanged(`address_${line}`)) && {
      billing_address: Object.fromEntries(
        lines.map((line) => [line, values[`address_${line}`].trim()]).filter(([, text]) => text),
      ),
    }),
  }
}

export function SettingsForm({ settings, mayChange }: { settings: Settings; mayChange: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  // What is read again meanwhile is not what this form was filled with.
  const [base, setBase] = useState(settings)
  const before = valuesOf(base.record)
  const form = useForm({ initialValues: before })
  const { slug } = base.record
  const plan = useQuery(usageQuery(slug)).data?.plan
  const save = useSubmit(form, {
    at: { workspace_name_taken: 'name', workspace_slug_taken: 'slug' },
    mutationFn: (values) =>
      tagged(
        workspaceApi(slug).PATCH('/api/v1/workspace', {
          body: changeOf(values, before),
          headers: { 'if-match': base.etag },
        }),
      ),
    onSuccess: async (saved) => {
      const { record } = saved
      setBase(saved)
      form.setInitialValues(valuesOf(record))
      form.setValues(valuesOf(record))
      queryClient.setQueryData(settingsQuery(record.slug).queryKey, saved)
      notifications.show({ message: t('settings.saved') })
      const { queryKey } = workspacesQuery
      const others = (queryClient.getQueryData(queryKey) ?? []).filter(({ id }) => id !== record.id)
      carryOver(base.record, record)
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
  /** What was changed here is put on top of what is there now, to be looked at and saved. */
  const readAgain = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...settingsQuery(slug), staleTime: 0 }),
    onSuccess: (now) => {
      const current = valuesOf(now.record)
      const own = Object.entries(form.values).filter(([key, value]) => value !== before[key as keyof Values])
      setBase(now)
      form.setInitialValues(current)
      form.setValues({ ...current, ...Object.fromEntries(own) })
      save.reset()
      submit.current?.focus()
    },
    onError: useTell(),
  })
  const changed = Object.keys(changeOf(form.values, before)).length > 0
  const conflict = isCode(save.problem, 'version_conflict')
  const field = (key: keyof Values) => ({ ...form.getInputProps(key), readOnly: !mayChange })
  return (
    <form onSubmit={save.onSubmit} noValidate>
      <Stack gap="lg">
        <Part title={t('settings.general')}>
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
        </Part>
        <Part title={t('settings.region')}>
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
        </Part>
        <Part title={t('settings.billing')} about={t('settings.billing_about')}>
          <Group gap="xs">
            <Text fw={500}>{t('settings.plan')}</Text>
            <Text c="dimmed">{plan?.name ?? base.record.plan_code}</Text>
          </Group>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {lines.map((line) => (
              <TextInput
                key={line}
                label={t(`settings.address_${line}`)}
                maxLength={200}
                autoComplete="off"
                {...field(`address_${line}`)}
              />
            ))}
          </SimpleGrid>
        </Part>
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
          save.problem && <Problem error={save.problem} />
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
      <Unsaved when={() => changed} />
    </form>
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
