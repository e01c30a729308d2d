import { readyAgent } from '../agents.ts'
import { expectStatus, signedIn, withWorkspace } from '../factories.ts'
import { installedAgent, orphanRecipe, privateRecipe } from '../recipes.ts'
import type { Fixture } from './fixture.ts'
import type { Make } from './resources.ts'

const listed = async ({ t }: Pick<Fixture, 't'>) => orphanRecipe(await withWorkspace(t))
const reported: Make = async (fixture) => {
  const { id } = await listed(fixture)
  const reporter = await signedIn(fixture.t)
  expectStatus(await reporter.post(`/api/v1/catalog/agent-recipes/${id}/report`, { reason: 'spam' }), 201)
  return { id }
}
const hidden: Make = ({ owner }) => privateRecipe(owner)
const installed: Make = async ({ owner }) => {
  const { id } = await installedAgent(owner, (await privateRecipe(owner)).id)
  return { id }
}

export const recipeResources: Record<string, Make> = { 'agent-recipes': hidden }

export const recipeSamples: Record<string, Make> = {
  'GET /catalog/agent-recipes': listed,
  'GET /admin/agent-recipes/:id/reports': reported,
  'POST /catalog/agent-recipes/publish': async ({ owner }) => ({
    body: { agent_id: (await readyAgent(owner)).id, category: 'food' },
  }),
  'PATCH /catalog/agent-recipes/:id': async (fixture) => ({ ...(await hidden(fixture)), body: { category: 'other' } }),
  'POST /catalog/agent-recipes/:id/install': async (fixture) => ({
    ...(await hidden(fixture)),
    body: { name: 'Soup of the day' },
  }),
  'POST /catalog/agent-recipes/:id/report': async (fixture) => ({
    ...(await listed(fixture)),
    body: { reason: 'spam' },
  }),
  'POST /admin/agent-recipes/:id/take-down': async (fixture) => ({
    ...(await listed(fixture)),
    body: { reason: 'Spam' },
  }),
  'GET /agents/:id/recipe-diff': installed,
  'POST /agents/:id/recipe-update': async (fixture) => ({
    ...(await installed(fixture)),
    body: { version: 1, fields: ['system_prompt'] },
  }),
}
