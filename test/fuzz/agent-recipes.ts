import { agentOf } from '../../server/modules/agents/runs/runs.fixture.ts'
import { expectStatus } from '../factories.ts'
import { asOwner, type Recipe } from './recipe-context.ts'

const agent: Recipe = async (context) => {
  const { owner } = context.callers.current()
  return { headers: asOwner(context).headers, path: { id: await agentOf(context.t, owner) } }
}

const run: Recipe = async (context) => {
  const { headers, path } = await agent(context)
  const { client } = asOwner(context)
  const workspace = { 'x-workspace-id': headers?.['x-workspace-id'] ?? '' }
  const { body } = expectStatus(await client.post(`/api/v1/agents/${path?.id}/run`, undefined, workspace), 201)
  return { headers: headers ?? {}, path: { ...path, run_id: body.id } }
}

export const agentRecipes: Record<string, Recipe> = { runAgent: agent, listAgentRuns: run, getAgentRun: run }
