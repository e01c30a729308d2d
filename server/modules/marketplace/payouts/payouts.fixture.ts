import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, type Person, signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { publishedGig } from '../../../../test/gigs.ts'
import { lasting } from '../../../../test/people.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Currency } from '../../../lib/db/database-types.ts'
import { limitConcurrency } from '../../../lib/runtime/concurrency/concurrency-limit.ts'
import { recordRefund } from '../../billing/payments/refunds.ts'
import type { Values } from '../../options/catalogue.ts'
import { delivery, doOn, orderedAndPaid } from '../orders/orders.fixture.ts'
import { clearEarnings } from './clearance.ts'

type Terms = { price?: bigint; currency?: Currency; fee_bps?: number; title?: string; clearance_days?: number }

type Others = { admin: Person; buyer: WorkspaceOwner; inTurn: ReturnType<typeof limitConcurrency> }
const othersOf = new WeakMap<TestApp, Promise<Others>>()

/**
 * The buyer of all orders of an instance, and the instance admin who approves their payments. `inTurn`: orders are made one
 * after the other, because their terms are options of the instance.
 */
function others(t: TestApp) {
  const make = async () => {
    const admin = await lasting(t, await signedIn(t, { instanceAdmin: true }))
    return { admin, buyer: await lasting(t, await withWorkspace(t)), inTurn: limitConcurrency(1) }
  }
  const made = othersOf.get(t) ?? make()
  othersOf.set(t, made)
  return made
}

const within = ({ workspace_id }: WorkspaceOwner) => ({ 'x-workspace-id': workspace_id })

/** An order that was paid by hand and completes now. Amounts in minor units. Returns its id. */
export async function completedOrder(t: TestApp, person: WorkspaceOwner, terms: Terms = {}): Promise<string> {
  const { inTurn, ...people } = await others(t)
  return inTurn(() => completeOrder(t, person, { ...people, ...terms }))
}

async function completeOrder(
  t: TestApp,
  person: WorkspaceOwner,
  terms: Terms & Pick<Others, 'admin' | 'buyer'>,
): Promise<string> {
  const { price = 100_000n, currency = 'TRY', fee_bps = 1000, title = 'Ten posts', clearance_days } = terms
  const { admin, buyer } = terms
  const seller = person.with(within(person))
  const withOption = async <T>(name: keyof Values, value: unknown, work: () => Promise<T>) => {
    const put = async (wanted: unknown) =>
      expectStatus(await admin.put(`/api/v1/options/${name}`, { value: wanted }), 200)
    const former = await t.deps.options.get(name)
    if (former === value) return work()
    await put(value)
    const result = await work()
    await put(former)
    return result
  }
  const gig = await publishedGig(seller, { title, currency, price: Number(price) / 100 })
  const order = () => orderedAndPaid(admin, buyer, gig)
  const byHand = () => withOption('billing.provider', 'manual', order)
  const { id } = await withOption('marketplace.fee_bps', fee_bps, byHand)
  await doOn(seller, id, 'accept')
  await doOn(seller, id, 'deliver', delivery)
  const complete = () => doOn(buyer, id, 'complete')
  if (clearance_days === undefined) await complete()
  else await withOption('marketplace.clearance_days', clearance_days, complete)
  return id
}

/** Returns a part of the price of a completed order to its buyer, in minor units, as an instance admin notes it. */
export const returnToBuyer = ({ deps }: TestApp, order_id: string, amount: bigint) =>
  inTransaction(deps.db, async (tx) => {
    const payment = await tx
      .selectFrom('payment')
      .selectAll()
      .where('order_id', '=', order_id)
      .executeTakeFirstOrThrow()
    await recordRefund(deps, tx, payment, { amount, reason: 'test', requested_by: null })
  })

/** An order whose earnings are available. Returns its id. */
export async function clearedOrder(t: TestApp, seller: WorkspaceOwner, terms: Terms = {}) {
  const id = await completedOrder(t, seller, { ...terms, clearance_days: 0 })
  await clearEarnings(t.deps)
  return id
}

export const payoutAccount = { holder: 'Ada Lovelace', iban: 'TR33 0006 1005 1978 6457 8413 26' }

/** A seller with 900 TRY available and a payout account. */
export async function withEarnings(t: TestApp, seller: WorkspaceOwner, account: object = payoutAccount) {
  await clearedOrder(t, seller)
  expectStatus(await seller.put('/api/v1/marketplace/payout-account', account, within(seller)), 200)
  return seller
}

/** Requests a payout, as a whole unless an amount is given. Returns its record. */
export const requested = async (seller: WorkspaceOwner, amount?: number) =>
  expectStatus(await seller.post('/api/v1/marketplace/payouts', { currency: 'TRY', amount }, within(seller)), 201).body
