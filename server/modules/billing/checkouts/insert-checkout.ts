import type { Insertable } from 'kysely'
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts'
import { audit } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Checkout } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { providerOf } from '../providers/registry.ts'
import { type CheckoutRow, paysOrder } from '../records/checkouts.ts'
import { closeCheckout } from './close-checkout.ts'
import { requestPayment } from './insert-payment-request.ts'

/** Time to pay on a page. */
export const PAY_MS = HOUR
/** A payment request waits for a transfer and for an instance admin. */
const REQUEST_MS = 30 * DAY
/** Milliseconds after which a checkout without a page counts as abandoned. Longer than any call of a provider. */
const OPENING_MS = MINUTE

type Terms = Pick<
  CheckoutRow,
  'plan_code' | 'billing_period' | 'currency' | 'amount' | 'period_amount' | 'trial_days' | 'provider' | 'price_ref'
>

type Credit = Pick<CheckoutRow, 'credit' | 'credit_plan_code' | 'credit_period'>

/** The open checkout of the workspace that is not a renewal. */
const findOpen = (tx: Tx, workspace_id: string) =>
  tx
    .selectFrom('checkout')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('status', '=', 'open')
    .where('purpose', 'in', ['start', 'change'])
    .executeTakeFirst()

const same = (one: Terms, other: Terms) =>
  one.plan_code === other.plan_code &&
  one.billing_period === other.billing_period &&
  one.currency === other.currency &&
  BigInt(one.amount) === BigInt(other.amount) &&
  one.trial_days === other.trial_days &&
  one.price_ref === other.price_ref &&
  one.provider === other.provider

/** Whether the call that opens it at the provider was killed: it has no page, although no call takes that long. */
const isAbandoned = ({ kind, provider_ref, updated_at }: CheckoutRow, now: Date) =>
  kind !== 'payment_request' && provider_ref === null && now.getTime() - updated_at.getTime() > OPENING_MS

/**
 * Makes this call the one that opens an abandoned checkout. The provider may have a page for it already, which it
 * returns for the id of the checkout, so that there are not two pages to pay at.
 */
const takeOver = (tx: Tx, { id }: CheckoutRow, now: Date) =>
  tx.updateTable('checkout').set({ updated_at: now }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** An open checkout that is requested again. undefined: it is abandoned, and another one must replace it. */
export async function resumeCheckout(tx: Tx, row: CheckoutRow, now: Date) {
  if (!isAbandoned(row, now)) return { row, isNew: false }
  return row.kind === 'redirect' ? { row: await takeOver(tx, row, now), isNew: true } : undefined
}

/** Returns the open checkout with the same terms, or a new one that replaces it. Written before the provider is called. */
export async function insertCheckout(
  deps: Deps,
  tx: Tx,
  caller: Member,
  terms: Terms & Pick<CheckoutRow, 'purpose' | 'subscription_id'> & Partial<Credit>,
): Promise<{ row: CheckoutRow; isNew: boolean }> {
  const now = deps.clock.now()
  const open = await findOpen(tx, caller.workspace_id)
  if (open && open.purpose === terms.purpose && same(open, terms) && open.expires_at > now) {
    const resumed = await resumeCheckout(tx, open, now)
    if (resumed) return resumed
  }
  if (open) await closeCheckout(tx, open, now)
  const kind = BigInt(terms.amount) === 0n ? 'none' : providerOf(terms.provider).kind
  return { row: await writeCheckout(deps, tx, caller, { ...terms, kind }), isNew: true }
}

export type CheckoutDeps = Parameters<typeof requestPayment>[1]
type Written = Omit<
  Insertable<Checkout>,
  'workspace_id' | 'created_by' | 'created_at' | 'updated_at' | 'expires_at' | 'status'
>

/** Writes a checkout of a plan or an order, with a payment request if an instance admin decides. */
export async function writeCheckout(deps: CheckoutDeps, tx: Tx, caller: Member, values: Written) {
  const now = deps.clock.now()
  const row = await tx
    .insertInto('checkout')
    .values({
      ...values,
      workspace_id: caller.workspace_id,
      created_by: caller.user_id,
      created_at: now,
      updated_at: now,
      expires_at: new Date(now.getTime() + (values.kind === 'payment_request' ? REQUEST_MS : PAY_MS)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const { order_id, plan_code, billing_period: period, provider } = row
  const paid = paysOrder(row) ? { order_id } : { plan_code, period }
  await audit(tx, caller, 'checkout.created', row.id, { ...paid, provider })
  if (row.kind === 'payment_request') await requestPayment(tx, deps, row)
  return row
}
