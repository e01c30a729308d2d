import { Group, Select, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { unwrap, unwrapWithEtag, workspaceApi } from '../../../api'
import { FormSection } from '../../../ui/forms/FormSection'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { type Loaded, type RecordForm, useRecordForm } from '../../../ui/forms/useRecordForm'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { MediaAttachments } from '../../media/attachments/MediaAttachments'
import { useWorkspace } from '../../workspaces/queries'
import { invalidateGigs } from '../mutations'
import { type Gig, gigQuery } from '../queries'
import { changedFields, type GigValues, isChanged, toBody, toFormValues, validateGig } from './form-values'

type State = RecordForm<GigValues, Gig>

/** Creates a gig or changes the given one. */
export function GigForm({ start }: { start: Loaded<Gig> | { values: GigValues } }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  const client = workspaceApi(slug)
  const leave = (message: string) => {
    void invalidateGigs(slug)
    notifications.show({ message })
    return navigate({ to: '/w/$workspace/marketplace/gigs', params: { workspace: slug }, ignoreBlocker: true })
  }
  const state = useRecordForm({
    start,
    query: ({ id }: Gig) => gigQuery(slug, id),
    toValues: toFormValues,
    toPatch: changedFields,
    isChanged,
    validate: (values) => validateGig(t, values),
    update: (body, { record: { id }, etag }) =>
      unwrapWithEtag(
        client.PATCH('/api/v1/marketplace/gigs/{id}', {
          params: { path: { id } },
          body,
          headers: { 'if-match': etag },
        }),
      ),
    onUpdated: () => leave(t('gigs.saved')),
    create: (values) => {
      const body = { ...toBody(values), status: 'draft' as const }
      return once(body, (headers) => unwrap(client.POST('/api/v1/marketplace/gigs', { body, headers })))
    },
    onCreated: () => leave(t('gigs.created')),
  })
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <Stack gap="lg">
        <ServiceFields form={state.form} />
        <TermsFields form={state.form} />
        <FoundByFields form={state.form} />
        <RecordFormActions
          state={state}
          save={t(state.base ? 'gigs.save' : 'gigs.create')}
          conflict={{ detail: t('gigs.conflict_detail') }}
          cancel={
            <ButtonLink variant="default" to="/w/$workspace/marketplace/gigs" params={{ workspace: slug }}>
              {t('ui.cancel')}
            </ButtonLink>
          }
        />
      </Stack>
    </form>
  )
}

function ServiceFields({ form }: Pick<State, 'form'>) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('gigs.service')}>
      <TextInput label={t('gigs.title')} maxLength={200} autoComplete="off" required {...form.getInputProps('title')} />
      <Textarea
        label={t('gigs.description')}
        description={t('gigs.description_about')}
        maxLength={5000}
        autosize
        minRows={5}
        required
        {...form.getInputProps('description')}
      />
    </FormSection>
  )
}

function TermsFields({ form }: Pick<State, 'form'>) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('gigs.terms')}>
      <Group align="flex-start">
        <TextInput
          label={t('gigs.price')}
          inputMode="decimal"
          autoComplete="off"
          required
          w={180}
          {...form.getInputProps('price')}
        />
        <Select
          label={t('gigs.currency')}
          data={['TRY', 'USD']}
          allowDeselect={false}
          w={120}
          {...form.getInputProps('currency')}
        />
      </Group>
      <TextInput
        label={t('gigs.days')}
        description={t('gigs.days_about')}
        inputMode="numeric"
        autoComplete="off"
        required
        maw={316}
        {...form.getInputProps('delivery_days')}
      />
    </FormSection>
  )
}

/** Maximum number of samples, as in the API. */
const MAX_SAMPLES = 10

function FoundByFields({ form }: Pick<State, 'form'>) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('gigs.found_by')}>
      <TagsInput
        label={t('gigs.categories')}
        description={t('gigs.categories_about')}
        maxTags={5}
        maxLength={40}
        {...form.getInputProps('categories')}
      />
      <MediaAttachments
        ids={form.values.sample_media}
        label={t('gigs.samples')}
        max={MAX_SAMPLES}
        onChange={(ids) => form.setFieldValue('sample_media', ids)}
        problem={(index) => (index === undefined ? (form.errors.sample_media as string | undefined) : undefined)}
        maxAlt={2000}
        isOffered
      >
        <Text fw={500}>{t('gigs.samples')}</Text>
        <Text fz="sm" c="dimmed">
          {t('gigs.samples_about')}
        </Text>
      </MediaAttachments>
    </FormSection>
  )
}
