import { ordered } from '../../server/modules/marketplace/orders/ordering.fixture.ts'
import { withWorkspace } from '../factories.ts'
import { publishedGig } from '../gigs.ts'
import type { Fixture } from './fixture.ts'
import type { Make } from './resources.ts'

const sold = async ({ t }: Fixture) => publishedGig(await withWorkspace(t))

const order: Make = async (fixture) => ({ id: (await ordered(fixture.owner, await sold(fixture))).id })

export const orderResources: Record<string, Make> = { orders: order }

export const orderSamples: Record<string, Make> = {
  // The same order again returns the first.
  'POST /marketplace/orders': async (fixture) => ({
    body: { gig_id: (await ordered(fixture.owner, await sold(fixture))).gig_id },
  }),
  'POST /marketplace/orders/:id/withdraw': order,
}
