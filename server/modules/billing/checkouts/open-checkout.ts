import { setTimeout } from 'node:timers/promises'
import { problem } from '../../../errors.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Buyer, Sale } from '../providers/provider.ts'
import { problemOf } from '../providers/provider-problem.ts'
import { priceRefOf, providerOf } from '../providers/registry.ts'
import { callbackUrl, returnPath } from '../providers/return-urls.ts'
import { type CheckoutRow, type PlanCheckoutRow, paysPlan, readRow } from '../records/checkouts.ts'
import { lockBilling } from '../records/lock.ts'
import { closeCheckout, failCheckout } from './close-checkout.ts'
import { PAY_MS } from './insert-checkout.ts'

/** Milliseconds to wait for another call that asks the provider for the same checkout, and between two looks. */
const WAIT_MS = 10_000
const LOOK_MS = 100

type Options = { isNew: boolean; buyer?: Partial<Buyer> | undefined }

/** Asks the provider for the checkout that was written before. Another call with the same terms waits for the first. */
export async function openCheckout(deps: Deps, caller: Member, row: CheckoutRow, { isNew, buyer }: Options) {
  if (row.kind === 'none' || row.kind === 'payment_request') return row
  if (!isNew) return waitUntilOpened(deps, row)
  const provider = providerOf(row.provider)
  try {
    const opened = await provider.openCheckout(deps, await saleOf(deps, caller, row, buyer))
    return await inTransaction(deps.db, async (tx) => {
      const after = await tx
        .updateTable('checkout')
        .set({
          provider_ref: opened.ref,
          url: opened.url,
          form_html: opened.form_html ?? null,
          expires_at: opened.expires_at,
          updated_at: deps.clock.now(),
        })
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      // Somebody chose another plan meanwhile.
      if (after.status !== 'open') await closeCheckout(tx, after, deps.clock.now())
      return after
    })
  } catch (error) {
    await failUnopened(deps, row, error)
    throw problemOf(error)
  }
}

/** A renewal is opened again later. */
const failUnopened = (deps: Deps, { id, workspace_id }: CheckoutRow, error: unknown) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, workspace_id)
    const row = await readRow(tx, id)
    if (row.purpose === 'renewal' || row.provider_ref !== null) return
    await failCheckout(deps, tx, row, error instanceof Error ? error.message : '')
  })

async function waitUntilOpened({ db }: Pick<Deps, 'db'>, row: CheckoutRow) {
  let current = row
  for (
    let waited = 0;
    current.provider_ref === null && current.status === 'open' && waited < WAIT_MS;
    waited += LOOK_MS
  ) {
    await setTimeout(LOOK_MS)
    current = await readRow(db, row.id)
  }
  if (current.provider_ref === null) throw problem('billing_unavailable', { retryAfter: 1 })
  return current
}

async function saleOf(deps: Deps, caller: Member, row: CheckoutRow, buyer: Options['buyer']): Promise<Sale> {
  const { workspace, user, last } = await readParties(deps, caller, row)
  const { currency, provider } = row
  return {
    checkout_id: row.id,
    workspace_id: row.workspace_id,
    ...(paysPlan(row) ? await planSale(deps, row) : { description: row.description ?? '', recurring: null }),
    amount: BigInt(row.amount),
    currency,
    payer: {
      email: user.email,
      name: user.name,
      ip: caller.ip ?? '127.0.0.1',
      locale: user.locale.startsWith('tr') ? 'tr' : 'en',
    },
    buyer: buyer?.name && buyer.surname && buyer.phone && buyer.identity_number ? (buyer as Buyer) : null,
    address: (workspace.billing_address as Sale['address']) ?? null,
    customer_id: last?.provider_customer_id ?? null,
    return_url: `${deps.baseUrl}${returnPath(workspace.slug, row)}`,
    callback_url: callbackUrl(deps, provider),
    // A renewal stays open for long, and its page does not.
    expires_at: new Date(Math.min(row.expires_at.getTime(), deps.clock.now().getTime() + PAY_MS)),
  }
}

async function planSale(deps: Deps, row: PlanCheckoutRow): Promise<Pick<Sale, 'description' | 'recurring'>> {
  const { currency, billing_period: period, trial_days, price_ref } = row
  const plan = await deps.db.selectFrom('plan').selectAll().where('code', '=', row.plan_code).executeTakeFirstOrThrow()
  const description = `${plan.name}, ${period}`
  if (!(await isRecurring(deps, row))) return { description, recurring: null }
  const ref = price_ref ?? priceRefOf(providerOf(row.provider), plan, { period, currency, trial: trial_days > 0 })
  return { description, recurring: { plan_code: plan.code, period, price_ref: ref, trial_days } }
}

async function readParties({ db }: Deps, caller: Member, row: CheckoutRow) {
  const [workspace, user, last] = await Promise.all([
    db.selectFrom('workspace').selectAll().where('id', '=', row.workspace_id).executeTakeFirstOrThrow(),
    db
      .selectFrom('user')
      .select(['email', 'name', 'locale'])
      .where('id', '=', caller.user_id)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('subscription')
      .select('provider_customer_id')
      .where('workspace_id', '=', row.workspace_id)
      .where('provider', '=', row.provider)
      // A provider may refuse a second currency for a customer.
      .where('billing_currency', '=', row.currency)
      .where('provider_customer_id', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return { workspace, user, last }
}

/** Whether a checkout begins a subscription at the provider. */
async function isRecurring({ db }: Pick<Deps, 'db'>, row: PlanCheckoutRow) {
  const provider = providerOf(row.provider)
  if (!provider.renews) return false
  if (row.subscription_id === null) return true
  const former = await db
    .selectFrom('subscription')
    .select(['billing_period', 'provider'])
    .where('id', '=', row.subscription_id)
    .executeTakeFirstOrThrow()
  return former.provider !== row.provider || provider.changesPlan(former.billing_period, row.billing_period) === 'none'
}
