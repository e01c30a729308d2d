import type { Static } from 'typebox'
import { invalid, problem } from '../../../../errors.ts'
import type { Db } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { priceOf } from '../../checkouts/terms.ts'
import type { Period } from '../../providers/provider.ts'
import { problemOf } from '../../providers/provider-problem.ts'
import { assertConfigured, priceRefOf, providerOf } from '../../providers/registry.ts'
import { unused } from '../../records/periods.ts'
import type { PlanChangeQuery } from '../../records/subscriptions.schema.ts'
import { isFree, type SubscriptionRow } from '../../records/subscriptions.ts'

export type Target = {
  plan_code: string
  period: Period
  amount: bigint
  /** Id of the price at the provider. Null if it needs none. */
  price_ref: string | null
}

/**
 * `present`: the plan in force is chosen, which takes a waiting change back. `provider`: the provider charges the
 * difference. `amount`: minor units of the checkout that is paid first, less the `credit` for unused time.
 */
export type ChangeTerms =
  | { by: 'present' }
  | { by: 'renewal'; target: Target }
  | { by: 'provider'; target: Target }
  | ({ by: 'checkout'; target: Target } & Difference)

type Difference = { amount: bigint; credit: bigint }

/** The subscription as its change is paid. A free one has no provider that could charge, so the chosen one does. */
export const asPaid = async (
  { options }: Pick<Deps, 'options'>,
  db: Db,
  row: SubscriptionRow,
): Promise<SubscriptionRow> => (isFree(row) ? { ...row, provider: await options.get('billing.provider', db) } : row)

/** More money for the same time, or a longer period, applies now; less applies from the next period. */
const appliesNow = (row: SubscriptionRow, period: Period, amount: bigint) =>
  isFree(row) || (period === row.billing_period ? amount > BigInt(row.amount) : period === 'yearly')

/** Works out how a plan is changed to another, with the unused time as of `at`. Throws if it cannot be. */
export async function termsOfChange(
  db: Db,
  row: SubscriptionRow,
  input: Static<typeof PlanChangeQuery>,
  at: Date,
): Promise<ChangeTerms> {
  if (row.status === 'past_due')
    throw problem('invalid_transition', { detail: 'Pay what is open first.', extra: { state: row.status } })
  const period = input.period ?? row.billing_period
  if (input.plan_code === row.plan_code && period === row.billing_period) return { by: 'present' }
  const { amount, plan } = await priceOf(db, input.plan_code, period, row.billing_currency)
  if (amount === 0n) throw invalid('/plan_code', 'This plan costs nothing. Cancel the subscription instead.')
  const isNow = appliesNow(row, period, amount)
  if (isNow && row.cancel_at_period_end)
    throw problem('invalid_transition', { detail: 'Resume the subscription first.', extra: { state: 'canceled' } })
  const isAnew = beginsAnew(row, period)
  if (!isNow && isAnew)
    throw problem('period_not_changed', { detail: 'Cancel the subscription, and start another when it has ended.' })
  const provider = providerOf(row.provider)
  const price_ref = priceRefOf(provider, plan, { period, currency: row.billing_currency })
  const target = { plan_code: plan.code, period, amount, price_ref: price_ref || null }
  if (!isNow) return { by: 'renewal', target }
  if (!isAnew && provider.changesPlan(row.billing_period, period) === 'prorate') return { by: 'provider', target }
  return { by: 'checkout', target, ...(isAnew ? { amount, credit: 0n } : differenceOf(row, target, at)) }
}

/**
 * Whether a period begins with its full price: the first that is paid at all, or where the provider can change the
 * period only by another subscription. What is left of the old one is refunded after that payment.
 */
const beginsAnew = (row: SubscriptionRow, period: Period) =>
  isFree(row) ||
  (providerOf(row.provider).renews && providerOf(row.provider).changesPlan(row.billing_period, period) === 'none')

/**
 * The difference until the end of the period, or the price of a new period, minus what is left of the old one. Nothing
 * is left of a trial.
 */
function differenceOf(row: SubscriptionRow, { period, amount }: Target, at: Date): Difference {
  const isSamePeriod = period === row.billing_period
  if (row.status === 'trialing') return { amount: isSamePeriod ? 0n : amount, credit: 0n }
  const rest = { start: row.current_period_start, end: row.current_period_end }
  const credit = unused(BigInt(row.amount), rest, at)
  const due = isSamePeriod ? unused(amount, rest, at) : amount
  return due > credit ? { amount: due - credit, credit } : { amount: 0n, credit: due }
}

/** The ids of a subscription and of its new price at the provider. */
export function priceAtProvider({ provider_subscription_id: id }: SubscriptionRow, { price_ref }: Target) {
  if (!id || !price_ref) throw invalid('/plan_code', 'The subscription has no counterpart at the provider.')
  return { id, price_ref }
}

/**
 * The minor units that the provider would charge by itself. Refuses a plan whose price at the provider differs from its
 * price here.
 */
export async function quoteAtProvider(deps: Deps, row: SubscriptionRow, terms: ChangeTerms, at: Date) {
  if (isFree(row)) await assertConfigured(deps, providerOf(row.provider))
  if (terms.by === 'present' || !terms.target.price_ref) return 0n
  const { price_ref, period, amount } = terms.target
  const provider = providerOf(row.provider)
  const replaces = period === row.billing_period ? row.price_ref : null
  try {
    await provider.checkPrice(deps, { price_ref, period, amount, currency: row.billing_currency, replaces })
    if (terms.by !== 'provider') return 0n
    return await provider.previewChange(deps, { ...priceAtProvider(row, terms.target), at })
  } catch (error) {
    throw problemOf(error)
  }
}
