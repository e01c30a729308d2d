import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, api, queryClient } from '../../api'
import { useOnce } from '../../ui/useOnce'
import { useTell } from '../../ui/useTell'
import { type AiModel, pathOf, readModelsAnew } from './queries'

export const sendKey = (model: Pick<AiModel, 'id_secure'>, api_key: string | null) =>
  answered(api.PUT('/api/v1/ai-models/{id}/api-key', { ...pathOf(model), body: { api_key } }))

export function useSetActive(model: AiModel) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (is_active: boolean) =>
      answered(api.PUT('/api/v1/ai-models/{id}', { ...pathOf(model), body: { is_active } })),
    onSuccess: ({ name, is_active }) => {
      notifications.show({ message: t(is_active ? 'desk.models.on_done' : 'desk.models.off_done', { name }) })
    },
    onError: useTell(),
    onSettled: readModelsAnew,
  })
}

export function useRemoveKey(model: AiModel, onSuccess: () => void) {
  return useMutation({ mutationFn: () => sendKey(model, null), onSuccess, onSettled: readModelsAnew })
}

export function useDelete(model: AiModel, onSuccess: () => void | Promise<void>) {
  return useMutation({
    mutationFn: () => answered(api.DELETE('/api/v1/ai-models/{id}', pathOf(model))),
    onSuccess,
    // The page of one that is gone does not ask for it again.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['ai-models'] }),
  })
}

export function useTest() {
  const once = useOnce()
  return useMutation({
    mutationFn: ({ model, prompt }: { model: Pick<AiModel, 'id_secure'>; prompt: string }) => {
      const body = prompt.trim() ? { prompt: prompt.trim() } : {}
      return once({ ...body, model: model.id_secure }, (headers) =>
        answered(api.POST('/api/v1/options/test/ai-model/{id}', { ...pathOf(model), body, headers })),
      )
    },
  })
}
