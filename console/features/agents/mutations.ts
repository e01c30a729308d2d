import { useMutation } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../api'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { postCountsQuery } from '../posts/queries'
import { useWorkspace } from '../workspaces/queries'
import { invalidateAgents } from './queries'

/** A stopped agent leaves posts that are held. */
const recountPosts = (workspace: string) =>
  queryClient.invalidateQueries({ queryKey: postCountsQuery(workspace).queryKey })

const pathParams = (id: string) => ({ params: { path: { id } } })

export function useSetAgentActive(id: string) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (active: boolean) => {
      const client = workspaceApi(slug)
      return active
        ? unwrap(client.POST('/api/v1/agents/{id}/enable', pathParams(id)))
        : unwrap(client.POST('/api/v1/agents/{id}/disable', pathParams(id)))
    },
    onSettled: () => Promise.all([invalidateAgents(slug), recountPosts(slug)]),
  })
}

export function useRunAgent(id: string) {
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: () =>
      once({}, (headers) => unwrap(workspaceApi(slug).POST('/api/v1/agents/{id}/run', { ...pathParams(id), headers }))),
    onSettled: () => invalidateAgents(slug),
  })
}

export function useDeleteAgent(id: string, onSuccess: () => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).DELETE('/api/v1/agents/{id}', pathParams(id))),
    onSuccess: () => {
      onSuccess()
      return invalidateAgents(slug)
    },
  })
}

export function useDisableAllAgents(onSuccess: (disabled: number) => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).POST('/api/v1/agents/disable-all')),
    onSuccess: ({ disabled }) => onSuccess(disabled),
    onSettled: () => Promise.all([invalidateAgents(slug), recountPosts(slug)]),
  })
}
