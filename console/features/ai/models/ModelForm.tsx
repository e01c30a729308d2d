import { Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api, unwrap, unwrapWithEtag } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { type Loaded, useRecordForm } from '../../../ui/forms/useRecordForm'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { setApiKey } from '../mutations'
import { type AiModel, invalidateModels, modelQuery, pathParams } from '../queries'
import {
  changedFields,
  isChanged,
  type ModelValues,
  newValues,
  throwAtFields,
  toBody,
  toFormValues,
  validateModel,
} from './form-values'
import { IdentityFields, PriceFields, RequestFields } from './ModelFields'

type Props = {
  model?: Loaded<AiModel>
  /** Reports whether there are unsaved changes. */
  onChanged?: (changed: boolean) => void
}

export function ModelForm({ model, onChanged }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  const notifyError = useErrorNotification()
  const state = useRecordForm({
    start: model ?? { values: newValues },
    query: ({ id_secure }: AiModel) => modelQuery(id_secure),
    toValues: toFormValues,
    toPatch: changedFields,
    isChanged,
    validate: (values: ModelValues) => validateModel(t, values),
    update: (body, { record, etag }) =>
      unwrapWithEtag(
        api.PUT('/api/v1/ai-models/{id}', { ...pathParams(record), body, headers: { 'if-match': etag } }),
      ).catch(throwAtFields),
    onUpdated: () => {
      notifications.show({ message: t('admin.models.saved') })
      return invalidateModels()
    },
    create: (values) => {
      const body = { ...toBody(values), is_active: true }
      return once(body, (headers) => unwrap(api.POST('/api/v1/ai-models', { body, headers }))).catch(throwAtFields)
    },
    onCreated: async (created, { api_key }) => {
      // The model exists even if saving its key fails: the key can be set on its page.
      const isKeySaved =
        api_key.trim() === '' || (await setApiKey(created, api_key.trim()).then(() => true, notifyError))
      if (isKeySaved) notifications.show({ message: t('admin.models.created', { name: created.name }) })
      void invalidateModels()
      return navigate({ to: '/admin/ai-models/$model', params: { model: created.id_secure }, ignoreBlocker: true })
    },
  })
  const { form, base, changed } = state
  useEffect(() => onChanged?.(changed), [onChanged, changed])
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <Stack gap="lg">
        <IdentityFields form={form} isNew={!base} />
        <PriceFields form={form} />
        <RequestFields form={form} />
        <RecordFormActions
          state={state}
          save={t(base ? 'admin.models.save' : 'admin.models.create')}
          conflict={{ detail: t('admin.models.conflict_detail') }}
          cancel={
            !base && (
              <ButtonLink variant="default" to="/admin/ai-models">
                {t('ui.cancel')}
              </ButtonLink>
            )
          }
        />
      </Stack>
    </form>
  )
}
