import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { decimalText } from '../../../../../shared/currency.ts'
import { MINUTE } from '../../../../../shared/time.ts'
import type { Deps } from '../../../../lib/deps.ts'
import {
  type CheckoutState,
  type Currency,
  type OpenedCheckout,
  type Period,
  ProviderError,
  type Sale,
} from '../provider.ts'
import { idOf, stripeClient, timeOf, unlessMissing } from './client.ts'
import { paymentOf } from './payments.ts'

/** A session stays open for 30 minutes to 24 hours. A minute is left for clocks that differ. */
const MIN_OPEN_MS = 31 * MINUTE
const MAX_OPEN_MS = (24 * 60 - 1) * MINUTE

const intervals = { monthly: 'month', yearly: 'year' } as const

export async function openCheckout(deps: Deps, sale: Sale): Promise<OpenedCheckout> {
  const stripe = await stripeClient(deps)
  if (sale.recurring) await checkPrice(stripe, sale.recurring, sale)
  const session = await createSession(stripe, paramsOf(sale, deps.clock.now()), sale)
  return { ref: session.id, url: session.url, expires_at: timeOf(session.expires_at) }
}

/** The customer may have been deleted at Stripe, or belong to an earlier account. Then a new one is made. */
async function createSession(stripe: Stripe, params: Stripe.Checkout.SessionCreateParams, sale: Sale) {
  const create = (payer: Stripe.Checkout.SessionCreateParams) => {
    const whole = { ...params, ...payer }
    return stripe.checkout.sessions.create(whole, { idempotencyKey: keyOf(sale.checkout_id, whole) })
  }
  const session = sale.customer_id ? await unlessMissing(create({ customer: sale.customer_id }), 'customer') : undefined
  return session ?? create({ customer_email: sale.payer.email })
}

/** A repeated call returns the first session, unless the sale has changed, such as the e-mail address of the payer. */
function keyOf(checkout_id: string, params: Stripe.Checkout.SessionCreateParams) {
  const digest = createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 16)
  return `checkout:${checkout_id}:${digest}`
}

function paramsOf(sale: Sale, now: Date): Stripe.Checkout.SessionCreateParams {
  const { checkout_id, workspace_id, recurring, return_url } = sale
  const openMs = Math.min(Math.max(sale.expires_at.getTime() - now.getTime(), MIN_OPEN_MS), MAX_OPEN_MS)
  const metadata = { workspace_id, checkout_id, ...(recurring && { plan_code: recurring.plan_code }) }
  return {
    client_reference_id: checkout_id,
    metadata,
    // Stripe would charge in the currency of the payer's country.
    adaptive_pricing: { enabled: false },
    locale: sale.payer.locale,
    success_url: return_url,
    cancel_url: return_url,
    expires_at: Math.floor((now.getTime() + openMs) / 1000),
    ...(recurring ? subscriptionParams(sale, recurring, metadata) : paymentParams(sale, metadata)),
  }
}

type Recurring = NonNullable<Sale['recurring']>

const subscriptionParams = (
  { currency }: Sale,
  { price_ref, trial_days }: Recurring,
  metadata: Record<string, string>,
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'subscription',
  currency: currency.toLowerCase(),
  line_items: [{ price: price_ref, quantity: 1 }],
  payment_method_collection: 'always',
  subscription_data: {
    metadata,
    ...(trial_days > 0 && {
      trial_period_days: trial_days,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    }),
  },
})

const paymentParams = (
  { amount, currency, description }: Sale,
  metadata: Record<string, string>,
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: currency.toLowerCase(),
        unit_amount: Number(amount),
        product_data: { name: description },
      },
    },
  ],
  payment_intent_data: { metadata, description },
})

const priceText = (amount: bigint | number | null, currency: string, interval: string) =>
  `${amount === null ? 'a variable amount' : decimalText(String(amount), currency)} ${currency.toUpperCase()} per ${interval}`

/** Refuses a price that would charge something else than was shown. */
async function checkPrice(
  stripe: Stripe,
  { price_ref, period }: Pick<Recurring, 'price_ref' | 'period'>,
  { amount, currency }: { amount: bigint; currency: Currency },
) {
  if (price_ref === '') throw new ProviderError('refused', 'The plan has no price at Stripe.')
  const price = await unlessMissing(stripe.prices.retrieve(price_ref, { expand: ['currency_options'] }))
  if (!price) throw new ProviderError('refused', `Stripe has no price ${price_ref}.`)
  if (!price.active) throw new ProviderError('refused', `The price ${price_ref} is archived at Stripe.`)
  const code = currency.toLowerCase()
  const own = price.currency === code ? price : price.currency_options?.[code]
  if (!own) throw new ProviderError('refused', `The price ${price_ref} at Stripe is not in ${currency}.`)
  if (own.tax_behavior === 'exclusive')
    throw new ProviderError('refused', `The price ${price_ref} at Stripe does not include tax.`)
  const interval = intervals[period]
  const { recurring } = price
  const charged = priceText(own.unit_amount, code, intervalText(recurring))
  const shown = priceText(amount, code, interval)
  if (charged !== shown || price.billing_scheme !== 'per_unit' || recurring?.usage_type !== 'licensed')
    throw new ProviderError('refused', `The price ${price_ref} at Stripe is ${charged}, but the plan is ${shown}.`)
}

const intervalText = (recurring: Stripe.Price['recurring']) => {
  if (!recurring) return 'payment'
  return recurring.interval_count === 1 ? recurring.interval : `${recurring.interval_count} ${recurring.interval}s`
}

export const checkPriceShown = async (
  deps: Deps,
  { price_ref, period, ...shown }: { price_ref: string; period: Period; amount: bigint; currency: Currency },
) => checkPrice(await stripeClient(deps), { price_ref, period }, shown)

/** A session that is no longer open cannot be paid either. */
export async function closeCheckout(deps: Deps, ref: string) {
  const stripe = await stripeClient(deps)
  const session = await unlessMissing(stripe.checkout.sessions.retrieve(ref))
  if (session?.status !== 'open') return
  try {
    await stripe.checkout.sessions.expire(ref)
  } catch (error) {
    // It was paid or expired in between.
    const { status } = await stripe.checkout.sessions.retrieve(ref)
    if (status === 'open') throw error
  }
}

export async function readCheckout(deps: Deps, { ref }: { ref: string }): Promise<CheckoutState> {
  const stripe = await stripeClient(deps)
  const session = await stripe.checkout.sessions.retrieve(ref, {
    expand: ['subscription', 'payment_intent.latest_charge'],
  })
  if (session.status !== 'complete') return { status: session.status === 'expired' ? 'expired' : 'open' }
  return session.mode === 'subscription' ? subscriptionState(session) : paymentState(session)
}

type Session = Stripe.Checkout.Session

/** Some payment methods, such as debits, confirm a payment days after the session. */
function subscriptionState({ subscription, payment_status }: Session): CheckoutState {
  const subscription_id = idOf(subscription)
  if (subscription_id === undefined) return { status: 'open' }
  if (payment_status !== 'unpaid') return { status: 'completed', subscription_id, payment: null }
  const ended =
    typeof subscription === 'object' && ['incomplete_expired', 'canceled'].includes(subscription?.status ?? '')
  return ended ? { status: 'failed', message: 'The payment failed.' } : { status: 'open' }
}

function paymentState({ payment_intent: intent }: Session): CheckoutState {
  if (intent === null || typeof intent === 'string') return { status: 'open' }
  const payment = paymentOf(intent, null)
  if (payment) return { status: 'completed', subscription_id: null, payment }
  const failed = intent.status === 'canceled' || intent.status === 'requires_payment_method'
  return failed
    ? { status: 'failed', message: intent.last_payment_error?.message ?? 'The payment failed.' }
    : { status: 'open' }
}
