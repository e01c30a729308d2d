import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Checkout as CheckoutTable } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { lockBilling } from '../lock.ts'
import { createPaymentRequest } from '../payment-requests/payment-requests.ts'
import { type Currency, type Period, type Provider, ProviderError } from '../providers/provider.ts'
import { assertConfigured, missingSettings, providerOf } from '../providers/registry.ts'
import { findLive } from '../subscriptions/subscriptions.ts'
import type { NewCheckout } from './checkouts.schema.ts'
import { closeCheckout } from './close.ts'
import { openAtProvider } from './open.ts'
import { completeCheckout } from './settle.ts'

export type CheckoutRow = Selectable<CheckoutTable>

/** Time to pay on a page. A payment request waits for a transfer and for an instance admin. */
export const PAY_MS = 60 * 60_000
const REQUEST_MS = 30 * 86_400_000
/** Longer than a provider is waited for. */
const OPENING_MS = 60_000

export async function recordOf({ options }: Pick<Deps, 'options'>, row: CheckoutRow) {
  const { billing_period: period, amount, status, url, kind, ...rest } = row
  return {
    ...rest,
    kind: kind as 'redirect',
    status,
    period,
    amount: toMajor(amount),
    url: status === 'open' ? url : null,
    instructions: kind === 'payment_request' ? (await options.get('billing.manual_instructions')) || null : null,
  }
}

/** Reads what the page that people come back to shows. */
export async function readCheckout(deps: Pick<Deps, 'db' | 'options'>, { workspace_id }: Member, id: string) {
  const row = await deps.db
    .selectFrom('checkout')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return recordOf(deps, row)
}

type Terms = Pick<
  CheckoutRow,
  'plan_code' | 'billing_period' | 'currency' | 'amount' | 'period_amount' | 'trial_days' | 'provider'
>

/** The price of a plan that is sold. Throws if it is not. */
export async function priceOf(db: Db, plan_code: string, period: Period, currency: Currency) {
  const plan = await db
    .selectFrom('plan')
    .selectAll()
    .where('code', '=', plan_code)
    .where('is_active', '=', true)
    .executeTakeFirst()
  if (!plan) throw invalid('/plan_code', 'There is no plan with this code that can be bought.')
  const prices = {
    TRY: { monthly: plan.try_monthly, yearly: plan.try_yearly },
    USD: { monthly: plan.usd_monthly, yearly: plan.usd_yearly },
  }
  const amount = prices[currency][period]
  if (amount === null) throw invalid('/currency', `The plan ${plan.name} is not sold in ${currency}.`)
  return { amount: BigInt(amount), plan }
}

/** A workspace and each of its owners have one trial. */
async function hasTrial(db: Db, workspace_id: string, provider: Provider) {
  if (!provider.trials) return false
  const taken = await db
    .selectFrom('billing_trial')
    .select('created_at')
    .where((where) =>
      where.or([where('workspace_id', '=', workspace_id), where('user_id', 'in', ownersOf(db, workspace_id))]),
    )
    .limit(1)
    .executeTakeFirst()
  return taken === undefined
}

const trialDays = async (tx: Tx, workspace_id: string, days: number | null, provider: Provider) =>
  days && (await hasTrial(tx, workspace_id, provider)) ? days : 0

/** What a checkout would ask for, so that a page can show it before. */
export async function readCheckoutTerms(deps: Pick<Deps, 'db' | 'options'>, { workspace_id }: Member) {
  const provider = providerOf(await deps.options.get('billing.provider'))
  return {
    provider: provider.name,
    is_configured: (await missingSettings(deps, provider)).length === 0,
    renews: provider.renews,
    trial: await hasTrial(deps.db, workspace_id, provider),
    default_plan: await deps.options.get('billing.default_plan'),
    requires: [...provider.requires],
  }
}

const ownersOf = (db: Db, workspace_id: string) =>
  db
    .selectFrom('workspace_member')
    .select('user_id')
    .where('workspace_id', '=', workspace_id)
    .where('role', '=', 'owner')

/** The open checkout of the workspace that is not a renewal. */
const findOpen = (tx: Tx, workspace_id: string) =>
  tx
    .selectFrom('checkout')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('status', '=', 'open')
    .where('purpose', '<>', 'renewal')
    .executeTakeFirst()

const same = (one: Terms, other: Terms) =>
  one.plan_code === other.plan_code &&
  one.billing_period === other.billing_period &&
  one.currency === other.currency &&
  BigInt(one.amount) === BigInt(other.amount) &&
  one.trial_days === other.trial_days &&
  one.provider === other.provider

/** Whether the call that opens it at the provider ended without a trace, as in a crash. */
const wasLeft = ({ kind, provider_ref, created_at }: CheckoutRow, now: Date) =>
  kind !== 'payment_request' && provider_ref === null && now.getTime() - created_at.getTime() > OPENING_MS

/** Returns the open checkout with the same terms, or a new one that replaces it. Written before the provider is called. */
export async function insertCheckout(
  deps: Deps,
  tx: Tx,
  caller: Member,
  terms: Terms & Pick<CheckoutRow, 'purpose' | 'subscription_id'>,
): Promise<{ row: CheckoutRow; isNew: boolean }> {
  const now = deps.clock.now()
  const provider = providerOf(terms.provider)
  const open = await findOpen(tx, caller.workspace_id)
  if (open && open.purpose === terms.purpose && same(open, terms) && open.expires_at > now && !wasLeft(open, now))
    return { row: open, isNew: false }
  if (open) await closeCheckout(tx, open, now)
  const kind = BigInt(terms.amount) === 0n && terms.trial_days === 0 ? 'none' : provider.kind
  const row = await tx
    .insertInto('checkout')
    .values({
      ...terms,
      workspace_id: caller.workspace_id,
      created_by: caller.user_id,
      kind,
      created_at: now,
      expires_at: new Date(now.getTime() + (kind === 'payment_request' ? REQUEST_MS : PAY_MS)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, caller, 'checkout.created', row.id, {
    plan_code: row.plan_code,
    period: row.billing_period,
    provider: row.provider,
  })
  if (kind === 'payment_request') await createPaymentRequest(tx, row)
  return { row, isNew: true }
}

/** Starts a checkout of a new subscription. */
export async function startCheckout(deps: Deps, caller: Member, input: Static<typeof NewCheckout>) {
  const { options } = deps
  if (!(await options.get('billing.enabled'))) throw problem('billing_disabled')
  const { amount, plan } = await priceOf(deps.db, input.plan_code, input.period, input.currency)
  const provider = providerOf(amount === 0n ? 'manual' : await options.get('billing.provider'))
  await assertConfigured(deps, provider)
  assertBuyer(provider, input.buyer)
  const { row, isNew } = await inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const live = await findLive(tx, caller.workspace_id)
    if (live)
      throw problem('already_subscribed', {
        detail: `The workspace is on the plan ${live.plan_code}. Use POST /billing/change-plan to change it.`,
        extra: { plan_code: live.plan_code, status: live.status },
      })
    const made = await insertCheckout(deps, tx, caller, {
      purpose: 'start',
      subscription_id: null,
      plan_code: plan.code,
      billing_period: input.period,
      currency: input.currency,
      amount: String(amount),
      period_amount: String(amount),
      trial_days: await trialDays(tx, caller.workspace_id, plan.trial_days, provider),
      provider: provider.name,
    })
    if (made.row.kind !== 'none') return made
    await completeCheckout(deps, tx, made.row, null)
    return { ...made, row: await readRow(tx, made.row.id) }
  })
  return {
    checkout: await recordOf(deps, await openAtProvider(deps, caller, row, { isNew, buyer: input.buyer })),
    isNew,
  }
}

export const readRow = (db: Db, id: string) =>
  db.selectFrom('checkout').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Throws 400 with the fields of the buyer that the provider requires and that are missing. */
export function assertBuyer(provider: Provider, buyer: Static<typeof NewCheckout>['buyer']) {
  const missing = provider.requires.filter((field) => !buyer?.[field])
  if (missing.length > 0)
    throw problem('validation_failed', {
      errors: missing.map((field) => ({
        pointer: `/buyer/${field}`,
        code: 'required',
        message: `The payment provider requires this.`,
      })),
    })
}

/** The problem that a caller sees for an error of the provider. */
export function problemOf(error: unknown) {
  if (!(error instanceof ProviderError)) return error
  const { kind, message } = error
  if (kind === 'declined') return problem('payment_declined', { detail: message, cause: error })
  if (kind === 'refused') return problem('billing_refused', { detail: message, cause: error })
  if (kind === 'not_configured') return problem('billing_not_configured', { detail: message, cause: error })
  return problem('billing_unavailable', { detail: message, retryAfter: 5, cause: error })
}

/** Ends checkouts that were not paid in time. */
export const expireCheckouts = (deps: Pick<Deps, 'db' | 'clock'>) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const expired = await tx
      .updateTable('checkout')
      .set({ status: 'expired', updated_at: now })
      .where('status', '=', 'open')
      .where('purpose', '<>', 'renewal')
      .where('expires_at', '<=', now)
      .returning(['id', 'provider_ref'])
      .execute()
    // The last look: the event of a payment may be lost.
    for (const { id, provider_ref } of expired)
      if (provider_ref) await addJob(tx, 'sync-checkout', { checkout_id: id }, { key: `sync-checkout ${id}` })
    await sql`update payment_request set status = 'expired', decided_at = ${now}
      where status = 'pending' and checkout_id = any(${expired.map(({ id }) => id)}::uuid[])`.execute(tx)
  })
