import { completedOrder } from '../../server/modules/marketplace/payouts/payouts.fixture.ts'
import type { Make } from './resources.ts'

export const payoutResources: Record<string, Make> = {
  payouts: async ({ t, owner }) => ({ id: await completedOrder(t, owner) }),
}
