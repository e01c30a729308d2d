import { useMutation } from '@tanstack/react-query'
import { answered, queryClient, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { useOnce } from '../../ui/useOnce'
import { useWorkspace } from '../workspaces/queries'
import { type CreatedWebhook, webhooksQuery } from './queries'

/** Whatever is shown of a webhook is read anew: how it stands, what was sent to it and how often that went well. */
export const readAnew = async (workspace: string) => {
  const subjects = ['webhook', 'webhook-stats', 'deliveries']
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: webhooksQuery(workspace).queryKey }),
    ...subjects.map((subject) => queryClient.invalidateQueries({ queryKey: [subject, workspace] })),
  ])
}

const pathOf = (id: string) => ({ params: { path: { id } } })

export function useTest(id: string) {
  const { slug } = useWorkspace()
  const once = useOnce()
  return useMutation({
    mutationFn: () =>
      once({}, (headers) =>
        answered(workspaceApi(slug).POST('/api/v1/webhooks/{id}/test', { ...pathOf(id), headers })),
      ),
    onSettled: () => void readAnew(slug),
  })
}

export function useRotateSecret(onRotated: (webhook: CreatedWebhook) => void) {
  const { slug } = useWorkspace()
  const once = useOnce()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; overlap_seconds: number }) =>
      once({ id, ...body }, (headers) =>
        answered(workspaceApi(slug).POST('/api/v1/webhooks/{id}/rotate-secret', { ...pathOf(id), body, headers })),
      ),
    onSuccess: onRotated,
    onSettled: () => readAnew(slug),
  })
}

/** One call sends 100,000 at most: it is made until nothing is left, and `onStep` hears of each. */
export function useRecover(id: string, onStep?: (so: components['schemas']['Recovered']) => void) {
  const { slug } = useWorkspace()
  const once = useOnce()
  return useMutation({
    mutationFn: async (since: Date) => {
      const body = { since: since.toISOString() }
      let sent = 0
      for (;;) {
        const { queued, remaining } = await once(body, (headers) =>
          answered(workspaceApi(slug).POST('/api/v1/webhooks/{id}/recover', { ...pathOf(id), body, headers })),
        )
        sent += queued
        onStep?.({ queued: sent, remaining })
        if (remaining === 0 || queued === 0) return sent
      }
    },
    onSettled: () => readAnew(slug),
  })
}

export function useSetActive(id: string, onSuccess?: () => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (active: boolean) =>
      answered(workspaceApi(slug).PATCH('/api/v1/webhooks/{id}', { ...pathOf(id), body: { active } })),
    onSuccess,
    onSettled: () => readAnew(slug),
  })
}

export function useDelete(id: string, onSuccess: () => void | Promise<void>) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () => answered(workspaceApi(slug).DELETE('/api/v1/webhooks/{id}', pathOf(id))),
    onSuccess,
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(slug).queryKey }),
  })
}
