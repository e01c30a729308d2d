import { useMutation } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../workspaces/queries'
import { type CreatedWebhook, webhooksQuery } from './queries'

/** Refetches everything shown of a webhook: its state, deliveries and statistics. */
export const invalidateWebhooks = async (workspace: string) => {
  const subjects = ['webhook', 'webhook-stats', 'deliveries']
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: webhooksQuery(workspace).queryKey }),
    ...subjects.map((subject) => queryClient.invalidateQueries({ queryKey: [subject, workspace] })),
  ])
}

const pathParams = (id: string) => ({ params: { path: { id } } })

export function useTestWebhook(id: string) {
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: () =>
      once({}, (headers) =>
        unwrap(workspaceApi(slug).POST('/api/v1/webhooks/{id}/test', { ...pathParams(id), headers })),
      ),
    onSettled: () => void invalidateWebhooks(slug),
  })
}

export function useRotateSecret(onRotated: (webhook: CreatedWebhook) => void) {
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; overlap_seconds: number }) =>
      once({ id, ...body }, (headers) =>
        unwrap(workspaceApi(slug).POST('/api/v1/webhooks/{id}/rotate-secret', { ...pathParams(id), body, headers })),
      ),
    onSuccess: onRotated,
    onSettled: () => invalidateWebhooks(slug),
  })
}

/** A call sends 100,000 at most. Repeats it until nothing is left; `onStep` gets each result. */
export function useRecoverDeliveries(id: string, onStep?: (so: components['schemas']['Recovered']) => void) {
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: async (since: Date) => {
      const body = { since: since.toISOString() }
      let sent = 0
      for (;;) {
        const { queued, remaining } = await once(body, (headers) =>
          unwrap(workspaceApi(slug).POST('/api/v1/webhooks/{id}/recover', { ...pathParams(id), body, headers })),
        )
        sent += queued
        onStep?.({ queued: sent, remaining })
        if (remaining === 0 || queued === 0) return sent
      }
    },
    onSettled: () => invalidateWebhooks(slug),
  })
}

export function useSetWebhookActive(id: string, onSuccess?: () => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (active: boolean) =>
      unwrap(workspaceApi(slug).PATCH('/api/v1/webhooks/{id}', { ...pathParams(id), body: { active } })),
    onSuccess,
    onSettled: () => invalidateWebhooks(slug),
  })
}

export function useDeleteWebhook(id: string, onSuccess: () => void | Promise<void>) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).DELETE('/api/v1/webhooks/{id}', pathParams(id))),
    onSuccess,
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(slug).queryKey }),
  })
}
