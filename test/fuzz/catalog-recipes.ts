import { readyAgent } from '../agents.ts'
import { installedAgent, orphanRecipe } from '../recipes.ts'
import { headersOf, makeRoom } from './agent-recipes.ts'
import type { Recipe, RecipeContext } from './recipe-context.ts'

/** An editor of a workspace with room for another agent and another published recipe. */
async function publisher(context: RecipeContext) {
  const editor = await makeRoom(context)
  const { data } = (await editor.get('/api/v1/catalog/agent-recipes?mine=true&limit=100')).body
  for (const { id, published } of data)
    if (published) await editor.post(`/api/v1/catalog/agent-recipes/${id}/unpublish`)
  return editor
}

type Credentials = 'session' | 'token'

const publishing =
  (credentials: Credentials): Recipe =>
  async (context) => {
    const { id: agent_id } = await readyAgent(await publisher(context))
    return { headers: headersOf(context, credentials), body: { agent_id, category: 'food' } }
  }

const onRecipe =
  (credentials: Credentials, body?: object): Recipe =>
  async (context) => {
    const { id } = await orphanRecipe(await publisher(context))
    return { headers: headersOf(context, credentials), path: { id }, ...(body && { body }) }
  }

const onInstalled =
  (credentials: Credentials, body?: object): Recipe =>
  async (context) => {
    const editor = await publisher(context)
    const { id } = await installedAgent(editor, (await orphanRecipe(editor)).id)
    return { headers: headersOf(context, credentials), path: { id }, ...(body && { body }) }
  }

const asAdmin =
  (body?: object): Recipe =>
  async (context) => {
    const { id } = await orphanRecipe(await publisher(context))
    return { headers: context.callers.current().callers.instanceAdmin.headers, path: { id }, ...(body && { body }) }
  }

export const catalogRecipes: Record<string, Recipe> = {
  publishRecipe: publishing('session'),
  publicPublishRecipe: publishing('token'),
  readRecipe: onRecipe('session'),
  publicReadRecipe: onRecipe('token'),
  listRecipeVersions: onRecipe('session'),
  publicListRecipeVersions: onRecipe('token'),
  changeRecipe: onRecipe('session', { category: 'other' }),
  publicChangeRecipe: onRecipe('token', { category: 'other' }),
  unpublishRecipe: onRecipe('session'),
  publicUnpublishRecipe: onRecipe('token'),
  installRecipe: onRecipe('session', {}),
  publicInstallRecipe: onRecipe('token', {}),
  reportRecipe: onRecipe('session', { reason: 'spam' }),
  compareAgentWithRecipe: onInstalled('session'),
  publicCompareAgentWithRecipe: onInstalled('token'),
  updateAgentFromRecipe: onInstalled('session', { version: 1, fields: [] }),
  publicUpdateAgentFromRecipe: onInstalled('token', { version: 1, fields: [] }),
  listRecipeReports: asAdmin(),
  dismissRecipeReports: asAdmin(),
  takeDownRecipe: asAdmin({ reason: 'Spam' }),
  restoreRecipe: asAdmin(),
}
