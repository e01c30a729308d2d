import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, unwrapWithEtag, workspaceApi } from '../../api'
import type { components } from '../../api.gen'

export type Agent = components['schemas']['Agent']
/** Categories of agents and recipes, in display order. */
export const categories = [
  ...(['content', 'shop', 'services', 'food', 'support', 'seasonal', 'software', 'brand'] as const),
  ...(['events', 'hiring', 'other'] as const),
] satisfies Agent['category'][]

export type AgentRun = components['schemas']['AgentRun']
export type RunItem = components['schemas']['AgentRunWithItems']['items'][number]

export const agentsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['agents', workspace],
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/agents', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** One agent, with the ETag that a change sends back. */
export const agentQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['agent', workspace, id],
    queryFn: () => unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/agents/{id}', { params: { path: { id } } })),
  })

type Planned = components['schemas']['PlannedAgent']

/** Estimates the credits of a month of an agent with these fields. */
export const estimateQuery = (workspace: string, planned: Planned) =>
  queryOptions({
    queryKey: ['agent-estimate', workspace, planned],
    queryFn: () => unwrap(workspaceApi(workspace).POST('/api/v1/agents/estimate', { body: planned })),
    retry: false,
  })

export const runsQuery = (workspace: string, id: string) =>
  infiniteQueryOptions({
    queryKey: ['agent-runs', workspace, id],
    queryFn: ({ pageParam }) =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/agents/{id}/runs', {
          params: { path: { id }, query: { limit: 20, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const runQuery = (workspace: string, { id, agent_id }: Pick<AgentRun, 'id' | 'agent_id'>) =>
  queryOptions({
    queryKey: ['agent-run', workspace, id],
    queryFn: () =>
      unwrap(
        workspaceApi(workspace).GET('/api/v1/agents/{id}/runs/{run_id}', {
          params: { path: { id: agent_id, run_id: id } },
        }),
      ),
  })

/** Whether a run goes on without a person. */
export const isInProgress = ({ status }: Pick<AgentRun, 'status'>) => status === 'queued' || status === 'running'

/** Refetches everything shown of agents: their state and their runs. */
export const invalidateAgents = (workspace: string) =>
  Promise.all(
    ['agents', 'agent', 'agent-runs', 'agent-run'].map((subject) =>
      queryClient.invalidateQueries({ queryKey: [subject, workspace] }),
    ),
  )
