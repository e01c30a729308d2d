import type { FastifyInstance } from 'fastify'
import { Page, PageQuery } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { editor, user, viewer } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed, idParams } from '../../lib/http/schema/schema.ts'
import { Agent } from '../agents/record/agents.schema.ts'
import { installRecipe } from './installing/install.ts'
import { compareWithRecipe, updateFromRecipe } from './installing/updates.ts'
import { listRecipes, listVersions } from './list-recipes.ts'
import { changeRecipe, publishRecipe, unpublishRecipe } from './publishing/publish.ts'
import { readRecipe } from './recipe-record.ts'
import {
  ChangeRecipe,
  InstallRecipe,
  PublishRecipe,
  Recipe,
  RecipeDiff,
  RecipeQuery,
  RecipeVersion,
  UpdateFromRecipe,
} from './recipes.schema.ts'

export function catalogRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Agent recipes')
  const params = idParams('recipe')

  route.get('/catalog/agent-recipes', {
    operationId: 'listRecipes',
    summary: 'List agent recipes',
    description: 'Returns the published recipes of all workspaces, and those that come with Meydan.',
    access: user({ scope: 'recipes:read' }),
    query: RecipeQuery,
    response: { 200: Page(Recipe) },
    handler: ({ db, caller, query }) => listRecipes(db, caller, query),
  })
  route.post('/catalog/agent-recipes/publish', {
    operationId: 'publishRecipe',
    summary: 'Publish an agent as a recipe',
    description:
      'Shares the set-up of an agent: the fields of the response, and nothing else. Publishing it again adds a version, unless nothing changed. `400 recipe_unsafe` points to texts with keys, addresses, links or names of your workspace.',
    access: editor({ scope: 'recipes:write' }),
    body: PublishRecipe,
    response: { 201: Recipe },
    handler: ({ deps, caller, body }) => publishRecipe(deps, caller, body),
  })
  route.get('/catalog/agent-recipes/:id', {
    operationId: 'readRecipe',
    summary: 'Retrieve an agent recipe',
    description: 'Returns a recipe with everything that an install copies.',
    access: user({ scope: 'recipes:read' }),
    params,
    response: { 200: Recipe },
    handler: ({ db, caller, params }) => readRecipe(db, caller, params.id),
  })
  route.get('/catalog/agent-recipes/:id/versions', {
    operationId: 'listRecipeVersions',
    summary: 'List versions of an agent recipe',
    description: 'Returns the versions of a recipe, newest first. A version never changes.',
    access: user({ scope: 'recipes:read' }),
    params,
    query: Closed(PageQuery),
    response: { 200: Page(RecipeVersion) },
    handler: ({ db, caller, params, query }) => listVersions(db, caller, params.id, query),
  })
  route.patch('/catalog/agent-recipes/:id', {
    operationId: 'changeRecipe',
    summary: 'Update an agent recipe',
    description: 'Changes how the catalog shows a recipe of the workspace. The change is a new version.',
    access: editor({ scope: 'recipes:write' }),
    params,
    body: ChangeRecipe,
    response: { 200: Recipe },
    handler: ({ deps, caller, params, body, ifMatch }) => changeRecipe(deps, caller, params.id, body, ifMatch),
  })
  route.post('/catalog/agent-recipes/:id/unpublish', {
    operationId: 'unpublishRecipe',
    summary: 'Unpublish an agent recipe',
    description:
      'Takes a recipe of the workspace out of the catalog. Agents that were installed from it stay. Publish the agent again to show it.',
    access: editor({ scope: 'recipes:write' }),
    params,
    response: { 200: Recipe },
    handler: ({ deps, caller, params }) => unpublishRecipe(deps, caller, params.id),
  })
  route.post('/catalog/agent-recipes/:id/install', {
    operationId: 'installRecipe',
    summary: 'Install an agent recipe',
    description:
      'Makes an inactive agent from the newest version of a recipe, in the time zone and the language of the workspace. Without `account_ids` it gets all connected accounts. Its posts wait for approval or stay drafts.',
    access: editor({ scope: 'recipes:write', subscription: true, feature: 'ai.agents' }),
    params,
    body: InstallRecipe,
    response: { 201: Agent },
    handler: ({ deps, caller, params, body }) => installRecipe(deps, caller, params.id, body),
  })
  route.get('/agents/:id/recipe-diff', {
    operationId: 'compareAgentWithRecipe',
    summary: 'Compare an agent with its recipe',
    description:
      'Returns the fields in which an installed agent differs from the newest version of its recipe, if that is newer than its own. Its `ETag` is that of the agent. 404 for an agent without a recipe.',
    access: viewer({ scope: 'agents:read' }),
    params: idParams('agent'),
    response: { 200: RecipeDiff },
    handler: ({ deps, caller, params }) => compareWithRecipe(deps, caller, params.id),
  })
  route.post('/agents/:id/recipe-update', {
    operationId: 'updateAgentFromRecipe',
    summary: 'Update an agent from its recipe',
    description:
      'Takes the chosen fields of the newest version of its recipe. Schedule and accounts stay. `auto` becomes `approve`. `If-Match` with the `ETag` of the comparison refuses the update when the agent has changed since.',
    access: editor({ scope: 'agents:write', feature: 'ai.agents' }),
    params: idParams('agent'),
    body: UpdateFromRecipe,
    response: { 200: Agent },
    takesIfMatch: true,
    handler: ({ deps, caller, params, body, ifMatch }) => updateFromRecipe(deps, caller, params.id, body, ifMatch),
  })
}
