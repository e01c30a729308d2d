import { addCard, type CheckoutPayment } from './checkout.ts'
import { emit, emitUpdated } from './events.ts'
import { type Form, integerIn, metadataIn, objectIn, onlyKnown, StripeError, textIn } from './form.ts'
import { end } from './invoices.ts'
import { page } from './present/expand.ts'
import { present } from './present/present.ts'
import { matching, type Route } from './routes.ts'
import type { Customer, Stripe } from './state.ts'

const KNOWN = `address balance business_name cash_balance default_source description email individual_name
  invoice_prefix invoice_settings metadata name next_invoice_sequence payment_method phone preferred_locales shipping
  source tax tax_exempt tax_id_data test_clock validate`

function change(stripe: Stripe, customer: Customer, apply: () => void) {
  const before = present(stripe, customer)
  apply()
  emitUpdated(stripe, 'customer.updated', customer, before)
}

/** Replaces the card that invoices of a customer are charged to, also of running subscriptions. */
export function replaceCard(stripe: Stripe, customer: Customer, payment: CheckoutPayment) {
  const card = addCard(stripe, customer.id, payment)
  change(stripe, customer, () => {
    customer.card = card
  })
  for (const subscription of stripe.all('subscription'))
    if (subscription.customer === customer.id) subscription.card = card
  return card
}

function fill(stripe: Stripe, customer: Customer, form: Form) {
  onlyKnown(form, KNOWN)
  for (const name of ['email', 'name', 'phone'] as const) {
    const value = textIn(form, name)
    if (value !== undefined) customer[name] = value
  }
  const address = objectIn(form, 'address')
  if (address)
    customer.address = {
      city: null,
      country: null,
      line1: null,
      line2: null,
      postal_code: null,
      state: null,
      ...address,
    }
  customer.balance = integerIn(form, 'balance') ?? customer.balance
  customer.metadata = metadataIn(form, 'metadata', customer.metadata)
  const card = textIn(form, 'invoice_settings.default_payment_method')
  if (card) customer.card = stripe.get('payment_method', card, 'invoice_settings[default_payment_method]').id
}

const living = (stripe: Stripe, id: string) => {
  const customer = stripe.get('customer', id)
  if (customer.deleted)
    throw new StripeError(404, `No such customer: '${id}'`, { code: 'resource_missing', param: 'id' })
  return customer
}

const methodsOf = (stripe: Stripe, customer: string) =>
  stripe.all('payment_method').filter((method) => method.customer === customer)

export function customerRoutes(stripe: Stripe): Route[] {
  return [
    [
      'POST',
      '/v1/customers',
      ({ form }) => {
        const empty = {
          email: null,
          name: null,
          phone: null,
          address: null,
          balance: 0,
          card: null,
          deleted: false,
          metadata: {},
        }
        onlyKnown(form, KNOWN)
        const customer = stripe.add('customer', empty)
        fill(stripe, customer, form)
        emit(stripe, 'customer.created', customer)
        return present(stripe, customer)
      },
    ],
    [
      'GET',
      '/v1/customers',
      ({ form }) => {
        const found = matching(form, stripe.all('customer'), { email: 'email' }).filter(({ deleted }) => !deleted)
        return page(form, found, '/v1/customers', (each) => present(stripe, each))
      },
    ],
    ['GET', '/v1/customers/:id', ({ ids: [id] }) => present(stripe, stripe.get('customer', id))],
    [
      'POST',
      '/v1/customers/:id',
      ({ ids: [id], form }) => {
        const customer = living(stripe, id)
        change(stripe, customer, () => fill(stripe, customer, form))
        return present(stripe, customer)
      },
    ],
    [
      'DELETE',
      '/v1/customers/:id',
      ({ ids: [id] }) => {
        const customer = living(stripe, id)
        for (const subscription of stripe.all('subscription'))
          if (subscription.customer === id && subscription.status !== 'canceled')
            end(stripe, subscription, 'cancellation_requested')
        customer.deleted = true
        emit(stripe, 'customer.deleted', customer)
        return { id, object: 'customer', deleted: true }
      },
    ],
    [
      'GET',
      '/v1/customers/:id/payment_methods',
      ({ ids: [id], form }) =>
        page(form, methodsOf(stripe, living(stripe, id).id), `/v1/customers/${id}/payment_methods`, (each) =>
          present(stripe, each),
        ),
    ],
    [
      'GET',
      '/v1/customers/:id/payment_methods/:method',
      ({ ids: [, method] }) => present(stripe, stripe.get('payment_method', method)),
    ],
    [
      'GET',
      '/v1/payment_methods',
      ({ form }) =>
        page(form, methodsOf(stripe, textIn(form, 'customer') ?? ''), '/v1/payment_methods', (each) =>
          present(stripe, each),
        ),
    ],
    ['GET', '/v1/payment_methods/:id', ({ ids: [id] }) => present(stripe, stripe.get('payment_method', id))],
  ]
}
