import { dueOf, type Invoice, type Line, type Stripe, totalOf } from '../state.ts'
import { fixture, listOf } from './fixture.ts'

const presentLine = (stripe: Stripe, line: Line, { id, currency, subscription }: Invoice) =>
  fixture('line_item', {
    id: line.id,
    amount: line.amount,
    subtotal: line.amount,
    currency,
    description: line.description,
    invoice: id,
    period: { start: line.start, end: line.end },
    quantity: line.quantity,
    subscription,
    taxes: [],
    pretax_credit_amounts: [],
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: line.proration ? line.id.replace('il_', 'ii_') : null,
        proration: line.proration,
        proration_details: { credited_items: null },
        subscription,
        subscription_item: line.item,
      },
    },
    pricing: {
      type: 'price_details',
      price_details: { price: line.price, product: stripe.find('price', line.price)?.product },
      unit_amount_decimal: String(line.amount / line.quantity),
    },
  })

/** An invoice. Its payments are shown only when they are expanded. */
export function presentInvoice(stripe: Stripe, invoice: Invoice) {
  const { id, customer: customerId, subscription: subscriptionId, currency, amountPaid, lines, status } = invoice
  const [customer, total, due] = [stripe.get('customer', customerId), totalOf(invoice), dueOf(invoice)]
  const subscription = subscriptionId === null ? undefined : stripe.find('subscription', subscriptionId)
  const hosted = invoice.finalizedAt === null ? null : `${stripe.url}/invoice/${id}`
  return fixture('invoice', {
    customer: customerId,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_address: customer.address,
    customer_shipping: null,
    subscription: undefined,
    parent: subscription
      ? {
          type: 'subscription_details',
          quote_details: null,
          subscription_details: { metadata: invoice.metadata, subscription: subscription.id },
        }
      : null,
    metadata: {},
    status,
    billing_reason: invoice.reason,
    currency,
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    total_taxes: [],
    total_pretax_credit_amounts: [],
    amount_due: due,
    amount_paid: amountPaid,
    amount_remaining: status === 'paid' ? 0 : due - amountPaid,
    amount_overpaid: 0,
    amount_shipping: 0,
    starting_balance: invoice.startingBalance,
    ending_balance: invoice.endingBalance,
    attempt_count: invoice.attempts,
    attempted: invoice.attempts > 0 || status === 'paid',
    auto_advance: invoice.autoAdvance && status !== 'paid' && status !== 'void',
    next_payment_attempt: invoice.nextAttempt,
    automatically_finalizes_at: status === 'draft' && invoice.autoAdvance ? invoice.created + 3600 : null,
    due_date: null,
    effective_at: invoice.finalizedAt,
    period_start: invoice.periodStart,
    period_end: invoice.periodEnd,
    number: invoice.number,
    hosted_invoice_url: hosted,
    invoice_pdf: hosted && `${hosted}/pdf`,
    lines: listOf(
      lines.map((line) => presentLine(stripe, line, invoice)),
      `/v1/invoices/${id}/lines`,
    ),
    status_transitions: {
      finalized_at: invoice.finalizedAt,
      marked_uncollectible_at: null,
      paid_at: invoice.paidAt,
      voided_at: invoice.voidedAt,
    },
    from_invoice: null,
    last_finalization_error: null,
    shipping_cost: null,
    shipping_details: null,
    rendering: null,
    webhooks_delivered_at: invoice.created,
  })
}
