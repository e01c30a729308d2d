import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../../test/factories.ts'
import { publishedGig } from '../../../../../test/gigs.ts'
import { expectLedger } from '../../../../../test/ledger.ts'
import { lasting } from '../../../../../test/people.ts'
import { type Billing, billingApp, payOnPage, settle } from '../../../billing/billing.fixture.ts'
import { expireCheckouts } from '../../../billing/checkouts/close-checkout.ts'
import { buyerOfIyzico, buyer as payer } from '../../../billing/providers/iyzico/iyzico.fixture.ts'
import { doOn, ordered, readOrder } from '../orders.fixture.ts'

const HOUR = 3_600_000

let billing: Billing
let buyer: WorkspaceOwner
let seller: WorkspaceOwner
beforeAll(async () => {
  billing = await billingApp('stripe')
  expectStatus(await billing.admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
  buyer = await buyerOfIyzico(billing)
  seller = await lasting(billing.t, await withWorkspace(billing.t))
})
afterAll(() => billing.close())

describe.each(['stripe', 'iyzico', 'paytr'] as const)('an order at %s', (provider) => {
  async function open(): Promise<{ id: string; checkout: { url: string } }> {
    expectStatus(await billing.admin.put('/api/v1/options/billing.provider', { value: provider }), 200)
    return ordered(buyer, await publishedGig(seller, { price: 1499.99 }), { buyer: payer })
  }
  const movedAt = () =>
    billing.world.journal
      .charges()
      .filter((charge) => charge.provider === provider)
      .at(-1)

  test.each(['before', 'after'])(
    'that is paid and ends unpaid %s that is known gets its payment back',
    async (when) => {
      const { world, t } = billing
      const order = await open()
      world.webhooks.hold()
      payOnPage(world, provider, order.checkout.url)
      t.advance(2 * HOUR)
      await expireCheckouts(t.deps)
      expect(await readOrder(buyer, order)).toMatchObject({ status: 'expired', refund_amount: 0 })
      // The page is read once more when it closes, perhaps before the provider reports the payment.
      if (when === 'before') await t.runJobs()
      await world.webhooks.release()
      await settle(billing)
      t.advance(HOUR)
      await settle(billing)
      expect(await readOrder(buyer, order)).toMatchObject({ status: 'expired', refund_amount: 0 })
      expect(movedAt()?.amount).toBe(149_999n)
      expect(world.journal.net(movedAt()?.id)).toBe(0n)
      await expectLedger(t)
    },
  )

  test('that the seller declines before the provider lists its payment is refunded once that is listed', async () => {
    const { world, t } = billing
    const order = await open()
    payOnPage(world, provider, order.checkout.url)
    await settle(billing)
    world.iyzico.settings.reportedAfterMs = HOUR
    await doOn(seller, order.id, 'cancel', { reason: 'Fully booked.' })
    await settle(billing)
    t.advance(2 * HOUR)
    await settle(billing)
    world.iyzico.settings.reportedAfterMs = 0
    await settle(billing)
    expect(await readOrder(buyer, order)).toMatchObject({ status: 'canceled', refund_status: 'succeeded' })
    expect(world.journal.net(movedAt()?.id)).toBe(0n)
    await expectLedger(t)
  })
})
