import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY, HOUR } from '../../../../shared/time.ts'
import type { ApiResponse, Client } from '../../../../test/client.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { publishedGig } from '../../../../test/gigs.ts'
import { expectLedger } from '../../../../test/ledger.ts'
import { lasting } from '../../../../test/people.ts'
import { SEED, timesOf } from '../../../../test/torture/settings.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { type Billing, billingApp, payOnPage, settle } from '../../billing/billing.fixture.ts'
import { expireCheckouts } from '../../billing/checkouts/close-checkout.ts'
import { enqueueRefundSync } from '../../billing/providers/enqueue-sync.ts'
import { buyerOfIyzico, buyer as payer } from '../../billing/providers/iyzico/iyzico.fixture.ts'
import { clearEarnings } from '../payouts/clearance.ts'
import { type Model, type MoveName, moves, pass, returned, type Side, shares } from './order-model.fixture.ts'
import { delivery, earningsIn, moneyOfOrder, ordered, readOrder } from './orders.fixture.ts'
import { runOrderTimers } from './run-timers.ts'

const orders = '/api/v1/marketplace/orders'
const disputes = '/api/v1/admin/marketplace/disputes'

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

type Provider = 'stripe' | 'iyzico' | 'paytr'
type Real = { id: string; provider: Provider; url: string }

const now = () => billing.t.clock.now().getTime()
const major = (minor: bigint) => Number(minor) / 100
let deliveries = 0

/** The request of each move. `amount`: in major units. */
const requests: Record<MoveName, (who: Client, id: string, amount: number) => Promise<ApiResponse>> = {
  accept: (who, id) => who.patch(`${orders}/${id}/accept`),
  requirements: (who, id) => who.post(`${orders}/${id}/requirements`, { requirements: 'Warm colors.' }),
  deliver: (who, id) => who.patch(`${orders}/${id}/deliver`, { ...delivery, notes: `Delivery ${++deliveries}.` }),
  revision: (who, id) => who.post(`${orders}/${id}/revision`, { reason: 'Brighter.' }),
  complete: (who, id) => who.patch(`${orders}/${id}/complete`),
  complete_by_admin: (_, id) => billing.admin.patch(`${orders}/${id}/complete`),
  withdraw: (who, id) => who.post(`${orders}/${id}/withdraw`),
  cancel: (who, id) => who.patch(`${orders}/${id}/cancel`, { reason: 'Fully booked.' }),
  dispute: (who, id) => who.post(`${orders}/${id}/dispute`, { reason: 'Nothing came.' }),
  withdraw_dispute: (who, id) => who.post(`${orders}/${id}/dispute/withdraw`),
  resolve: async (_, id, refund_amount) => {
    const { dispute } = await readOrder(buyer, { id })
    return billing.admin.post(`${disputes}/${dispute?.id ?? id}/resolve`, { refund_amount })
  },
  propose: (who, id, amount) => who.post(`${orders}/${id}/proposals`, { refund_amount: amount, reason: 'A part.' }),
  accept_proposal: (who, id) => onProposal(who, id, 'accept'),
  reject_proposal: (who, id) => onProposal(who, id, 'reject'),
  withdraw_proposal: (who, id) => onProposal(who, id, 'withdraw'),
}

async function onProposal(who: Client, id: string, action: string) {
  const { proposal } = await readOrder(buyer, { id })
  return who.post(`${orders}/${id}/proposals/${proposal?.id ?? id}/${action}`)
}

/** Minor units of a part of the price, at least one. */
const part = ({ price }: Model, bps: number) => (price * BigInt(bps)) / 10_000n || 1n

/** The charge of the order at its provider. */
const chargeOf = async ({ id }: Real) => {
  const row = await billing.t.deps.db
    .selectFrom('payment')
    .select(['id', 'provider_payment_id as ref'])
    .where('order_id', '=', id)
    .executeTakeFirst()
  return row
}

async function expectSame(model: Model, real: Real) {
  await settle(billing)
  const order = await readOrder(buyer, real)
  const { status, refund_amount, earned, dispute, proposal } = order
  const isProposed = proposal?.status === 'open' && new Date(proposal.expires_at).getTime() > now()
  expect({ status, refund_amount, dispute: dispute?.status === 'open', proposal: isProposed }).toEqual({
    status: model.status,
    refund_amount: major(model.refund),
    dispute: model.dispute !== null,
    proposal: model.proposal !== null,
  })
  const { rows } = await sql<{ sum: string; negative: number }>`
    select (select coalesce(sum(amount), 0) from ledger_entry) as sum,
      (select count(*)::int from ledger_account where kind = 'escrow' and balance < 0) as negative`.execute(
    billing.t.deps.db,
  )
  expect(rows).toEqual([{ sum: '0', negative: 0 }])
  const { escrow = 0, platform_fee = 0, provider_clearing: _, ...rest } = await moneyOfOrder(billing.t, real.id)
  const payout = earningsIn(rest)
  const left = Number(model.isPaid ? model.price - model.refund : 0n)
  const parts = model.status === 'completed' ? shares(model) : { fee: 0n, payout: 0n }
  const isEnded = ['completed', 'canceled', 'expired'].includes(model.status)
  expect({ escrow, platform_fee, payout, owed: rest.refunds_payable ?? 0 }).toEqual({
    escrow: isEnded ? 0 : left,
    platform_fee: Number(parts.fee),
    payout: Number(parts.payout),
    owed: 0,
  })
  if (isEnded) expect(earned).toBe(payout / 100)
  const ref = (await chargeOf(real))?.ref
  if (ref) expect(Number(billing.world.journal.net(ref))).toBe(left)
}

type Command = fc.AsyncCommand<Model, Real>
const command = (name: string, run: (model: Model, real: Real) => Promise<unknown>): Command => ({
  check: () => true,
  run: async (model, real) => {
    await run(model, real)
    await expectSame(model, real)
  },
  toString: () => name,
})

const acts = fc
  .tuple(
    fc.constantFrom(...(Object.keys(moves) as MoveName[])),
    fc.constantFrom<Side>('buyer', 'seller'),
    fc.integer({ min: 1, max: 10_000 }),
  )
  .map(([name, by, bps]) => act(name, by, bps))

const act = (name: MoveName, by: Side, bps: number) =>
  command(`${name} by ${by} of ${bps}`, async (model, { id }) => {
    const amount = part(model, bps)
    const response = await requests[name](by === 'buyer' ? buyer : seller, id, major(amount))
    const isAllowed = moves[name](model, now(), by, amount)
    expect([name, by, isAllowed ? [200, 201] : [403, 404, 409]]).toEqual([
      name,
      by,
      expect.arrayContaining([response.status]),
    ])
  })

const pay = command('pay', async (model, { provider, url }) => {
  if (model.status !== 'pending_payment') return
  payOnPage(billing.world, provider, url)
  Object.assign(model, { status: 'pending', isPaid: true, acceptBy: now() + 3 * DAY })
})

/** A payment that Meydan learns of after the order has ended. */
const payUnseen = command('pay unseen', async (model, { provider, url }) => {
  if (model.status !== 'pending_payment') return
  const { t, world } = billing
  world.webhooks.hold()
  payOnPage(world, provider, url)
  t.advance(model.payBy - now())
  await expireCheckouts(t.deps)
  await world.webhooks.release()
  pass(model, now())
})

const wait = fc.constantFrom(1, 20, 30, 80, 200, 400).map((hours) =>
  command(`wait ${hours} h`, async (model) => {
    const { t } = billing
    t.advance(hours * HOUR)
    await settle(billing)
    await runOrderTimers(t.deps)
    await clearEarnings(t.deps)
    pass(model, now())
  }),
)

/** A refund in the panel of the provider. */
const giveBack = fc.integer({ min: 1, max: 10_000 }).map((bps) =>
  command(`give back ${bps}`, async (model, real) => {
    const payment = await chargeOf(real)
    const left = model.price - model.refund
    if (!payment || !model.isPaid || left === 0n) return
    const amount = part(model, bps) < left ? part(model, bps) : left
    const { stripe, iyzico, paytr } = billing.world
    if (real.provider === 'stripe') stripe.refundInDashboard(payment.ref, Number(amount))
    else if (real.provider === 'iyzico') iyzico.refundInPanel(payment.ref, amount)
    else paytr.refundInPanel(payment.ref, amount)
    // iyzico and PayTR report it when they are asked, as each night.
    await inTransaction(billing.t.deps.db, (tx) => enqueueRefundSync(tx, payment.id))
    returned(model, amount)
  }),
)

/** The bank of the buyer takes back what is left. */
const chargeBack = command('charge back', async (model, real) => {
  const payment = await chargeOf(real)
  const left = model.price - model.refund
  if (real.provider !== 'stripe' || !payment || !model.isPaid || left === 0n) return
  const { stripe } = billing.world
  stripe.closeDispute(stripe.dispute(payment.ref), 'lost')
  returned(model, left)
})

const forwards: [MoveName, Side][] = [
  ['accept', 'seller'],
  ['deliver', 'seller'],
]
const commands = fc.commands(
  [
    ...[pay, pay, pay, payUnseen].map((each) => fc.constant(each)),
    ...forwards.flatMap(([name, by]) => [fc.constant(act(name, by, 1)), fc.constant(act(name, by, 1))]),
    fc.constant(act('complete', 'buyer', 1)),
    ...[acts, acts, acts, acts, acts, acts, wait, wait, giveBack, fc.constant(chargeBack)],
  ],
  { maxCommands: 25, size: 'max' },
)

const terms = fc.record({
  provider: fc.constantFrom<Provider>('stripe', 'iyzico', 'paytr'),
  price: fc.oneof(fc.constantFrom(100n, 100_000_000n, 99_999_999n), fc.bigInt({ min: 100n, max: 100_000_000n })),
  fee_bps: fc.constantFrom(0, 1, 333, 1000, 1255, 9999, 10_000),
})

async function begin({ provider, price, fee_bps }: { provider: Provider; price: bigint; fee_bps: number }) {
  const put = async (name: string, value: unknown) =>
    expectStatus(await billing.admin.put(`/api/v1/options/${name}`, { value }), 200)
  await put('billing.provider', provider)
  await put('marketplace.fee_bps', fee_bps)
  const { id, checkout } = await ordered(buyer, await publishedGig(seller, { price: major(price) }), { buyer: payer })
  const times = { payBy: new Date(checkout.expires_at).getTime(), acceptBy: 0, due: 0, completesAt: 0, disputeUntil: 0 }
  const model: Model = {
    ...{ status: 'pending_payment', price, fee_bps: BigInt(fee_bps), refund: 0n, isPaid: false },
    ...{ hasRequirements: false, revisions: 0, dispute: null, proposal: null },
    ...times,
  }
  const real: Real = { id, provider, url: checkout.url }
  return { model, real }
}

// More of it: npm run torture -- orders
test(`orders do what the rules of a small model say, and their money adds up after each step (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(terms, commands, async (given, steps) => {
      await fc.asyncModelRun(() => begin(given), steps)
    }),
    { numRuns: timesOf('ORDER_RUNS', 6), seed: SEED, endOnFailure: true },
  )
  await expectLedger(billing.t)
})
