import type { Json, Session, Stripe } from '../state.ts'
import { fixture } from './fixture.ts'

export const sessionTotal = ({ lines, trialEnd, trialDays }: Session) =>
  trialEnd !== null || trialDays !== null ? 0 : lines.reduce((sum, { amount }) => sum + amount, 0)

/** A checkout session. Its line items are shown only when they are expanded. */
export function presentSession(stripe: Stripe, session: Session): Json {
  const { id, mode, status, email } = session
  const customer = session.customer === null ? undefined : stripe.find('customer', session.customer)
  const total = sessionTotal(session)
  const address = { city: null, country: session.country, line1: null, line2: null, postal_code: null, state: null }
  const details = {
    email: customer?.email ?? email,
    name: customer?.name ?? null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
  return fixture('checkout.session', {
    mode,
    status,
    payment_status: session.paymentStatus,
    ui_mode: 'hosted_page',
    url: status === 'open' ? `${stripe.url}/c/pay/${id}` : null,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    client_reference_id: session.reference,
    customer: session.customer,
    customer_email: email,
    customer_creation: mode === 'payment' ? (session.customerCreation ?? 'if_required') : null,
    customer_details:
      status === 'complete' || details.email
        ? { ...details, address, business_name: null, individual_name: null }
        : null,
    subscription: session.subscription,
    invoice: session.invoice,
    payment_intent: session.paymentIntent,
    payment_method_collection: session.collection,
    amount_subtotal: total,
    amount_total: total,
    currency: session.currency,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    expires_at: session.expiresAt,
    locale: session.locale,
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency_conversion: null,
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    invoice_creation: mode === 'payment' ? { enabled: false, invoice_data: null } : null,
    managed_payments: null,
    payment_method_configuration_details: null,
    permissions: null,
    saved_payment_method_options: null,
    shipping_address_collection: null,
    shipping_cost: null,
    wallet_options: null,
    ...session.options,
  })
}
