import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, signedIn, type WorkspaceOwner } from '../../../../test/factories.ts'
import { closeWithLedger, expectLedger } from '../../../../test/ledger.ts'
import { lasting } from '../../../../test/people.ts'
import { SEED, timesOf } from '../../../../test/torture/settings.ts'
import { lastingOwner } from '../../billing/billing.fixture.ts'
import { clearEarnings } from './clearance.ts'
import { completedOrder, payoutAccount, returnToBuyer } from './payouts.fixture.ts'

const HOUR = 3_600_000

const t = await testApp()
const admin = await lasting(t, await signedIn(t, { instanceAdmin: true }))
expectStatus(await admin.put('/api/v1/options/marketplace.clearance_days', { value: 1 }), 200)
expectStatus(await admin.put('/api/v1/options/marketplace.payout_min', { value: 1 }), 200)
afterAll(() => closeWithLedger(t))

/**
 * `rest`: of the price, after refunds. `left`: the seller's part of it. `booked`: what of that the order has in
 * `seller_pending`.
 */
type Order = { id: string; rest: bigint; left: bigint; booked: bigint; clears_at: number; isCleared: boolean }
/** The expected money of a seller, in minor units. */
type Model = {
  pending: bigint
  available: bigint
  owed: bigint
  open: Map<string, bigint>
  paid: bigint
  orders: Order[]
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** Subtracts a fee of a tenth from an amount. Half a minor unit of the fee is rounded to the even one. */
function sellersPart(rest: bigint) {
  const [whole, tenths] = [rest / 10n, rest % 10n]
  return rest - whole - (tenths > 5n || (tenths === 5n && whole % 2n === 1n) ? 1n : 0n)
}

function credit(model: Model, amount: bigint) {
  const taken = smaller(model.owed, amount)
  model.owed -= taken
  model.available += amount - taken
}

/** Steps by a number from 0 to 1, which selects among orders and payouts. */
const steps = {
  complete: async (model: Model, seller: WorkspaceOwner, size: number) => {
    const price = BigInt(100 + Math.floor(size * 100_000))
    const id = await completedOrder(t, seller, { price })
    const row = await t.deps.db.selectFrom('gig_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const left = BigInt(row.seller_payout)
    model.pending += left
    model.orders.push({
      id,
      rest: price,
      left,
      booked: left,
      clears_at: row.clears_at?.getTime() ?? 0,
      isCleared: false,
    })
  },
  clear: async (model: Model, _: WorkspaceOwner, size: number) => {
    t.advance(Math.floor(size * 60) * HOUR)
    await clearEarnings(t.deps)
    const due = model.orders.filter(({ clears_at, isCleared }) => !isCleared && clears_at <= t.clock.now().getTime())
    for (const order of due) {
      const amount = order.booked
      order.isCleared = true
      order.booked = 0n
      model.pending -= amount
      credit(model, amount)
    }
  },
  request: async (model: Model, seller: WorkspaceOwner, size: number) => {
    const amount = BigInt(Math.floor(size * 50_000))
    const response = await seller.post('/api/v1/marketplace/payouts', { currency: 'TRY', amount: Number(amount) / 100 })
    const isPossible = amount >= 100n && amount <= model.available - model.owed
    expect([amount, response.status]).toEqual([amount, isPossible ? 201 : amount < 100n ? 400 : 409])
    if (!isPossible) return
    model.available -= amount
    model.open.set(response.body.id, amount)
  },
  pay: async (model: Model, _: WorkspaceOwner, size: number) => {
    const [id, amount] = [...model.open][Math.floor(size * model.open.size)] ?? []
    if (!id || amount === undefined) return
    expectStatus(await admin.post(`/api/v1/admin/marketplace/payouts/${id}/paid`, { reference: 'EFT' }), 200)
    model.open.delete(id)
    model.paid += amount
  },
  giveBack: async (model: Model, seller: WorkspaceOwner, size: number) => {
    const [id, amount] = [...model.open][Math.floor(size * model.open.size)] ?? []
    if (!id || amount === undefined) return
    if (size < 0.5) expectStatus(await seller.post(`/api/v1/marketplace/payouts/${id}/cancel`), 200)
    else expectStatus(await admin.post(`/api/v1/admin/marketplace/payouts/${id}/failed`, { reason: 'Closed' }), 200)
    model.open.delete(id)
    credit(model, amount)
  },
  /** A refund or chargeback of an order, before or after its clearance. */
  chargeBack: async (model: Model, _: WorkspaceOwner, size: number) => {
    const order = model.orders[Math.floor(size * model.orders.length)]
    if (!order || order.rest === 0n) return
    const returned = size < 0.7 ? order.rest : order.rest / 2n + 1n
    if (returned > order.rest) return
    await returnToBuyer(t, order.id, returned)
    order.rest -= returned
    // The fee falls with the earnings.
    const left = sellersPart(order.rest)
    const amount = order.left - left
    order.left = left
    const fromPending = smaller(order.booked, amount)
    const fromAvailable = smaller(model.available, amount - fromPending)
    order.booked -= fromPending
    model.pending -= fromPending
    model.available -= fromAvailable
    model.owed += amount - fromPending - fromAvailable
  },
}
type Step = keyof typeof steps

const names = Object.keys(steps) as Step[]
const run = fc.array(fc.tuple(fc.constantFrom(...names), fc.double({ min: 0, max: 0.999, noNaN: true })), {
  minLength: 5,
  maxLength: 25,
})

// More of it: npm run torture -- payouts
test(`random earnings, clearances, payouts and chargebacks leave exactly what the rules say (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(run, async (commands) => {
      const seller = await lastingOwner({ t })
      expectStatus(await seller.put('/api/v1/marketplace/payout-account', payoutAccount), 200)
      const model: Model = { pending: 0n, available: 0n, owed: 0n, open: new Map(), paid: 0n, orders: [] }
      for (const [name, size] of commands) {
        await steps[name](model, seller, size)
        const { data } = expectStatus(await seller.get('/api/v1/marketplace/balance'), 200).body
        const { pending, available, owed } = model
        const shown = data[0] ?? { pending: 0, available: 0, owed: 0 }
        const wanted = { pending: Number(pending) / 100, available: Number(available) / 100, owed: Number(owed) / 100 }
        expect([name, shown]).toEqual([
          name,
          { ...(data[0] && { currency: 'TRY', held: 0, payout_min: 1 }), ...wanted },
        ])
        const earned = model.orders.reduce((sum, order) => sum + order.left, 0n)
        const open = [...model.open.values()].reduce((sum, amount) => sum + amount, 0n)
        expect(model.paid + open + available + pending - owed).toBe(earned)
      }
      const { data: lines } = expectStatus(
        await seller.get('/api/v1/marketplace/statement?currency=TRY&limit=1'),
        200,
      ).body
      const { pending, available, owed } = model
      expect(lines[0]?.balance_after ?? 0).toBe(Number(pending + available - owed) / 100)
    }),
    { numRuns: timesOf('PAYOUT_RUNS', 8), seed: SEED, endOnFailure: true },
  )
  await expectLedger(t)
})
