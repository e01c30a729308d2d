import { choiceIn, type Form, integerIn, objectIn, onlyKnown, requiredText, StripeError, textIn } from '../form.ts'
import { present } from '../present/present.ts'
import type { Invoice, Line, Stripe, Subscription } from '../state.ts'
import { endOfPeriod, periodLines } from './subscriptions.ts'
import { changedItems, PRORATIONS, planChange } from './update.ts'

const KNOWN = `automatic_tax currency customer customer_account customer_details discounts invoice_items issuer
  on_behalf_of preview_mode schedule schedule_details subscription subscription_details`

const shown = (stripe: Stripe, subscription: Subscription, lines: Line[], reason: Invoice['reason']) => {
  const now = stripe.now()
  const base = {
    object: 'invoice',
    id: stripe.newId('upcoming_in'),
    created: now,
    status: 'draft',
    lines,
    reason,
  } as const
  const { customer, id, currency, metadata, periodStart, periodEnd } = subscription
  const startingBalance = stripe.get('customer', customer).balance
  const nothing = {
    endingBalance: null,
    amountPaid: 0,
    attempts: 0,
    nextAttempt: null,
    autoAdvance: true,
    number: null,
  }
  const never = { paymentIntent: null, finalizedAt: null, paidAt: null, voidedAt: null }
  const of = { customer, subscription: id, currency, metadata, startingBalance, periodStart, periodEnd }
  return present(stripe, { ...base, ...nothing, ...never, ...of })
}

/** POST /v1/invoices/create_preview: the next invoice, or the one that a change of items makes. */
export function createPreview(stripe: Stripe, form: Form) {
  onlyKnown(form, KNOWN)
  const subscription = stripe.get('subscription', requiredText(form, 'subscription'), 'subscription')
  const customer = textIn(form, 'customer')
  if (customer && customer !== subscription.customer)
    throw new StripeError(400, 'The subscription is of another customer.', { param: 'customer' })
  if (subscription.status === 'canceled')
    throw new StripeError(404, 'No upcoming invoices for customer', { code: 'invoice_upcoming_none' })
  const details = objectIn(form, 'subscription_details') ?? {}
  const behavior = choiceIn(details, 'proration_behavior', PRORATIONS) ?? 'create_prorations'
  const anchorNow = textIn(details, 'billing_cycle_anchor') === 'now'
  const at = integerIn(details, 'proration_date')
  const items = changedItems(stripe, subscription, details, 'items')
  const planned = planChange(stripe, subscription, { items, behavior, anchorNow, ...(at === undefined ? {} : { at }) })
  if (planned.now) return shown(stripe, planned.after, planned.lines, 'upcoming')
  const { after } = planned
  if (subscription.cancelAtPeriodEnd && details.items === undefined)
    throw new StripeError(404, 'No upcoming invoices for customer', { code: 'invoice_upcoming_none' })
  const end = endOfPeriod(stripe, items, after.anchor, after.periodEnd)
  const lines = [...planned.lines, ...periodLines(stripe, after, after.periodEnd, end)]
  return shown(stripe, after, lines, 'upcoming')
}
