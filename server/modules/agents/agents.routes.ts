import type { FastifyInstance } from 'fastify'
import { Page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { createAbortSignals } from '../../lib/http/abort-signals.ts'
import { editor, viewer } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { idParams, NoContent } from '../../lib/http/schema/schema.ts'
import { LEFT, MARGIN_MS, STOPPED } from '../ai/generate.ts'
import { TEXT_MS } from '../ai/texts.ts'
import { deleteAgent, disableAgent, disableAllAgents, enableAgent } from './activation.ts'
import { changeAgent, createAgent, estimateAgent, listAgents, readOwnAgent } from './agents.ts'
import { AgentPreview } from './drafts/preview.schema.ts'
import { previewAgent } from './preview.ts'
import {
  Agent,
  AgentEstimate,
  AgentQuery,
  ChangeAgent,
  DisabledAgents,
  NewAgent,
  PlannedAgent,
  PreviewedAgent,
} from './record/agents.schema.ts'

const FEATURE = 'ai.agents'

export function agentRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Agents')
  const params = idParams('agent')
  const { signalsOf } = createAbortSignals(app, deps, { left: LEFT, stopped: STOPPED })

  route.get('/agents', {
    operationId: 'listAgents',
    summary: 'List agents',
    description: 'Returns the agents of the workspace, newest first.',
    access: viewer({ scope: 'agents:read' }),
    query: AgentQuery,
    response: { 200: Page(Agent) },
    handler: ({ deps, caller, query }) => listAgents(deps, caller, query),
  })
  route.post('/agents', {
    operationId: 'createAgent',
    summary: 'Create an agent',
    description: 'Creates an agent that writes posts. It does nothing until it is enabled.',
    access: editor({ scope: 'agents:write', feature: FEATURE }),
    body: NewAgent,
    response: { 201: Agent },
    handler: ({ deps, caller, body }) => createAgent(deps, caller, body),
  })
  route.post('/agents/estimate', {
    operationId: 'estimateAgent',
    summary: 'Estimate the cost of an agent',
    description:
      'Returns what a month of an agent with these fields would cost, as a range of AI credits and of money. Fields that are left out have the values of a new agent. Saves nothing.',
    access: viewer({ scope: 'agents:read' }),
    body: PlannedAgent,
    response: { 200: AgentEstimate },
    handler: ({ deps, caller, body }) => estimateAgent(deps, caller, body),
  })
  route.post('/agents/preview', {
    operationId: 'previewUnsavedAgent',
    summary: 'Preview an agent that is not saved',
    description:
      'Writes the next post of an agent with these fields, as a run would, and keeps nothing of it. Fields that are left out have the values of the saved agent `agent_id`, or else of a new one. With `agent_id`, its sources are read, and its budget counts. Costs 1 AI credit, which is returned if the generation fails.',
    access: editor({ scope: 'agents:write', feature: FEATURE }),
    body: PreviewedAgent,
    response: { 200: AgentPreview },
    ownTransactions: true,
    leaseMs: TEXT_MS + MARGIN_MS,
    handler: ({ deps, caller, body, complete, request, reply }) =>
      previewAgent(deps, caller, body, { complete, signals: signalsOf(request, reply) }),
  })
  route.post('/agents/disable-all', {
    operationId: 'disableAllAgents',
    summary: 'Disable all agents',
    description:
      'Disables every agent of the workspace at once and cancels their runs. Posts that they scheduled by themselves are held (`held: "agents_stopped"`): none is published after the response. What was being sent to a network goes on.',
    access: editor({ scope: 'agents:write' }),
    response: { 200: DisabledAgents },
    ownTransactions: true,
    handler: ({ deps, caller, complete }) => disableAllAgents(deps, caller, complete),
  })
  route.get('/agents/:id', {
    operationId: 'readAgent',
    summary: 'Retrieve an agent',
    description: 'Returns an agent of the workspace.',
    access: viewer({ scope: 'agents:read' }),
    params,
    response: { 200: Agent },
    handler: ({ deps, caller, params }) => readOwnAgent(deps, caller, params.id),
  })
  route.patch('/agents/:id', {
    operationId: 'changeAgent',
    summary: 'Update an agent',
    description: 'Changes an agent from its next run on. Its runs have your rights from then on.',
    access: editor({ scope: 'agents:write', feature: FEATURE }),
    params,
    body: ChangeAgent,
    response: { 200: Agent },
    handler: ({ deps, caller, params, body, ifMatch }) => changeAgent(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/agents/:id', {
    operationId: 'deleteAgent',
    summary: 'Delete an agent',
    description:
      'Deletes an agent with its runs. Its posts stay; those that it scheduled by itself are held (`held: "agents_stopped"`).',
    access: editor({ scope: 'agents:write' }),
    params,
    response: { 204: NoContent },
    ownTransactions: true,
    handler: ({ deps, caller, params, complete }) => deleteAgent(deps, caller, params.id, complete),
  })
  route.post('/agents/:id/preview', {
    operationId: 'previewAgent',
    summary: 'Preview an agent',
    description:
      'Writes the next post of an agent as it is saved, checks it, and keeps nothing of it. Costs 1 AI credit, which is returned if the generation fails.',
    access: editor({ scope: 'agents:write', feature: FEATURE }),
    params,
    response: { 200: AgentPreview },
    ownTransactions: true,
    leaseMs: TEXT_MS + MARGIN_MS,
    handler: ({ deps, caller, params, complete, request, reply }) =>
      previewAgent(deps, caller, { agent_id: params.id }, { complete, signals: signalsOf(request, reply) }),
  })
  route.post('/agents/:id/enable', {
    operationId: 'enableAgent',
    summary: 'Enable an agent',
    description:
      'Lets an agent run by its schedule and by hand. Its runs have your rights. `409 agent_not_ready` names what it lacks.',
    access: editor({ scope: 'agents:write', feature: FEATURE }),
    params,
    response: { 200: Agent },
    handler: ({ deps, caller, params }) => enableAgent(deps, caller, params.id),
  })
  route.post('/agents/:id/disable', {
    operationId: 'disableAgent',
    summary: 'Disable an agent',
    description:
      'Stops the schedule of an agent, and cancels its run in progress. Posts that it wrote stay; those that it scheduled by itself are held (`held: "agents_stopped"`).',
    access: editor({ scope: 'agents:write' }),
    params,
    response: { 200: Agent },
    ownTransactions: true,
    handler: ({ deps, caller, params, complete }) => disableAgent(deps, caller, params.id, complete),
  })
}
