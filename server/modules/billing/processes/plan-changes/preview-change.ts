import type { Static } from 'typebox'
import { MINUTE } from '../../../../../shared/time.ts'
import { problem } from '../../../../errors.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { toMajor } from '../../../../lib/money.ts'
import type { PlanChange, PlanChangePreview, PlanChangeQuery } from '../../records/subscriptions.schema.ts'
import { isFree, requireLive, type SubscriptionRow } from '../../records/subscriptions.ts'
import { asPaid, type ChangeTerms, quoteAtProvider, termsOfChange } from './change-terms.ts'

/** Time in which amounts that were shown can be confirmed. */
const SHOWN_MS = 15 * MINUTE

/** The amounts of a change as they would be charged at once, without making it. */
export async function previewPlanChange(
  deps: Deps,
  { workspace_id }: Member,
  input: Static<typeof PlanChangeQuery>,
): Promise<Static<typeof PlanChangePreview>> {
  const priced_at = deps.clock.now()
  const row = await asPaid(deps, deps.db, await requireLive(deps.db, workspace_id))
  const terms = await termsOfChange(deps.db, row, input, priced_at)
  const charge = await quoteAtProvider(deps, row, terms, priced_at)
  const period = terms.by === 'present' ? row.billing_period : terms.target.period
  // A trial goes on at a provider that prorates.
  const keepsPeriod = terms.by === 'renewal' || (terms.by === 'provider' && row.status === 'trialing')
  const beginsFirst = isFree(row) && terms.by === 'checkout'
  const isNewPeriod = beginsFirst || (period !== row.billing_period && !keepsPeriod)
  return {
    applies: terms.by === 'renewal' ? 'at_renewal' : 'now',
    currency: row.billing_currency,
    amount_due: toMajor(dueOf(terms, charge)),
    renewal_amount: toMajor(renewalOf(row, terms)),
    renewal_period: period,
    renews_at: isNewPeriod ? null : row.current_period_end,
    priced_at,
  }
}

/** `charge`: minor units that the provider charges by itself. */
const dueOf = (terms: ChangeTerms, charge: bigint) => (terms.by === 'checkout' ? terms.amount : charge)

const renewalOf = (row: SubscriptionRow, terms: ChangeTerms) =>
  terms.by === 'present' ? BigInt(row.amount) : terms.target.amount

type Shown = Static<typeof PlanChange>['shown']

/**
 * The time at which unused time is counted for a change: the time of the shown amounts. Throws 409 if they are too old.
 */
export function pricedAt({ current_period_start }: SubscriptionRow, shown: Shown, now: Date) {
  if (!shown) return now
  const at = new Date(shown.priced_at)
  // A renewal that was paid early begins a period that lies ahead.
  const isOfPeriod = at >= current_period_start || current_period_start > now
  const isValid = at <= now && isOfPeriod && now.getTime() - at.getTime() <= SHOWN_MS
  if (!isValid) throw problem('price_changed')
  return at
}

/** The charge of the provider for a change, in minor units, and the subscription that it was asked for. */
type Quote = { row: SubscriptionRow; charge: bigint } | undefined

const priced = ['provider', 'status', 'plan_code', 'billing_period', 'amount', 'current_period_end'] as const

/** Throws 409 if a change would charge other amounts than were shown, or the subscription was changed meanwhile. */
export function assertAsShown(row: SubscriptionRow, terms: ChangeTerms, shown: Shown, quote: Quote) {
  if (!shown) return
  const isSame = quote && priced.every((column) => String(quote.row[column]) === String(row[column]))
  if (
    !isSame ||
    toMajor(dueOf(terms, quote.charge)) !== shown.amount_due ||
    toMajor(renewalOf(row, terms)) !== shown.renewal_amount
  )
    throw problem('price_changed')
}
