import { ordered, orderedAndPaid } from '../../server/modules/marketplace/orders/orders.fixture.ts'
import { expectStatus } from '../factories.ts'
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

/** An order whose buyer is to get the price back by hand. */
async function refunded(context: RecipeContext) {
  const buyer = await context.callers.newOwner()
  const { id } = await orderedAndPaid(context.admin, buyer, await sold(context))
  expectStatus(await buyer.post(`/api/v1/marketplace/orders/${id}/withdraw`), 200)
  return { id: id as string }
}

export const orderRecipes: Record<string, Recipe> = {
  createOrder: async (context) => ({
    headers: asOwner(context).headers,
    body: { gig_id: (await sold(context)).id },
  }),
  readOrder: onOrder('session'),
  publicReadOrder: onOrder('token'),
  markOrderRefundPaid: async (context) => ({ path: await refunded(context), body: {} }),
  retryOrderRefund: async (context) => {
    const { id } = await refunded(context)
    await context.t.deps.db.updateTable('gig_order').set({ refund_status: 'failed' }).where('id', '=', id).execute()
    return { path: { id } }
  },
  withdrawOrder: onOrder('session'),
}
