import { Card, Stack, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, unwrapWithEtag, workspaceApi } from '../../../api'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { type Loaded, type RecordForm, useRecordForm } from '../../../ui/forms/useRecordForm'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { checklistQuery, useWorkspace } from '../../workspaces/queries'
import { SecretDialog } from '../actions/SecretDialog'
import { invalidateWebhooks } from '../mutations'
import { type CreatedWebhook, type EventType, type Webhook, webhookQuery } from '../queries'
import { EventPicker } from './EventPicker'
import {
  changedFields,
  headerProblems,
  headerRows,
  isChanged,
  isOtherOrigin,
  mergeChanges,
  toBody,
  toFormValues,
  validateWebhook,
  type WebhookValues,
} from './form-values'
import { HeaderFields } from './HeaderFields'

type Start = Loaded<Webhook> | { values: WebhookValues }

/** Creates a webhook or changes the given one. */
export function WebhookForm({ types, start }: { types: EventType[]; start: Start }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const [made, setMade] = useState<CreatedWebhook>()
  const once = useIdempotencyKey()
  const leadTo = (id: string) =>
    navigate({ to: '/w/$workspace/webhooks/$webhook', params: { workspace: slug, webhook: id }, ignoreBlocker: true })
  const state = useRecordForm({
    start,
    query: ({ id }: Webhook) => webhookQuery(slug, id),
    toValues: toFormValues,
    toPatch: changedFields,
    isChanged,
    merge: mergeChanges,
    validate: (values, before) => validateWebhook(t, values, before),
    partProblems: (error, { headers }) => headerProblems(t, error, headers),
    update: (body, { record: { id }, etag }) =>
      unwrapWithEtag(
        workspaceApi(slug).PATCH('/api/v1/webhooks/{id}', {
          params: { path: { id } },
          body,
          headers: { 'if-match': etag },
        }),
      ),
    onUpdated: ({ record }) => {
      void invalidateWebhooks(slug)
      notifications.show({ message: t('webhooks.saved') })
      return leadTo(record.id)
    },
    create: (values) => {
      const body = toBody(values)
      return once(body, (headers) => unwrap(workspaceApi(slug).POST('/api/v1/webhooks', { body, headers })))
    },
    onCreated: (created) => {
      void invalidateWebhooks(slug)
      setMade(created)
      return queryClient.invalidateQueries({ queryKey: checklistQuery(slug).queryKey })
    },
  })
  const { form, base } = state
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <Stack gap="lg">
        <ReceiverFields state={state} />
        <Card component="section" aria-label={t('webhooks.events')}>
          <EventPicker
            types={types}
            value={form.values.events}
            onChange={(events) => form.setFieldValue('events', events)}
            error={form.errors.events}
          />
        </Card>
        <RecordFormActions
          state={state}
          save={t(base ? 'webhooks.save' : 'webhooks.create')}
          conflict={{ detail: t('webhooks.conflict_detail') }}
          cancel={<CancelButton webhook={base?.record} />}
        />
      </Stack>
      <SecretDialog
        opened={made !== undefined}
        onClose={() => made && void leadTo(made.id)}
        made={made}
        onRotated={setMade}
      />
    </form>
  )
}

/** The URL, the description and the headers. */
function ReceiverFields({ state: { form, base } }: { state: RecordForm<WebhookValues, Webhook> }) {
  const { t } = useTranslation()
  const url = form.getInputProps('url')
  /** Another origin needs the header values again; the saved origin keeps them. */
  const lead = (to: string) => {
    if (!base || isOtherOrigin(to, base.record) === isOtherOrigin(form.values.url, base.record)) return
    const { present, headers } = form.values
    if (present === 'keep') form.setValues({ present: 'replace', headers: headerRows(base.record) })
    else if (present === 'replace' && headers.every(({ value }) => value === ''))
      form.setValues({ present: 'keep', headers: [] })
  }
  return (
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
  )
}

function CancelButton({ webhook }: { webhook: Webhook | undefined }) {
  const { t } = useTranslation()
  const { slug: workspace } = useWorkspace()
  if (webhook)
    return (
      <ButtonLink variant="default" to="/w/$workspace/webhooks/$webhook" params={{ workspace, webhook: webhook.id }}>
        {t('ui.cancel')}
      </ButtonLink>
    )
  return (
    <ButtonLink variant="default" to="/w/$workspace/webhooks" params={{ workspace }}>
      {t('ui.cancel')}
    </ButtonLink>
  )
}
