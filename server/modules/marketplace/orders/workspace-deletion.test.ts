import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { publishedGig } from '../../../../test/gigs.ts'
import { type Billing, billingApp, settle } from '../../billing/billing.fixture.ts'
import { ordered, readOrder } from './orders.fixture.ts'

let billing: Billing
let buyer: WorkspaceOwner
let seller: WorkspaceOwner
let gig: { id: string; price: number }
beforeAll(async () => {
  billing = await billingApp('stripe')
  expectStatus(await billing.admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
  seller = await withWorkspace(billing.t)
  gig = await publishedGig(seller)
})
beforeEach(async () => {
  buyer = await withWorkspace(billing.t)
})
afterAll(() => billing.close())

const sessionOf = ({ checkout }: { checkout: { url: string } }) =>
  String(billing.world.stripe.sessions().find(({ url }) => url === checkout.url)?.id)

/** Orders that wait for the payment, for the acceptance, and for the delivery. */
async function threeOrders() {
  const [unpaid, pending, accepted] = [
    await ordered(buyer, gig, { requirements: 'One.' }),
    await ordered(buyer, gig, { requirements: 'Two.' }),
    await ordered(buyer, gig, { requirements: 'Three.' }),
  ]
  for (const order of [pending, accepted]) expect(billing.world.stripe.payCheckout(sessionOf(order)).paid).toBe(true)
  await settle(billing)
  expectStatus(await seller.patch(`/api/v1/marketplace/orders/${accepted.id}/accept`), 200)
  return { unpaid, pending, accepted }
}

async function deleteWorkspaceOf(owner: WorkspaceOwner) {
  const { name } = expectStatus(await owner.get('/api/v1/workspace'), 200).body
  expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
}

const restore = async () => expectStatus(await buyer.post(`/api/v1/workspaces/${buyer.workspace_id}/restore`), 200)

test('deleting the workspace of a buyer withdraws its orders that no seller accepted, and returns what was paid', async () => {
  const { unpaid, pending, accepted } = await threeOrders()
  const session = sessionOf(unpaid)
  await deleteWorkspaceOf(buyer)
  await settle(billing)
  const refunded = { status: 'canceled', canceled_by: 'buyer', refund_amount: gig.price, refund_status: 'succeeded' }
  expect(await readOrder(seller, pending)).toMatchObject(refunded)
  expect(await readOrder(seller, accepted)).toMatchObject({ status: 'in_progress', refund_amount: 0 })
  const { sessions } = billing.world.stripe
  expect(sessions().find(({ id }) => id === session)).toMatchObject({ status: 'expired' })
  await restore()
  expect(await readOrder(buyer, unpaid)).toMatchObject({ status: 'expired', checkout: null })
})

test('orders go on when the workspace of their buyer is restored at once', async () => {
  const { unpaid, pending } = await threeOrders()
  await deleteWorkspaceOf(buyer)
  await restore()
  await settle(billing)
  expect(await readOrder(buyer, unpaid)).toMatchObject({ status: 'pending_payment' })
  expect(await readOrder(buyer, pending)).toMatchObject({ status: 'pending' })
})
