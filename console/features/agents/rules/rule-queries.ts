import { queryOptions, useMutation } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { useWorkspace } from '../../workspaces/queries'
import { invalidateAgents } from '../queries'

export type AgentRule = components['schemas']['AgentRule']

/** Maximum number of rules of an agent, as in the API. */
export const MAX_RULES = 50

export const rulesQuery = (workspace: string, agent: string) =>
  queryOptions({
    queryKey: ['agent-rules', workspace, agent],
    queryFn: async () => {
      const params = { path: { id: agent }, query: { limit: 100 } }
      return (await unwrap(workspaceApi(workspace).GET('/api/v1/agents/{id}/rules', { params }))).data
    },
  })

/** Changing a rule also changes for whom the agent acts. */
export const invalidateRules = (workspace: string, agent: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: rulesQuery(workspace, agent).queryKey }),
    invalidateAgents(workspace),
  ])

const paramsOf = (agent: string, { id }: AgentRule) => ({ params: { path: { id: agent, rule_id: id } } })

/** Changes the version of a rule that the member sees. */
export const changeRule = (
  workspace: string,
  agent: string,
  rule: AgentRule,
  body: components['schemas']['ChangeAgentRule'],
) =>
  unwrap(
    workspaceApi(workspace).PATCH('/api/v1/agents/{id}/rules/{rule_id}', {
      ...paramsOf(agent, rule),
      body,
      headers: { 'if-match': `"${rule.version}"` },
    }),
  )

export function useSetRuleEnabled(agent: string, rule: AgentRule) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (is_enabled: boolean) => changeRule(slug, agent, rule, { is_enabled }),
    onSettled: () => invalidateRules(slug, agent),
  })
}

export function useDeleteRule(agent: string, rule: AgentRule, onSuccess: () => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).DELETE('/api/v1/agents/{id}/rules/{rule_id}', paramsOf(agent, rule))),
    onSuccess: () => {
      onSuccess()
      return invalidateRules(slug, agent)
    },
  })
}
