import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { editor, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { readRun } from './read-run.ts'
import { AgentRun, AgentRunQuery, AgentRunWithItems, runParams } from './runs.schema.ts'
import { listRuns, startRun } from './runs.ts'

export function agentRunRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Agents')

  route.post('/agents/:id/run', {
    operationId: 'runAgent',
    summary: 'Run an agent now',
    description:
      'Starts a run, also of an agent that is disabled. Its posts count in `daily_limit`, and each text that the model writes costs 1 AI credit. `GET /agents/{id}/runs/{run_id}` returns its progress. 409 while another run of the agent is in progress.',
    access: editor({ scope: 'agents:write', feature: 'ai.agents' }),
    params: idParams('agent'),
    response: { 201: AgentRun },
    handler: ({ deps, caller, params }) => startRun(deps, caller, params.id),
  })
  route.get('/agents/:id/runs', {
    operationId: 'listAgentRuns',
    summary: 'List the runs of an agent',
    description: 'Returns the runs of an agent, newest first, with those that were skipped.',
    access: viewer({ scope: 'agents:read' }),
    params: idParams('agent'),
    query: AgentRunQuery,
    response: { 200: Page(AgentRun) },
    handler: ({ db, caller, params, query }) => listRuns(db, caller, params.id, query),
  })
  route.get('/agents/:id/runs/:run_id', {
    operationId: 'getAgentRun',
    summary: 'Get a run of an agent',
    description:
      'Returns a run with what the model was asked for each post, what it wrote, the rules that this broke, and what became of it.',
    access: viewer({ scope: 'agents:read' }),
    params: runParams,
    response: { 200: AgentRunWithItems },
    handler: ({ db, caller, params }) => readRun(db, caller, params),
  })
}
