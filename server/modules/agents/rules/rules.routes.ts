import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { editor, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { AgentRule, AgentRuleQuery, ChangeAgentRule, NewAgentRule, ruleParams } from './rules.schema.ts'
import { changeRule, createRule, deleteRule, listRules } from './rules.ts'

export function agentRuleRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Agents')

  route.get('/agents/:id/rules', {
    operationId: 'listAgentRules',
    summary: 'List the rules of an agent',
    description:
      'Returns what the agent follows in its texts, newest first: learned from rejections, or written by members.',
    access: viewer({ scope: 'agents:read' }),
    params: idParams('agent'),
    query: AgentRuleQuery,
    response: { 200: Page(AgentRule) },
    handler: ({ db, caller, params, query }) => listRules(db, caller, params.id, query),
  })
  route.post('/agents/:id/rules', {
    operationId: 'createAgentRule',
    summary: 'Add a rule to an agent',
    description:
      'Adds a rule that the agent follows from its next text on, at most 50. `409 agent_rule_taken` if it has the same one. Runs have your rights from then on.',
    access: editor({ scope: 'agents:write', feature: 'ai.agents' }),
    params: idParams('agent'),
    body: NewAgentRule,
    response: { 201: AgentRule },
    handler: ({ deps, caller, params, body }) => createRule(deps, caller, params.id, body),
  })
  route.patch('/agents/:id/rules/:rule_id', {
    operationId: 'changeAgentRule',
    summary: 'Update a rule of an agent',
    description:
      'Changes a rule, or turns it on or off. A rule that was learned keeps its `learned_from`. Runs of the agent have your rights from then on.',
    access: editor({ scope: 'agents:write', feature: 'ai.agents' }),
    params: ruleParams,
    body: ChangeAgentRule,
    response: { 200: AgentRule },
    handler: ({ deps, caller, params, body, ifMatch }) => changeRule(deps, caller, params, body, ifMatch),
  })
  route.delete('/agents/:id/rules/:rule_id', {
    operationId: 'deleteAgentRule',
    summary: 'Delete a rule of an agent',
    description: 'Deletes a rule. Another rejection with its reason makes it again.',
    access: editor({ scope: 'agents:write' }),
    params: ruleParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deleteRule(deps, caller, params),
  })
}
