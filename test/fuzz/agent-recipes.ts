import { agentOf } from '../../server/modules/agents/runs/runs.fixture.ts'
import { expectStatus } from '../factories.ts'
import { asOwner, type Recipe, type RecipeContext } from './recipe-context.ts'

async function newAgent(context: RecipeContext) {
  const { owner } = context.callers.current()
  const { client } = asOwner(context)
  const inWorkspace = client.with({ 'x-workspace-id': owner.workspace_id })
  return { inWorkspace, id: await agentOf(context.t, { ...owner, ...inWorkspace }) }
}

type CallerOf = (context: RecipeContext) => Record<string, string>

const agent =
  (callerOf: CallerOf): Recipe =>
  async (context) => ({ headers: callerOf(context), path: { id: (await newAgent(context)).id } })

const run =
  (callerOf: CallerOf): Recipe =>
  async (context) => {
    const { inWorkspace, id } = await newAgent(context)
    const { body } = expectStatus(await inWorkspace.post(`/api/v1/agents/${id}/run`), 201)
    return { headers: callerOf(context), path: { id, run_id: body.id } }
  }

const owner: CallerOf = (context) => asOwner(context).headers
const allScopes: CallerOf = ({ callers }) => callers.current().callers.allScopes.headers

export const agentRecipes: Record<string, Recipe> = {
  runAgent: agent(owner),
  publicRunAgent: agent(allScopes),
  previewAgent: agent(owner),
  publicPreviewAgent: agent(allScopes),
  listAgentRuns: run(owner),
  publicListAgentRuns: run(allScopes),
  getAgentRun: run(owner),
  publicGetAgentRun: run(allScopes),
}
