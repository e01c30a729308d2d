import type { FastifyInstance } from 'fastify'
import { Page, PageQuery } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin, user } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams } from '../../../lib/http/schema/schema.ts'
import { listRecipesForAdmin } from './admin-record.ts'
import {
  AdminRecipe,
  AdminRecipeQuery,
  NewRecipeReport,
  OwnRecipeReport,
  RecipeReport,
  TakeDownRecipe,
} from './moderation.schema.ts'
import { dismissReports, listReports, reportRecipe } from './reports.ts'
import { restoreRecipe, takeDownRecipe } from './take-down.ts'

export function recipeModerationRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Agent recipes')
  const params = idParams('recipe')

  route.post('/catalog/agent-recipes/:id/report', {
    operationId: 'reportRecipe',
    summary: 'Report an agent recipe',
    description: 'Reports a recipe to the instance admins. A user reports a recipe once.',
    access: user(),
    params,
    body: NewRecipeReport,
    response: { 201: OwnRecipeReport },
    handler: ({ db, caller, params, body }) => reportRecipe(db, caller, params.id, body),
  })
  route.get('/admin/agent-recipes', {
    operationId: 'listRecipesForAdmin',
    summary: 'List the agent recipes of all workspaces',
    description: 'Returns recipes, published or not, newest first.',
    access: instanceAdmin(),
    query: AdminRecipeQuery,
    response: { 200: Page(AdminRecipe) },
    handler: ({ db, query }) => listRecipesForAdmin(db, query),
  })
  route.get('/admin/agent-recipes/:id/reports', {
    operationId: 'listRecipeReports',
    summary: 'List reports of an agent recipe',
    description: 'Returns reports, newest first.',
    access: instanceAdmin(),
    params,
    query: Closed(PageQuery),
    response: { 200: Page(RecipeReport) },
    handler: ({ db, params, query }) => listReports(db, params.id, query),
  })
  route.post('/admin/agent-recipes/:id/dismiss-reports', {
    operationId: 'dismissRecipeReports',
    summary: 'Dismiss the reports of an agent recipe',
    description: 'Closes the open reports of a recipe, which stays as it is. Repeating it changes nothing.',
    access: instanceAdmin(),
    params,
    response: { 200: AdminRecipe },
    handler: ({ deps, caller, params }) => dismissReports(deps, caller, params.id),
  })
  route.post('/admin/agent-recipes/:id/take-down', {
    operationId: 'takeDownRecipe',
    summary: 'Take down an agent recipe',
    description:
      'Hides a recipe, and sends the reason to its creator by mail. Agents that were installed from it stay. Hiding it again changes nothing.',
    access: instanceAdmin(),
    params,
    body: TakeDownRecipe,
    response: { 200: AdminRecipe },
    handler: ({ deps, caller, params, body }) => takeDownRecipe(deps, caller, params.id, body),
  })
  route.post('/admin/agent-recipes/:id/restore', {
    operationId: 'restoreRecipe',
    summary: 'Restore an agent recipe',
    description: 'Shows a recipe again that was taken down. Restoring it again changes nothing.',
    access: instanceAdmin(),
    params,
    response: { 200: AdminRecipe },
    handler: ({ deps, caller, params }) => restoreRecipe(deps, caller, params.id),
  })
}
