import type { Client } from '../../../../test/client.ts'
import { expectStatus } from '../../../../test/factories.ts'
import { pendingRequest } from '../../billing/billing.fixture.ts'

const path = '/api/v1/marketplace/orders'

/** Orders a gig: the record in `pending_payment`. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
export const ordered = async (buyer: Client, gig: { id: string }, more: object = {}): Promise<any> =>
  expectStatus(await buyer.post(path, { gig_id: gig.id, ...more }), 201).body

export const readOrder = async (who: Client, { id }: { id: string }) =>
  expectStatus(await who.get(`${path}/${id}`), 200).body

/** Approves the payment of an order that is paid by hand. `admin`: an instance admin. */
export async function approveOrder(admin: Client, { checkout }: { checkout: { id: string } }) {
  const request = await pendingRequest(admin, checkout.id)
  return expectStatus(await admin.post(`/api/v1/admin/payment-requests/${request.id}/approve`, {}), 200).body
}

/** Orders a gig, and pays it by hand. */
export async function orderedAndPaid(admin: Client, buyer: Client, gig: { id: string }, more: object = {}) {
  const order = await ordered(buyer, gig, more)
  await approveOrder(admin, order)
  return readOrder(buyer, order)
}
