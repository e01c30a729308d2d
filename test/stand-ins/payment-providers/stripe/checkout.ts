import { charge } from './charges.ts'
import { emit } from './events.ts'
import {
  choiceIn,
  type Form,
  flagIn,
  formsIn,
  integerIn,
  metadataIn,
  objectIn,
  onlyKnown,
  requiredText,
  StripeError,
  textIn,
} from './form.ts'
import { finalize, markPaid } from './invoices.ts'
import { present } from './present/present.ts'
import { sessionTotal } from './present/session.ts'
import { addPrice } from './prices.ts'
import { amountIn, dueOf, type Session, type SessionLine, type Stripe } from './state.ts'
import { addSubscription, describe, schedule } from './subscriptions/subscriptions.ts'

const HOUR = 3600

const KNOWN = `adaptive_pricing after_expiration allow_promotion_codes allowed_payment_method_types automatic_tax
  billing_address_collection branding_settings cancel_url client_reference_id consent_collection currency custom_fields
  custom_text customer customer_account customer_creation customer_email customer_update discounts
  excluded_payment_method_types expires_at integration_identifier invoice_creation line_items locale managed_payments
  metadata mode name_collection optional_items origin_context payment_intent_data payment_method_collection
  payment_method_configuration payment_method_data payment_method_options permissions phone_number_collection
  redirect_on_completion return_url saved_payment_method_options setup_intent_data shipping_address_collection
  shipping_options submit_type subscription_data success_url tax_id_collection ui_mode wallet_options`

/** A payment on the page. `card`: `none` only where a trial does not ask for one. */
export type CheckoutPayment = { card?: 'ok' | 'declined' | 'none'; country?: string; email?: string; name?: string }

function linesOf(stripe: Stripe, form: Form, mode: Session['mode']) {
  const entries = formsIn(form, 'line_items')
  if (entries.length === 0)
    throw new StripeError(400, 'Missing required param: line_items.', {
      param: 'line_items',
      code: 'parameter_missing',
    })
  let currency = textIn(form, 'currency')?.toLowerCase()
  const lines: SessionLine[] = entries.map((entry, index) => {
    const param = `line_items[${index}]`
    const data = objectIn(entry, 'price_data')
    const given = textIn(entry, 'price')
    if (Boolean(data) === Boolean(given))
      throw new StripeError(400, `You must specify exactly one of price or price_data.`, { param })
    const price = data ? addPrice(stripe, data) : stripe.get('price', given ?? '', `${param}[price]`)
    if (!price.active) throw new StripeError(400, `The price specified is inactive.`, { param: `${param}[price]` })
    const quantity = integerIn(entry, 'quantity')
    if (!quantity || quantity < 1)
      throw new StripeError(400, 'Quantity is required.', { param: `${param}[quantity]`, code: 'parameter_missing' })
    currency ??= price.currency
    const amount = amountIn(price, currency) * quantity
    return { id: stripe.newId('li'), price: price.id, quantity, amount, description: describe(stripe, price) }
  })
  const recurring = lines.some(({ price }) => stripe.get('price', price).interval !== null)
  if (mode === 'payment' && recurring)
    throw new StripeError(
      400,
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    )
  if (mode === 'subscription' && !recurring)
    throw new StripeError(
      400,
      'You must provide at least one recurring price in `subscription` mode when using prices.',
    )
  return { lines, currency: currency ?? '' }
}

/** A customer can have live subscriptions in one currency only. */
function checkCurrency(stripe: Stripe, customer: string, currency: string) {
  const live = stripe
    .all('subscription')
    .find((each) => each.customer === customer && !/canceled|expired/.test(each.status))
  if (live && live.currency !== currency)
    throw new StripeError(
      400,
      `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${live.currency}.`,
    )
}

function checkUrls(form: Form) {
  const mode = choiceIn(form, 'ui_mode', ['hosted_page', 'embedded_page', 'elements', 'form']) ?? 'hosted_page'
  const success = textIn(form, 'success_url')
  if (mode !== 'hosted_page') throw new StripeError(400, 'The stand-in has hosted pages only.', { param: 'ui_mode' })
  requiredText(form, 'success_url')
  for (const name of ['success_url', 'cancel_url']) {
    const url = textIn(form, name)
    if (url && !/^https?:\/\//.test(url))
      throw new StripeError(400, 'Not a valid URL', { param: name, code: 'url_invalid' })
  }
  return success ?? null
}

function trialOf(stripe: Stripe, form: Form) {
  const trialDays = integerIn(form, 'subscription_data.trial_period_days') ?? null
  const trialEnd = integerIn(form, 'subscription_data.trial_end') ?? null
  if (trialDays !== null && (trialDays < 1 || trialDays > 730))
    throw new StripeError(400, 'The minimum number of trial period days is 1.', {
      param: 'subscription_data[trial_period_days]',
    })
  if (trialEnd !== null && trialEnd < stripe.now() + 48 * HOUR)
    throw new StripeError(400, 'The `trial_end` date has to be at least 2 days in the future.', {
      param: 'subscription_data[trial_end]',
    })
  const choices = ['cancel', 'create_invoice', 'pause'] as const
  const path = 'subscription_data.trial_settings.end_behavior.missing_payment_method'
  return { trialDays, trialEnd, missingMethod: choiceIn(form, path, choices) ?? 'create_invoice' }
}

/** POST /v1/checkout/sessions */
export function createSession(stripe: Stripe, form: Form) {
  onlyKnown(form, KNOWN)
  const mode = choiceIn(form, 'mode', ['payment', 'subscription'])
  if (!mode) throw new StripeError(400, 'You must provide one of `mode`.', { param: 'mode', code: 'parameter_missing' })
  const successUrl = checkUrls(form)
  const customer = textIn(form, 'customer') ?? null
  const email = textIn(form, 'customer_email') ?? null
  if (customer && email)
    throw new StripeError(400, 'You may only specify one of these parameters: customer, customer_email.')
  if (customer && stripe.get('customer', customer, 'customer').deleted)
    throw new StripeError(400, `No such customer: '${customer}'`, { param: 'customer', code: 'resource_missing' })
  for (const [name, only] of [
    ['subscription_data', 'subscription'],
    ['payment_method_collection', 'subscription'],
    ['payment_intent_data', 'payment'],
    ['customer_creation', 'payment'],
  ] as const)
    if (form[name] !== undefined && mode !== only)
      throw new StripeError(400, `You can not pass \`${name}\` in \`${mode}\` mode.`, { param: name })
  const reference = textIn(form, 'client_reference_id') ?? null
  if (reference && reference.length > 200)
    throw new StripeError(400, 'Invalid string: at most 200 characters', { param: 'client_reference_id' })
  const { lines, currency } = linesOf(stripe, form, mode)
  if (customer && mode === 'subscription') checkCurrency(stripe, customer, currency)
  const now = stripe.now()
  const expiresAt = integerIn(form, 'expires_at') ?? now + 24 * HOUR
  if (expiresAt < now + HOUR / 2 || expiresAt > now + 24 * HOUR)
    throw new StripeError(400, 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', {
      param: 'expires_at',
    })
  const session = stripe.add('checkout.session', {
    mode,
    customer,
    email,
    reference,
    lines,
    currency,
    expiresAt,
    successUrl,
    status: 'open',
    paymentStatus: 'unpaid',
    cancelUrl: textIn(form, 'cancel_url') ?? null,
    locale: textIn(form, 'locale') ?? null,
    collection:
      choiceIn(form, 'payment_method_collection', ['always', 'if_required']) ??
      (mode === 'subscription' ? 'always' : null),
    customerCreation: choiceIn(form, 'customer_creation', ['always', 'if_required']) ?? null,
    ...trialOf(stripe, form),
    metadata: metadataIn(form, 'metadata'),
    subscriptionMetadata: metadataIn(form, 'subscription_data.metadata'),
    paymentMetadata: metadataIn(form, 'payment_intent_data.metadata'),
    description: textIn(form, `${mode === 'payment' ? 'payment_intent' : 'subscription'}_data.description`) ?? null,
    subscription: null,
    invoice: null,
    paymentIntent: null,
    country: null,
    options: {
      allow_promotion_codes: flagIn(form, 'allow_promotion_codes') ?? null,
      billing_address_collection: textIn(form, 'billing_address_collection') ?? null,
      phone_number_collection: { enabled: flagIn(form, 'phone_number_collection.enabled') ?? false },
      tax_id_collection: { enabled: flagIn(form, 'tax_id_collection.enabled') ?? false, required: 'never' },
    },
  })
  stripe.timers.set(`stripe ${session.id}`, expiresAt * 1000, () => expireSession(stripe, session))
  return present(stripe, session)
}

export function expireSession(stripe: Stripe, session: Session) {
  if (session.status !== 'open')
    throw new StripeError(
      400,
      `This Session is already ${session.status}. Only Checkout Sessions with a status in ["open"] can be expired.`,
    )
  stripe.timers.clear(`stripe ${session.id}`)
  session.status = 'expired'
  emit(stripe, 'checkout.session.expired', session)
  return present(stripe, session)
}

/** Keeps a card for a customer, as the one that invoices are charged to. */
export function addCard(stripe: Stripe, customer: string | null, { card = 'ok', country = 'US' }: CheckoutPayment) {
  const declines = card === 'declined'
  const last4 = declines ? '0341' : '4242'
  const method = stripe.add('payment_method', { customer, declines, country, last4, metadata: {} })
  if (customer === null) return method.id
  emit(stripe, 'payment_method.attached', method)
  return method.id
}

function customerFor(stripe: Stripe, session: Session, { email, name, country }: CheckoutPayment) {
  if (session.customer) return session.customer
  if (session.mode === 'payment' && session.customerCreation !== 'always') return null
  const address = { city: null, country: country ?? 'US', line1: null, line2: null, postal_code: null, state: null }
  const who = { email: session.email ?? email ?? 'buyer@example.com', name: name ?? 'Buyer', phone: null, address }
  const customer = stripe.add('customer', { ...who, balance: 0, card: null, deleted: false, metadata: {} })
  emit(stripe, 'customer.created', customer)
  return customer.id
}

/** Does what the buyer does on the page. Returns whether it is paid; a declined card leaves the session open. */
export function completeSession(stripe: Stripe, session: Session, payment: CheckoutPayment) {
  const isTrial = session.trialDays !== null || session.trialEnd !== null
  if (payment.card === 'none' && !(isTrial && session.collection === 'if_required'))
    throw new Error('This page asks for a card')
  // Stripe keeps a card only when it was accepted, so a declined one leaves nothing behind but the attempt.
  const isNext = isTrial && payment.card !== 'none' && stripe.declines > 0
  if (isNext) stripe.declines--
  if (payment.card === 'declined' || isNext || (!isTrial && stripe.declines > 0)) {
    if (!isTrial) attempt(stripe, session, payment)
    return false
  }
  session.country = payment.country ?? 'US'
  session.customer = customerFor(stripe, session, payment)
  const card = payment.card === 'none' ? null : addCard(stripe, session.customer, payment)
  stripe.timers.clear(`stripe ${session.id}`)
  if (session.mode === 'payment') payOnce(stripe, session, card ?? '')
  else subscribe(stripe, session, card)
  return true
}

/** A charge that fails: the buyer sees it on the page and may try another card. */
function attempt(
  stripe: Stripe,
  { currency, paymentMetadata, subscriptionMetadata, ...session }: Session,
  payment: CheckoutPayment,
) {
  const card = addCard(stripe, null, { ...payment, card: payment.card ?? 'ok' })
  const metadata = { ...paymentMetadata, ...subscriptionMetadata }
  const amount = session.lines.reduce((sum, line) => sum + line.amount, 0)
  const { customer, description } = session
  charge(stripe, { amount, currency, customer, card, metadata, description, invoice: null, refs: [session.id] })
}

function payOnce(stripe: Stripe, session: Session, card: string) {
  const { id, currency, customer, paymentMetadata: metadata, description } = session
  const amount = sessionTotal(session)
  const refs = [id, ...(session.reference ? [session.reference] : []), ...Object.values(session.metadata)]
  const intent = charge(stripe, { amount, currency, customer, card, metadata, description, invoice: null, refs })
  Object.assign(session, { paymentIntent: intent.id, status: 'complete', paymentStatus: 'paid' })
  emit(stripe, 'checkout.session.completed', session)
}

function subscribe(stripe: Stripe, session: Session, card: string | null) {
  const { customer: customerId, currency, missingMethod, description, trialDays } = session
  const customer = stripe.get('customer', customerId ?? '')
  const trialEnd = session.trialEnd ?? (trialDays === null ? null : stripe.now() + trialDays * 24 * HOUR)
  const items = session.lines.map(({ price, quantity }) => ({ price, quantity }))
  const metadata = session.subscriptionMetadata
  const wanted = { customer: customer.id, currency, items, card, metadata, trialEnd, missingMethod, description }
  const { subscription, invoice } = addSubscription(stripe, wanted)
  if (trialEnd === null) subscription.status = 'active'
  emit(stripe, 'invoice.created', invoice)
  finalize(stripe, invoice)
  if (card && dueOf(invoice) > 0) {
    const refs = [
      session.id,
      invoice.id,
      subscription.id,
      ...(session.reference ? [session.reference] : []),
      ...Object.values(session.metadata),
    ]
    const money = { amount: dueOf(invoice), currency, customer: customer.id, card, metadata, invoice: invoice.id, refs }
    invoice.attempts = 1
    invoice.paymentIntent = charge(stripe, { ...money, description: 'Subscription creation' }).id
  }
  const paymentStatus = trialEnd === null ? 'paid' : 'no_payment_required'
  Object.assign(session, { subscription: subscription.id, invoice: invoice.id, status: 'complete', paymentStatus })
  markPaid(stripe, invoice)
  emit(stripe, 'customer.subscription.created', subscription)
  emit(stripe, 'checkout.session.completed', session)
  schedule(stripe, subscription)
}
