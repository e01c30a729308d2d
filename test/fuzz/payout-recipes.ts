import { payoutAccount, requested, withEarnings } from '../../server/modules/marketplace/payouts/payouts.fixture.ts'
import type { Recipe, RecipeContext } from './recipe-context.ts'

async function seller({ t, callers }: RecipeContext) {
  const owner = await callers.newOwner()
  await withEarnings(t, owner)
  return { owner, headers: { ...owner.headers, 'x-workspace-id': owner.workspace_id } }
}

const asSeller =
  (body?: object): Recipe =>
  async (context) => ({ headers: (await seller(context)).headers, ...(body && { body }) })

const payoutOfSeller: Recipe = async (context) => {
  const { owner, headers } = await seller(context)
  return { headers, path: { id: (await requested(owner)).id } }
}

const forAdmin =
  (body: object): Recipe =>
  async (context) => ({ path: { id: (await requested((await seller(context)).owner)).id }, body })

export const payoutRecipes: Record<string, Recipe> = {
  readPayoutAccount: asSeller(),
  setPayoutAccount: asSeller(payoutAccount),
  requestPayout: asSeller({ currency: 'TRY' }),
  readPayout: payoutOfSeller,
  cancelPayout: payoutOfSeller,
  markPayoutPaid: forAdmin({ reference: 'EFT 1' }),
  markPayoutFailed: forAdmin({ reason: 'The account is closed.' }),
  downloadPayoutBatch: async (context) => {
    await requested((await seller(context)).owner)
    const { body } = await context.admin.post('/api/v1/admin/marketplace/payouts/export', { currency: 'TRY' })
    return { path: { id: body.batch_id } }
  },
}
