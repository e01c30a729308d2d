import { type Static, Type } from 'typebox'
import type { Deps } from '../../../../lib/deps.ts'
import { majorOf, minorOf, NumberOrText } from '../calls.ts'
import { type Currency, type Period, ProviderError } from '../provider.ts'
import { isNotFound, iyzicoCall } from './client.ts'

const PricingPlan = Type.Object({
  productReferenceCode: Type.Optional(Type.String()),
  price: NumberOrText,
  currencyCode: Type.String(),
  paymentInterval: Type.String(),
  paymentIntervalCount: Type.Number(),
  trialPeriodDays: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
})
type PricingPlan = Static<typeof PricingPlan>

const refused = (message: string) => new ProviderError('refused', message)

async function readPricingPlan(deps: Deps, price_ref: string) {
  try {
    const path = `/v2/subscription/pricing-plans/${encodeURIComponent(price_ref)}`
    return (await iyzicoCall(deps, Type.Object({ data: PricingPlan }), { path })).data
  } catch (error) {
    if (isNotFound(error)) throw refused(`iyzico has no pricing plan ${price_ref}.`)
    throw error
  }
}

const units: Record<string, string> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }
const unitOf = { monthly: 'month', yearly: 'year' } as const satisfies Record<Period, string>

const priceText = (amount: bigint, currency: string, interval: string) =>
  `${majorOf(amount)} ${currency} per ${interval}`

function chargedBy({ price, currencyCode, paymentInterval, paymentIntervalCount: count }: PricingPlan) {
  const unit = units[paymentInterval] ?? paymentInterval
  return priceText(minorOf(price), currencyCode, count === 1 ? unit : `${count} ${unit}s`)
}

type Price = {
  price_ref: string
  period: Period
  amount: bigint
  currency: Currency
  /** Days of the trial that it must have. Undefined: it begins without one whatever it has. */
  trial_days?: number
  replaces?: string | null
}

/** Refuses a pricing plan that would charge something else than was shown. */
export async function checkPrice(deps: Deps, { price_ref, period, amount, currency, trial_days, replaces }: Price) {
  const plan = await readPricingPlan(deps, price_ref)
  const [charged, shown] = [chargedBy(plan), priceText(amount, currency, unitOf[period])]
  if (charged !== shown)
    throw refused(`The pricing plan ${price_ref} at iyzico is ${charged}, but the plan is ${shown}.`)
  const trial = plan.trialPeriodDays ?? 0
  if (trial_days !== undefined && trial !== trial_days)
    throw refused(`The pricing plan ${price_ref} at iyzico has ${trial} trial days, not ${trial_days}.`)
  // iyzico moves a subscription within its product only.
  if (replaces && (await readPricingPlan(deps, replaces)).productReferenceCode !== plan.productReferenceCode)
    throw refused(`The pricing plan ${price_ref} at iyzico is not of the same product as the present one, ${replaces}.`)
}
