import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, queryClient, unwrap } from '../../api'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { type AiModel, invalidateModels, pathParams } from './queries'

export const setApiKey = (model: Pick<AiModel, 'id_secure'>, api_key: string | null) =>
  unwrap(api.PUT('/api/v1/ai-models/{id}/api-key', { ...pathParams(model), body: { api_key } }))

export function useSetModelActive(model: AiModel) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (is_active: boolean) =>
      unwrap(api.PUT('/api/v1/ai-models/{id}', { ...pathParams(model), body: { is_active } })),
    onSuccess: ({ name, is_active }) => {
      notifications.show({ message: t(is_active ? 'admin.models.on_done' : 'admin.models.off_done', { name }) })
    },
    onError: useErrorNotification(),
    onSettled: invalidateModels,
  })
}

export function useRemoveKey(model: AiModel, onSuccess: () => void) {
  return useMutation({ mutationFn: () => setApiKey(model, null), onSuccess, onSettled: invalidateModels })
}

export function useDeleteModel(model: AiModel, onSuccess: () => void | Promise<void>) {
  return useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/ai-models/{id}', pathParams(model))),
    onSuccess,
    // Does not refetch the deleted model, whose page may still be open.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['ai-models'] }),
  })
}

export function useTestModel() {
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: ({ model, prompt }: { model: Pick<AiModel, 'id_secure'>; prompt: string }) => {
      const body = prompt.trim() ? { prompt: prompt.trim() } : {}
      return once({ ...body, model: model.id_secure }, (headers) =>
        unwrap(api.POST('/api/v1/options/test/ai-model/{id}', { ...pathParams(model), body, headers })),
      )
    },
  })
}
