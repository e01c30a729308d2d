import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { invalidTransition, notFound, Problem, problem } from '../../../errors.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { failCheckout } from '../checkouts/close-checkout.ts'
import { insertPaymentRequest, requestPayment } from '../checkouts/insert-payment-request.ts'
import { openCheckout } from '../checkouts/open-checkout.ts'
import { invoiceRenewal } from '../invoices/subscription-invoices.ts'
import { problemOf } from '../providers/provider-problem.ts'
import { providerOf } from '../providers/registry.ts'
import { type CheckoutRow, paysPlan, readRow, recordOf } from '../records/checkouts.ts'
import { lockBilling } from '../records/lock.ts'
import { findLive, type SubscriptionRow } from '../records/subscriptions.ts'
import { syncCheckout } from './settle-checkout.ts'

/** A renewal can be paid until long after the deadline: it is withdrawn when the subscription ends. */
const OPEN_MS = 365 * DAY

/**
 * Asks for the payment of the next period of a subscription that Meydan renews: a checkout, an open invoice, and a
 * payment request if an instance admin decides. Repeating it changes nothing. Returns whether it issued the renewal.
 */
export async function issueRenewal(deps: Deps, tx: Tx, row: SubscriptionRow) {
  if (!row.workspace_id) return false
  const amount = row.pending_amount ?? row.amount
  const checkout = await tx
    .insertInto('checkout')
    .values({
      workspace_id: row.workspace_id,
      purpose: 'renewal',
      subscription_id: row.id,
      plan_code: row.pending_plan_code ?? row.plan_code,
      billing_period: row.pending_period ?? row.billing_period,
      currency: row.billing_currency,
      amount,
      period_amount: amount,
      provider: row.provider,
      kind: providerOf(row.provider).kind,
      created_at: deps.clock.now(),
      expires_at: new Date(row.current_period_end.getTime() + OPEN_MS),
    })
    // The index is found by its condition as written there, and never by one with parameters.
    .onConflict((conflict) =>
      conflict.columns(['subscription_id']).where(sql<boolean>`status = 'open' and purpose = 'renewal'`).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (!checkout || !paysPlan(checkout)) return false
  await invoiceRenewal(tx, deps, { checkout, subscription: row })
  if (checkout.kind === 'payment_request') await requestPayment(tx, deps, checkout)
  return true
}

type Needs = Pick<Deps, 'clock' | 'lifecycle'>

/** Fails a checkout. A renewal that was open is replaced, so that it can be paid again. */
export async function replaceRenewal(deps: Needs, tx: Tx, row: CheckoutRow, failure: string) {
  if ((await failCheckout(deps, tx, row, failure)) && row.purpose === 'renewal') return issueAgain(deps, tx, row)
}

async function issueAgain(deps: Needs, tx: Tx, row: CheckoutRow) {
  const now = deps.clock.now()
  const { workspace_id, subscription_id, plan_code, billing_period, currency, amount, period_amount, provider, kind } =
    row
  const next = await tx
    .insertInto('checkout')
    .values({
      ...{ workspace_id, subscription_id, plan_code, billing_period, currency, amount, period_amount, provider, kind },
      purpose: 'renewal',
      created_at: now,
      expires_at: new Date(now.getTime() + OPEN_MS),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('invoice')
    .set({ checkout_id: next.id })
    .where('checkout_id', '=', row.id)
    .where('status', '=', 'open')
    .execute()
  if (next.kind === 'payment_request') await insertPaymentRequest(tx, next)
  return next
}

/**
 * Opens a renewal at the provider for the person who pays it. When its former page there has closed, the renewal is
 * replaced, so the response may have another id.
 */
export async function openRenewal(deps: Deps, caller: Member, id: string) {
  await syncIfClosed(deps, caller, id)
  const { row, isNew } = await inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const checkout = await tx
      .selectFrom('checkout')
      .selectAll()
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .executeTakeFirst()
    if (!checkout) throw notFound()
    if (checkout.status !== 'open') throw invalidTransition(checkout.status, 'pay a checkout')
    if (checkout.purpose === 'renewal' && (await findLive(tx, caller.workspace_id))?.cancel_at_period_end)
      throw problem('invalid_transition', { detail: 'Resume the subscription first.', extra: { state: 'canceled' } })
    if (checkout.purpose !== 'renewal' || checkout.expires_at > deps.clock.now())
      return { row: checkout, isNew: checkout.purpose === 'renewal' && checkout.provider_ref === null }
    await failCheckout(deps, tx, checkout, 'The page to pay at has closed.')
    return { row: await issueAgain(deps, tx, checkout), isNew: true }
  })
  try {
    return await recordOf(deps, await openCheckout(deps, caller, row, { isNew }))
  } catch (error) {
    const next = isNew && (await replaceUnopened(deps, row))
    // The provider refuses an id for which it opened a page before, to a call that was killed.
    if (!next || !(error instanceof Problem && error.code === 'billing_refused')) throw error
    return recordOf(deps, await openCheckout(deps, caller, next, { isNew: true }))
  }
}

/** The provider may know the id of the renewal already, although it gave no page for it. */
const replaceUnopened = (deps: Deps, { id, workspace_id }: CheckoutRow) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, workspace_id)
    const row = await readRow(tx, id)
    if (row.provider_ref === null) return replaceRenewal(deps, tx, row, 'The page to pay at could not be opened.')
  })

/** The payment on a page that has closed may not be reported yet. */
async function syncIfClosed(deps: Deps, { workspace_id }: Member, id: string) {
  const closed = await deps.db
    .selectFrom('checkout')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('status', '=', 'open')
    .where('provider_ref', 'is not', null)
    .where('expires_at', '<=', deps.clock.now())
    .executeTakeFirst()
  if (!closed) return
  try {
    await syncCheckout(deps, { checkout_id: id })
  } catch (error) {
    throw problemOf(error)
  }
}
