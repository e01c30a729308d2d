import { Button, Card, Group, Stack, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, linkOptions, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, unwrapWithEtag, workspaceApi } from '../../api'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../ui/feedback/RoleRequired'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { SaveProblemAlert } from '../../ui/forms/SaveProblemAlert'
import { UnsavedChangesGuard } from '../../ui/forms/UnsavedChangesGuard'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { checklistQuery, isAtLeast, useWorkspace } from '../workspaces/queries'
import { EventPicker } from './EventPicker'
import {
  changedFields,
  headerProblems,
  headerRows,
  isOtherOrigin,
  newValues,
  toBody,
  toFormValues,
  validateWebhook,
  type WebhookValues,
} from './form-values'
import { HeaderFields } from './HeaderFields'
import { invalidateWebhooks } from './mutations'
import { type CreatedWebhook, type EventType, eventTypesQuery, type Webhook, webhookQuery } from './queries'
import { SecretDialog } from './SecretDialog'

const editRoute = getRouteApi('/signed-in/shell/w/$workspace/webhooks/$webhook/edit')

export function NewWebhookPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('webhooks.new'))
  const workspace = useWorkspace()
  const types = useQuery(eventTypesQuery(workspace.slug))
  if (!isAtLeast(workspace, 'admin')) return <RoleRequired needs="admin" />
  return (
    <>
      <PageHeader title={t('webhooks.new')} about={t('webhooks.about')} />
      {types.error && <ProblemAlert error={types.error} onRetry={() => types.refetch()} />}
      {types.isPending && <LoadingSkeleton lines={3} height={120} />}
      {types.data && <WebhookForm types={types.data} />}
    </>
  )
}

export function EditWebhookPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('webhooks.edit_title'))
  const workspace = useWorkspace()
  const { webhook: id } = editRoute.useParams()
  const types = useQuery(eventTypesQuery(workspace.slug))
  // Fills the form with the current record, not with a cached one.
  const webhook = useQuery({ ...webhookQuery(workspace.slug, id), staleTime: 0 })
  const error = types.error ?? webhook.error
  const ready = types.data && webhook.isFetchedAfterMount && webhook.data
  if (!isAtLeast(workspace, 'admin')) return <RoleRequired needs="admin" />
  return (
    <>
      <PageHeader title={t('webhooks.edit_title')} />
      {error && <ProblemAlert error={error} onRetry={() => void Promise.all([types.refetch(), webhook.refetch()])} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && <WebhookForm key={id} types={types.data} webhook={webhook.data} />}
    </>
  )
}

type LoadedWebhook = { record: Webhook; etag: string }

/** Creates a webhook or changes the given one. */
function WebhookForm({ types, webhook }: { types: EventType[]; webhook?: LoadedWebhook }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  // The version that filled the form, unlike later refetches.
  const [base, setBase] = useState(webhook)
  const before = base ? toFormValues(base.record) : newValues
  const [made, setMade] = useState<CreatedWebhook>()
  const form = useForm<WebhookValues>({
    initialValues: before,
    validate: (values) => validateWebhook(t, values, before),
  })
  const once = useIdempotencyKey()
  const leadTo = (id: string) =>
    navigate({ to: '/w/$workspace/webhooks/$webhook', params: { workspace: slug, webhook: id }, ignoreBlocker: true })
  const save = useFormSubmit<WebhookValues, CreatedWebhook | LoadedWebhook>(form, {
    mutationFn: (values) => {
      if (base)
        return unwrapWithEtag(
          workspaceApi(slug).PATCH('/api/v1/webhooks/{id}', {
            params: { path: { id: base.record.id } },
            body: changedFields(values, before),
            headers: { 'if-match': base.etag },
          }),
        )
      const body = toBody(values)
      return once(body, (headers) => unwrap(workspaceApi(slug).POST('/api/v1/webhooks', { body, headers })))
    },
    onSuccess: (saved) => {
      void invalidateWebhooks(slug)
      if ('etag' in saved) {
        queryClient.setQueryData(webhookQuery(slug, saved.record.id).queryKey, saved)
        notifications.show({ message: t('webhooks.saved') })
        return leadTo(saved.record.id)
      }
      setMade(saved)
      return queryClient.invalidateQueries({ queryKey: checklistQuery(slug).queryKey })
    },
    onError: (error) => {
      const rows = headerProblems(t, error, form.values.headers)
      if (Object.keys(rows).length === 0) return
      form.clearFieldError('headers')
      for (const [path, said] of Object.entries(rows)) form.setFieldError(path, said)
    },
  })
  /** Reloads the record and applies the user's changes on top, to review and save. */
  const readAgain = useMutation({
    mutationFn: (id: string) => queryClient.fetchQuery({ ...webhookQuery(slug, id), staleTime: 0 }),
    onSuccess: (now) => {
      const current = toFormValues(now.record)
      const { url, description, events, headers } = changedFields(form.values, before)
      const { present } = headers ? form.values : current
      setBase(now)
      form.setInitialValues(current)
      form.setValues({
        url: url ?? current.url,
        description: description === undefined ? current.description : (description ?? ''),
        events: events ?? current.events,
        headers: headers ? form.values.headers : current.headers,
        present: current.present === 'replace' ? 'replace' : present,
      })
      save.reset()
    },
    onError: useErrorNotification(),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { errors, hasErrors } = form.validate()
    if (!hasErrors) return save.onSubmit(event)
    event.preventDefault()
    const wrong = form.getInputNode(Object.keys(errors)[0] ?? '')
    const field = wrong?.matches('input') ? wrong : wrong?.querySelector('input')
    field?.focus()
  }
  const url = form.getInputProps('url')
  /** Another origin needs the header values again; the saved origin keeps them. */
  const lead = (to: string) => {
    if (!base || isOtherOrigin(to, base.record) === isOtherOrigin(form.values.url, base.record)) return
    const { present, headers } = form.values
    if (present === 'keep') form.setValues({ present: 'replace', headers: headerRows(base.record) })
    else if (present === 'replace' && headers.every(({ value }) => value === ''))
      form.setValues({ present: 'keep', headers: [] })
  }
  const changed = base ? Object.keys(changedFields(form.values, before)).length > 0 : form.isDirty()
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <Card component="section" aria-labelledby="receiver">
          <Title order={2} size="h3" id="receiver" mb="md">
            {t('webhooks.receiver')}
          </Title>
          <Stack>
            <TextInput
              label={t('webhooks.url')}
              description={t('webhooks.url_about')}
              placeholder="https://example.com/meydan"
              inputMode="url"
              maxLength={2000}
              autoCapitalize="none"
              spellCheck={false}
              required
              {...url}
              onChange={(event) => {
                lead(event.currentTarget.value)
                url.onChange(event)
              }}
            />
            <TextInput
              label={t('webhooks.description')}
              description={t('webhooks.description_about')}
              maxLength={200}
              autoComplete="off"
              {...form.getInputProps('description')}
            />
            <HeaderFields form={form} webhook={base?.record} />
          </Stack>
        </Card>
        <Card component="section" aria-label={t('webhooks.events')}>
          <EventPicker
            types={types}
            value={form.values.events}
            onChange={(events) => form.setFieldValue('events', events)}
            error={form.errors.events}
          />
        </Card>
        <SaveProblemAlert
          problem={save.problem}
          conflict={t('webhooks.conflict_detail')}
          onLoad={base && (() => readAgain.mutate(base.record.id))}
          loading={readAgain.isPending}
        />
        <Group justify="flex-end">
          <ButtonLink
            {...(base
              ? linkOptions({
                  to: '/w/$workspace/webhooks/$webhook',
                  params: { workspace: slug, webhook: base.record.id },
                })
              : linkOptions({ to: '/w/$workspace/webhooks', params: { workspace: slug } }))}
            variant="default"
          >
            {t('ui.cancel')}
          </ButtonLink>
          <Button type="submit" loading={save.isPending} disabled={base && !changed}>
            {t(base ? 'webhooks.save' : 'webhooks.create')}
          </Button>
        </Group>
      </Stack>
      <UnsavedChangesGuard when={() => changed && !save.isSuccess} />
      <SecretDialog
        opened={made !== undefined}
        onClose={() => made && void leadTo(made.id)}
        made={made}
        onRotated={setMade}
      />
    </form>
  )
}
