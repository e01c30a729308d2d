import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { type GetInputPropsReturnType, useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DAY } from '../../../shared/time'
import { queryClient, unwrap, workspaceApi } from '../../api'
import { DialogActions } from '../../ui/dialog/DialogActions'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { LazyPicker } from '../../ui/fields/LazyPicker'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { useFormat } from '../../ui/text/format'
import { fromWall, moveDay, today } from '../../ui/text/time-zone'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { type CreatedApiToken, type ScopeInfo, scopesQuery, tokensQuery } from './queries'
import { ScopePicker } from './ScopePicker'
import { TokenDialog } from './TokenDialog'

/** First the token's permissions, then the token itself, shown once. */
export function CreateToken({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [created, setCreated] = useState<CreatedApiToken>()
  const scopes = useQuery({ ...scopesQuery(slug), enabled: opened })
  return (
    <TokenDialog
      opened={opened}
      onClose={onClose}
      onClosed={() => setCreated(undefined)}
      title={t('tokens.new')}
      made={created}
      onRotated={setCreated}
    >
      {scopes.error && <ProblemAlert error={scopes.error} onRetry={() => scopes.refetch()} />}
      {scopes.isPending && <LoadingSkeleton lines={3} />}
      {scopes.data && <NewTokenForm scopes={scopes.data} onCreated={setCreated} />}
    </TokenDialog>
  )
}

/** Focuses the field on mount: the dialog opens before the scopes are loaded. */
const focusField = (field: HTMLInputElement | null) => {
  field?.focus()
}

const loadPicker = () => import('./ExpiryDatePicker')
const ExpiryDatePicker = lazy(loadPicker)

const expiries = ['30', '90', '365', 'never', 'date'] as const

function NewTokenForm({ scopes, onCreated }: { scopes: ScopeInfo[]; onCreated: (token: CreatedApiToken) => void }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug, timezone } = workspace
  const format = useFormat(timezone)
  // Fixed, so that a retry with the same choice sends the same expiry.
  const [opened] = useState(() => new Date())
  const once = useIdempotencyKey()
  const form = useForm({
    initialValues: {
      name: '',
      scopes: scopes
        .filter(({ scope, role }) => scope.endsWith(':read') && isAtLeast(workspace, role))
        .map(({ scope }) => scope),
      where: 'here',
      expires_at: '90',
      date: moveDay(today(timezone), 30),
    },
  })
  const { expires_at, date } = form.values
  const endOf = (choice: string, day: string) => {
    if (choice === 'never') return null
    if (choice === 'date') return fromWall(timezone, `${day} 23:59:59`)
    return new Date(opened.getTime() + Number(choice) * DAY)
  }
  const end = endOf(expires_at, date)
  const create = useFormSubmit(form, {
    mutationFn: (values) => {
      const body = {
        name: values.name,
        scopes: values.scopes,
        expires_at: endOf(values.expires_at, values.date)?.toISOString() ?? null,
        ...(values.where === 'everywhere' && { team_id: null }),
      }
      return once(body, (headers) => unwrap(workspaceApi(slug).POST('/api/v1/api-tokens', { body, headers })))
    },
    onSuccess: (token) => {
      onCreated(token)
      void queryClient.invalidateQueries({ queryKey: tokensQuery(slug).queryKey })
    },
  })
  return (
    <form onSubmit={create.onSubmit} noValidate>
      <Stack>
        {create.problem && <ProblemAlert error={create.problem} />}
        <TextInput
          label={t('tokens.name')}
          description={t('tokens.name_about')}
          maxLength={80}
          required
          autoComplete="off"
          ref={focusField}
          {...form.getInputProps('name')}
        />
        <ScopePicker
          scopes={scopes}
          value={form.values.scopes}
          onChange={(chosen) => form.setFieldValue('scopes', chosen)}
          error={form.errors.scopes}
        />
        {form.values.scopes.length === 0 && (
          <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('tokens.warn')}>
            {t('tokens.warn_detail')}
          </Alert>
        )}
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select
            label={t('tokens.where')}
            allowDeselect={false}
            miw={200}
            data={[
              { value: 'here', label: t('tokens.here_named', { name: workspace.name }) },
              { value: 'everywhere', label: t('tokens.everywhere') },
            ]}
            {...form.getInputProps('where')}
          />
          <Select
            label={t('tokens.end')}
            allowDeselect={false}
            miw={200}
            data={expiries.map((value) => ({ value, label: t(`tokens.end_${value}`) }))}
            {...form.getInputProps('expires_at')}
          />
        </Group>
        {expires_at === 'date' && (
          <ExpiryDateField shown={end ? format.date(end) : ''} input={form.getInputProps('date')} />
        )}
        <DialogActions justify="space-between">
          <Text c="dimmed" fz="sm" flex={1} miw={180}>
            {end ? t('tokens.ends', { date: format.date(end) }) : t('tokens.ends_never')}
          </Text>
          <Button type="submit" loading={create.isPending}>
            {t('tokens.create')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}

type ExpiryDateFieldProps = { shown: string; input: GetInputPropsReturnType }

function ExpiryDateField({ shown, input }: ExpiryDateFieldProps) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  return (
    <LazyPicker
      label={t('tokens.end_day')}
      size="md"
      isSet
      preload={loadPicker}
      picker={(ref) => (
        <ExpiryDatePicker
          label={t('tokens.end_day')}
          size="md"
          minDate={today(timezone)}
          maxDate={moveDay(today(timezone), 5 * 365)}
          valueFormatter={() => shown}
          {...input}
          ref={ref}
        />
      )}
    >
      {shown}
    </LazyPicker>
  )
}
