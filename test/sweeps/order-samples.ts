import { ordered, orderedAndPaid } from '../../server/modules/marketplace/orders/orders.fixture.ts'
import { expectStatus, withWorkspace } from '../factories.ts'
import { publishedGig } from '../gigs.ts'
import type { Fixture } from './fixture.ts'
import type { Make } from './resources.ts'

const sold = async ({ t }: Fixture) => publishedGig(await withWorkspace(t))

const order: Make = async (fixture) => ({ id: (await ordered(fixture.owner, await sold(fixture))).id })

/** An order whose buyer is to get the price back by hand. */
async function refunded(fixture: Fixture) {
  const { id } = await orderedAndPaid(fixture.admin, fixture.owner, await sold(fixture))
  expectStatus(await fixture.owner.post(`/api/v1/marketplace/orders/${id}/withdraw`), 200)
  return { id: id as string }
}

/** The same, as if the provider had refused. */
const failedRefund: Make = async (fixture) => {
  const { id } = await refunded(fixture)
  await fixture.t.deps.db.updateTable('gig_order').set({ refund_status: 'failed' }).where('id', '=', id).execute()
  return { id }
}

export const orderResources: Record<string, Make> = { refunds: refunded }

export const orderSamples: Record<string, Make> = {
  // The same order again returns the first.
  'POST /marketplace/orders': async (fixture) => {
    const body = { gig_id: (await sold(fixture)).id, requirements: 'Warm colors.' }
    await ordered(fixture.owner, { id: body.gig_id }, body)
    return { body }
  },
  'POST /marketplace/orders/:id/withdraw': order,
  'POST /admin/marketplace/refunds/:id/paid': async (fixture) => ({ ...(await refunded(fixture)), body: {} }),
  'POST /admin/marketplace/refunds/:id/retry': failedRefund,
  'GET /admin/marketplace/refunds': async (fixture) => {
    await refunded(fixture)
    return {}
  },
}
