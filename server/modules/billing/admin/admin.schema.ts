import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Currency, Money } from '../../../lib/money.ts'
import { PlanCode, Provider, Subscription } from '../records/subscriptions.schema.ts'

const Status = Type.Enum(['pending', 'approved', 'rejected', 'expired', 'withdrawn'], {
  type: 'string',
  description: 'Status. `withdrawn`: the workspace chose something else or canceled.',
})
const Reason = Type.String({
  minLength: 1,
  maxLength: 400,
  description: 'Reason, shown to the workspace.',
  examples: ['No payment arrived.'],
})

export const PaymentRequest = Type.Object(
  {
    id: idOf('payment_request'),
    checkout_id: idOf('checkout', 'Id of the checkout that it pays.'),
    workspace_id: idOf('workspace'),
    workspace_name: Type.String({ maxLength: 80, examples: ['Bakery'] }),
    order_id: nullable(idOf('order', 'Id of the order that it pays. Null for a plan.')),
    plan_code: nullable(Type.String({ ...PlanCode, description: 'Code of the plan that it pays. Null for an order.' })),
    amount: Money('Amount, VAT included'),
    currency: Currency,
    status: Status,
    note: nullable(Type.String({ maxLength: 400 })),
    reference: nullable(Type.String({ maxLength: 200, description: 'Reference of the transfer. Null without one.' })),
    decided_by: nullable(idOf('user', 'Id of the instance admin who decided.')),
    decided_at: nullable(Time),
    reason: nullable(Type.String({ maxLength: 400, description: 'Reason of a rejection.' })),
    created_at: Time,
  },
  { title: 'PaymentRequest' },
)
export const PaymentRequestQuery = Closed({ ...PageQuery, status: Type.Optional(Status) })
export const Approval = Closed(
  {
    reference: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Reference of the transfer.' })),
  },
  { title: 'Approval', examples: [{ reference: 'EFT 2026-03-02' }] },
)
export const Rejection = Closed(
  { reason: Reason },
  { title: 'Rejection', examples: [{ reason: 'No payment arrived.' }] },
)

export const AdminSubscription = Type.Object(
  { ...Subscription.properties, workspace_name: nullable(Type.String({ maxLength: 80 })) },
  { title: 'AdminSubscription' },
)
export const SubscriptionQuery = Closed({
  ...PageQuery,
  status: Type.Optional(Subscription.properties.status),
  plan_code: Type.Optional(PlanCode),
  provider: Type.Optional(Provider),
})
export const Extension = Closed(
  { days: Type.Integer({ minimum: 1, maximum: 3660, description: 'Days added to the period.' }) },
  { title: 'Extension', examples: [{ days: 30 }] },
)
export const RefundInput = Closed(
  {
    amount: Type.Optional(Money('Amount to refund. Omit it for all that is left')),
    reason: Reason,
  },
  { title: 'RefundInput', examples: [{ amount: 100, reason: 'Goodwill' }] },
)
export const Refund = Type.Object(
  {
    id: idOf('refund'),
    payment_id: idOf('payment'),
    amount: Money('Amount'),
    status: Type.Enum(['pending', 'succeeded', 'failed'], { type: 'string', description: 'Status.' }),
    reason: nullable(Type.String({ maxLength: 400 })),
    failure: nullable(Type.String({ maxLength: 400, description: 'Reason of the provider. Null unless failed.' })),
    created_at: Time,
    settled_at: nullable(Time),
  },
  { title: 'Refund' },
)

const OpenRefund = Type.Object({
  ...Refund.properties,
  is_dispute: Type.Boolean({ description: 'The payer disputes the payment with the bank.' }),
  currency: Currency,
  workspace_id: nullable(idOf('workspace')),
  workspace_name: nullable(Type.String({ maxLength: 80 })),
  invoice_id: nullable(idOf('invoice', 'Id of the invoice that was paid.')),
  invoice_number: nullable(Type.String({ maxLength: 60, description: 'Its number.' })),
})

const PerCurrency = (description: string) =>
  Type.Object({ TRY: Money('Lira'), USD: Money('US dollars') }, { description })
export const BillingOverview = Type.Object(
  {
    monthly_recurring_revenue: PerCurrency(
      'Price of a month of all active and past due subscriptions, a yearly one counted as a twelfth. VAT included.',
    ),
    live: Type.Array(
      Type.Object({ plan_code: PlanCode, status: Subscription.properties.status, count: Count('Subscriptions.') }),
      { maxItems: 1000, description: 'Subscriptions in force by plan and status.' },
    ),
    months: Type.Array(
      Type.Object({
        month: Type.String({ maxLength: 7, examples: ['2026-03'], description: 'Month (UTC).' }),
        started: Count('Subscriptions that began.'),
        ended: Count('Subscriptions that ended.'),
        live_at_start: Count('Subscriptions in force when the month began.'),
        recurring: PerCurrency(
          'Price of a month of the subscriptions in force when the month ended, or now, at their last price. VAT included.',
        ),
        received: PerCurrency('Payments minus refunds.'),
      }),
      { maxItems: 12, description: 'The last twelve months, the current one last.' },
    ),
    unpaid: PerCurrency('Price of a period of all past due subscriptions.'),
    unapplied_payments: Count('Payments that granted nothing and could not be refunded by Meydan.'),
    repaired: Type.Array(
      Type.Object({
        at: Time,
        subscription_id: idOf('subscription'),
        workspace_name: nullable(Type.String({ maxLength: 80 })),
        status_before: Subscription.properties.status,
        status: Subscription.properties.status,
      }),
      {
        maxItems: 10,
        description:
          'The last subscriptions that differed from their provider at night, and were changed to its state.',
      },
    ),
    pending_payment_requests: Count('Payment requests that wait for a decision.'),
    failed_ends: Type.Array(
      Type.Object({
        subscription_id: nullable(idOf('subscription', 'Id of the subscription that ended here.')),
        provider_subscription_id: nullable(
          Type.String({ maxLength: 200, description: 'Its id at the provider, if it never began here.' }),
        ),
        error: nullable(Type.String({ maxLength: 400, description: 'The last error of the provider.' })),
      }),
      {
        maxItems: 100,
        description: 'Subscriptions that ended, and that their provider has not ended yet. They are retried.',
      },
    ),
    open_refunds: Type.Array(OpenRefund, {
      maxItems: 100,
      description:
        'Refunds that are pending, disputes that are open, and refunds that failed in the last 30 days, the newest first.',
    }),
  },
  { title: 'BillingOverview' },
)
