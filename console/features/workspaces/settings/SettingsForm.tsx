import { Alert, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrapWithEtag, type Workspace, workspaceApi } from '../../../api'
import { type Language, languages } from '../../../i18n'
import { FormSection } from '../../../ui/forms/FormSection'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { type Loaded, type RecordForm, useRecordForm } from '../../../ui/forms/useRecordForm'
import { usageQuery } from '../../plans/queries'
import { WorkspaceNameField, ZoneField } from '../fields'
import { copyCachedWorkspace, settingsQuery, workspacesQuery } from '../queries'
import { AppearanceFields } from './AppearanceFields'
import { addressFields, changedFields, currencies, isChanged, type SettingsValues, toFormValues } from './form-values'
import { HolidayCountryField } from './HolidayCountryField'

type State = RecordForm<SettingsValues, Workspace>

export function SettingsForm({ settings, mayChange }: { settings: Loaded<Workspace>; mayChange: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const state: State = useRecordForm({
    start: settings,
    query: ({ slug }: Workspace) => settingsQuery(slug),
    toValues: toFormValues,
    toPatch: changedFields,
    isChanged,
    at: { workspace_name_taken: 'name', workspace_slug_taken: 'slug' },
    update: (body, { record: { slug }, etag }) =>
      unwrapWithEtag(workspaceApi(slug).PATCH('/api/v1/workspace', { body, headers: { 'if-match': etag } })),
    onUpdated: async ({ record }, { record: former }) => {
      notifications.show({ message: t('settings.saved') })
      const { queryKey } = workspacesQuery
      const others = (queryClient.getQueryData(queryKey) ?? []).filter(({ id }) => id !== record.id)
      copyCachedWorkspace(former, record)
      queryClient.setQueryData(queryKey, [...others, record])
      if (record.slug !== former.slug)
        await navigate({
          to: '/w/$workspace/settings',
          params: { workspace: record.slug },
          replace: true,
          ignoreBlocker: true,
        })
      await queryClient.invalidateQueries({ queryKey })
    },
  })
  const { record } = state.base ?? settings
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <Stack gap="lg">
        <GeneralFields state={state} readOnly={!mayChange} />
        <BillingFields state={state} readOnly={!mayChange} workspace={record} />
        {mayChange && (
          <RecordFormActions
            state={state}
            save={t('settings.save')}
            conflict={{
              title: t('settings.conflict'),
              detail: <Text>{t('settings.conflict_detail')}</Text>,
              load: t('settings.conflict_load'),
            }}
          />
        )}
      </Stack>
    </form>
  )
}

const fieldProps =
  ({ form }: State, readOnly: boolean) =>
  (key: keyof SettingsValues) => ({
    ...form.getInputProps(key),
    readOnly,
  })

/** The workspace's name and address, and its region. */
function GeneralFields({ state, readOnly }: { state: State; readOnly: boolean }) {
  const { t } = useTranslation()
  const { form, before } = state
  const field = fieldProps(state, readOnly)
  return (
    <>
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
      <AppearanceFields state={state} readOnly={readOnly} />
      <FormSection title={t('settings.region')}>
        <ZoneField {...field('timezone')} />
        <HolidayCountryField timezone={form.values.timezone} {...field('holiday_country')} />
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
    </>
  )
}

type BillingProps = { state: State; readOnly: boolean; workspace: Workspace }

function BillingFields({ state, readOnly, workspace: { slug } }: BillingProps) {
  const { t } = useTranslation()
  const plan = useQuery(usageQuery(slug)).data?.plan
  const field = fieldProps(state, readOnly)
  return (
    <FormSection title={t('settings.billing')} about={t('settings.billing_about')}>
      <Group gap="xs">
        <Text fw={500}>{t('settings.plan')}</Text>
        <Text c="dimmed">{plan?.name ?? '–'}</Text>
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
  )
}
