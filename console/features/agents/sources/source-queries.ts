import { queryOptions, useMutation } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { useWorkspace } from '../../workspaces/queries'
import { invalidateAgents } from '../queries'

export type AgentSource = components['schemas']['AgentSource']

/** Maximum number of sources of an agent, as in the API. */
export const MAX_SOURCES = 5

export const sourcesQuery = (workspace: string, agent: string) =>
  queryOptions({
    queryKey: ['agent-sources', workspace, agent],
    queryFn: async () => {
      const params = { path: { id: agent }, query: { limit: 100 } }
      return (await unwrap(workspaceApi(workspace).GET('/api/v1/agents/{id}/sources', { params }))).data
    },
  })

/** Changing a source also changes for whom the agent acts. */
export const invalidateSources = (workspace: string, agent: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: sourcesQuery(workspace, agent).queryKey }),
    invalidateAgents(workspace),
  ])

export function useRemoveSource(agent: string, source_id: string, onSuccess: () => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () =>
      unwrap(
        workspaceApi(slug).DELETE('/api/v1/agents/{id}/sources/{source_id}', {
          params: { path: { id: agent, source_id } },
        }),
      ),
    onSuccess: () => {
      onSuccess()
      return invalidateSources(slug, agent)
    },
  })
}
