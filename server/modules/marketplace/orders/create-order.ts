import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { toMinor } from '../../../lib/money.ts'
import { openCheckout } from '../../billing/checkouts/open-checkout.ts'
import { insertOrderCheckout, orderProvider, resumeOrderCheckout } from '../../billing/checkouts/order-checkouts.ts'
import { lockBilling } from '../../billing/records/lock.ts'
import { hasSeller, isListed } from '../gigs/gig-record.ts'
import { sellerAccount } from '../payouts/balances.ts'
import { splitEarnings } from './record/earnings.ts'
import type { NewOrder } from './record/orders.schema.ts'
import { readRow, recordOf } from './record/orders.ts'

/** Milliseconds in which the same order again returns the first one, such as after a double click. */
const SAME_ORDER_MS = 10 * MINUTE

/**
 * Orders a gig on its terms of now, and opens the checkout. The same order of the same user, while the first waits for
 * its payment, returns the first.
 */
export async function createOrder(deps: Deps, caller: Member, input: Static<typeof NewOrder>) {
  const provider = await orderProvider(deps, input.buyer)
  const { order_id, isNew, checkout, opens } = await inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const same = await findSame(deps, tx, caller, input)
    const resumed = same && (await resumeOrderCheckout(deps, tx, same.checkout_id))
    if (same && resumed) return { order_id: same.id, isNew: false, checkout: resumed.row, opens: resumed.isNew }
    const order = await insertOrder(deps, tx, caller, input)
    const { id: order_id, title: description, currency, price: amount } = order
    const sold = { order_id, description, provider: provider.name, currency, amount }
    const checkout = await insertOrderCheckout(deps, tx, caller, sold)
    return { order_id, isNew: true, checkout, opens: true }
  })
  await openCheckout(deps, caller, checkout, { isNew: opens, buyer: input.buyer })
  return { order: recordOf(await readRow(deps.db, order_id), true), isNew }
}

const findSame = ({ clock }: Pick<Deps, 'clock'>, tx: Tx, caller: Member, input: Static<typeof NewOrder>) =>
  tx
    .selectFrom('gig_order')
    .innerJoin('checkout', 'checkout.order_id', 'gig_order.id')
    .select(['gig_order.id', 'checkout.id as checkout_id'])
    .where('gig_order.gig_id', '=', input.gig_id)
    .where('buyer_id', '=', caller.user_id)
    .where('buyer_workspace_id', '=', caller.workspace_id)
    .where('gig_order.status', '=', 'pending_payment')
    .where('checkout.status', '=', 'open')
    .where('requirements', 'is not distinct from', input.requirements ?? null)
    .where('gig_order.created_at', '>', new Date(clock.now().getTime() - SAME_ORDER_MS))
    .executeTakeFirst()

/** Copies the terms of the gig, which is locked: a change of them is before or after the order. */
async function insertOrder(
  { clock, options }: Pick<Deps, 'clock' | 'options'>,
  tx: Tx,
  caller: Member,
  input: Static<typeof NewOrder>,
) {
  const now = clock.now()
  const gig = await lockPublicGig(tx, input.gig_id)
  if (gig.owner_id === caller.user_id || gig.workspace_id === caller.workspace_id) throw problem('own_gig')
  const { shown } = input
  if (shown && (shown.currency !== gig.currency || toMinor(shown.price, '/shown/price') !== BigInt(gig.price)))
    throw problem('price_changed')
  const fee_bps = await options.get('marketplace.fee_bps')
  const { platform_fee, seller_payout } = splitEarnings(BigInt(gig.price), fee_bps)
  const order = await tx
    .insertInto('gig_order')
    .values({
      gig_id: gig.id,
      seller_id: gig.owner_id,
      seller_workspace_id: gig.workspace_id,
      seller_account: sellerAccount({ user_id: gig.owner_id, workspace_id: gig.workspace_id }),
      buyer_id: caller.user_id,
      buyer_workspace_id: caller.workspace_id,
      title: gig.title,
      price: gig.price,
      currency: gig.currency,
      delivery_days: gig.delivery_days,
      fee_bps,
      platform_fee: String(platform_fee),
      seller_payout: String(seller_payout),
      revisions_allowed: await options.get('marketplace.revisions'),
      requirements: input.requirements ?? null,
      requirements_at: input.requirements === undefined ? null : now,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, caller, 'order.created', order.id, { gig_id: gig.id, price: gig.price, currency: gig.currency })
  return order
}

/** A gig that can be ordered. Its row cannot change until the commit. */
async function lockPublicGig(tx: Tx, id: string) {
  const gig = await tx
    .selectFrom('gig')
    .selectAll()
    .where('gig.id', '=', id)
    .where(isListed)
    .where(hasSeller)
    .forShare()
    .executeTakeFirst()
  if (!gig?.owner_id) throw notFound()
  return { ...gig, owner_id: gig.owner_id }
}
