import { presentMovement } from '../balance.ts'
import type { Item, Json, Resource, Stripe, Subscription } from '../state.ts'
import { fixture, listOf } from './fixture.ts'
import { presentInvoice } from './invoice.ts'
import { presentSession } from './session.ts'

const presentItem = (stripe: Stripe, { id, price, quantity }: Item, of: Subscription) =>
  fixture('subscription_item', {
    id,
    created: of.created,
    price: present(stripe, stripe.get('price', price)),
    plan: null,
    quantity,
    subscription: of.id,
    current_period_start: of.periodStart,
    current_period_end: of.periodEnd,
    billing_thresholds: null,
  })

function presentPrice(_stripe: Stripe, price: Resource & { object: 'price' }) {
  const { product, currency, unitAmount, interval, intervalCount } = price
  const recurring = interval && {
    interval,
    interval_count: intervalCount,
    meter: null,
    usage_type: 'licensed',
    trial_period_days: null,
  }
  return fixture('price', {
    product,
    currency,
    unit_amount: unitAmount,
    unit_amount_decimal: String(unitAmount),
    recurring,
    type: interval ? 'recurring' : 'one_time',
    active: price.active,
    nickname: price.nickname,
    lookup_key: price.lookupKey,
    custom_unit_amount: null,
    transform_quantity: null,
  })
}

function presentSubscription(stripe: Stripe, subscription: Subscription) {
  const { customer, status, currency, items, cancelAtPeriodEnd, periodEnd, update, reason } = subscription
  const pendingItems = update?.after.items.map((item) => presentItem(stripe, item, update.after))
  return fixture('subscription', {
    customer,
    status,
    currency,
    items: listOf(
      items.map((item) => presentItem(stripe, item, subscription)),
      `/v1/subscription_items?subscription=${subscription.id}`,
    ),
    billing_cycle_anchor: subscription.anchor,
    billing_cycle_anchor_config: null,
    billing_schedules: null,
    billing_thresholds: null,
    start_date: subscription.created,
    trial_start: subscription.trialStart,
    trial_end: subscription.trialEnd,
    trial_settings: { end_behavior: { missing_payment_method: subscription.missingMethod } },
    cancel_at_period_end: cancelAtPeriodEnd,
    cancel_at: cancelAtPeriodEnd ? periodEnd : subscription.cancelAt,
    canceled_at: subscription.canceledAt,
    ended_at: subscription.endedAt,
    cancellation_details: { comment: null, feedback: null, reason },
    latest_invoice: subscription.latestInvoice,
    default_payment_method: subscription.card,
    description: subscription.description,
    next_pending_invoice_item_invoice: null,
    pause_collection: null,
    pending_invoice_item_interval: null,
    pending_update: update && {
      billing_cycle_anchor: null,
      discounts: null,
      expires_at: update.expiresAt,
      metadata: null,
      subscription_items: pendingItems,
      trial_end: null,
      trial_from_plan: null,
    },
    transfer_data: null,
    managed_payments: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
  })
}

const cardOf = (country: string, last4: string) => ({
  ...Object(fixture('payment_method', {}).card),
  country,
  last4,
  generated_from: null,
  wallet: null,
})

const hasMetadata = ({ object }: Resource) => object !== 'invoice' && object !== 'balance_transaction'

/** A resource as the API shows it. */
export function present(stripe: Stripe, resource: Resource): Json {
  const { id, created, metadata } = resource
  return { ...fieldsOf(stripe, resource), id, created, ...(hasMetadata(resource) ? { metadata } : {}) }
}

function fieldsOf(stripe: Stripe, resource: Resource): Json {
  switch (resource.object) {
    case 'customer':
      if (resource.deleted) return { object: 'customer', deleted: true }
      return fixture('customer', {
        email: resource.email,
        name: resource.name,
        phone: resource.phone,
        address: resource.address,
        balance: resource.balance,
        currency: null,
        discount: null,
        shipping: null,
        invoice_settings: {
          ...Object(fixture('customer', {}).invoice_settings),
          default_payment_method: resource.card,
        },
      })
    case 'product':
      return fixture('product', {
        name: resource.name,
        description: null,
        default_price: null,
        package_dimensions: null,
        type: 'service',
      })
    case 'price':
      return presentPrice(stripe, resource)
    case 'payment_method':
      return fixture('payment_method', { customer: resource.customer, card: cardOf(resource.country, resource.last4) })
    case 'subscription':
      return presentSubscription(stripe, resource)
    case 'invoice':
      return presentInvoice(stripe, resource)
    case 'payment_intent': {
      const { amount, status } = resource
      return fixture('payment_intent', {
        amount,
        amount_received: status === 'succeeded' ? amount : 0,
        currency: resource.currency,
        customer: resource.customer,
        status,
        latest_charge: resource.charge,
        payment_method: status === 'succeeded' ? resource.card : null,
        description: resource.description,
        last_payment_error: resource.error,
        client_secret: `${resource.id}_secret`,
        canceled_at: null,
        next_action: null,
        processing: null,
        shipping: null,
        transfer_data: null,
        managed_payments: null,
        payment_method_configuration_details: null,
      })
    }
    case 'charge': {
      const { amount, failed, card } = resource
      const method = stripe.find('payment_method', card)
      return fixture('charge', {
        amount,
        amount_captured: failed ? 0 : amount,
        amount_refunded: resource.refunded,
        refunded: resource.refunded === amount,
        refunds: undefined,
        source: undefined,
        captured: !failed,
        paid: !failed,
        status: failed ? 'failed' : 'succeeded',
        failure_code: failed ? 'card_declined' : null,
        failure_message: failed ? 'Your card was declined.' : null,
        currency: resource.currency,
        customer: resource.customer,
        payment_intent: resource.paymentIntent,
        payment_method: card,
        payment_method_details: { type: 'card', card: cardOf(method?.country ?? 'US', method?.last4 ?? '4242') },
        disputed: resource.disputed,
        description: null,
        shipping: null,
        transfer_data: null,
        outcome: null,
        receipt_url: `${stripe.url}/receipts/${resource.id}`,
      })
    }
    case 'refund': {
      const { amount, currency, charge, paymentIntent, reason, status } = resource
      return fixture('refund', {
        amount,
        currency,
        charge,
        payment_intent: paymentIntent,
        reason,
        status,
        ...(status === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
      })
    }
    case 'dispute': {
      const { amount, currency, charge, paymentIntent, status } = resource
      return fixture('dispute', {
        amount,
        currency,
        charge,
        payment_intent: paymentIntent,
        status,
        reason: 'fraudulent',
      })
    }
    case 'balance_transaction':
      return presentMovement(resource)
    case 'payout':
      return { object: 'payout', amount: resource.amount, currency: resource.currency, status: 'paid' }
    case 'checkout.session':
      return presentSession(stripe, resource)
  }
}
