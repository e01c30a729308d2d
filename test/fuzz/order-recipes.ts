import { ordered } from '../../server/modules/marketplace/orders/ordering.fixture.ts'
import { publishedGig } from '../gigs.ts'
import { asOwner, type Recipe, type RecipeContext } from './recipe-context.ts'

const sold = async ({ callers }: RecipeContext) => publishedGig(await callers.newOwner())

const onOrder =
  (credentials: 'session' | 'token'): Recipe =>
  async (context) => {
    const { client, headers } = asOwner(context)
    const buyer = client.with({ 'x-workspace-id': headers['x-workspace-id'] })
    const { id } = await ordered(buyer, await sold(context))
    return {
      headers: credentials === 'session' ? headers : context.callers.current().callers.allScopes.headers,
      path: { id },
    }
  }

export const orderRecipes: Record<string, Recipe> = {
  createOrder: async (context) => ({
    headers: asOwner(context).headers,
    body: { gig_id: (await sold(context)).id },
  }),
  readOrder: onOrder('session'),
  publicReadOrder: onOrder('token'),
  withdrawOrder: onOrder('session'),
}
