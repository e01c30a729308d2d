import { type Static, Type } from 'typebox'
import { Closed, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Currency, Money } from '../../../lib/money.ts'
import { Buyer } from './buyer.schema.ts'
import { Period, PlanCode, Provider } from './subscriptions.schema.ts'

export const NewCheckout = Closed(
  { plan_code: PlanCode, period: Period, currency: Currency, buyer: Type.Optional(Buyer) },
  { title: 'NewCheckout', examples: [{ plan_code: 'pro', period: 'monthly', currency: 'TRY' }] },
)

export const CheckoutTerms = Type.Object(
  {
    provider: Provider,
    is_configured: Type.Boolean({ description: 'Whether the provider has all of its settings.' }),
    renews: Type.Boolean({
      description: 'Whether the provider charges later periods. If not, the workspace pays each of them by a link.',
    }),
    trial: Type.Boolean({ description: 'Whether a checkout begins with the trial of the plan.' }),
    default_plan: Type.String({
      maxLength: 40,
      description: 'Code of the plan of workspaces without a subscription.',
      examples: ['free'],
    }),
    requires: Type.Array(Type.Enum(['name', 'surname', 'phone', 'identity_number'], { type: 'string' }), {
      maxItems: 4,
      description: 'Fields of `buyer` that the provider requires.',
    }),
  },
  { title: 'CheckoutTerms' },
)

export const Checkout = Type.Object(
  {
    id: idOf('checkout'),
    purpose: Type.Enum(['start', 'renewal', 'change', 'order'], {
      type: 'string',
      description:
        'Purpose: `start` (a new subscription), `renewal` (the next period of one that Meydan renews), `change` (to another plan now) or `order` (of a gig).',
    }),
    provider: Provider,
    kind: Type.Enum(['redirect', 'hosted', 'iframe', 'payment_request', 'none'], {
      type: 'string',
      description:
        'How to pay: open `url` (`redirect`, `hosted`), show it in a frame (`iframe`), or wait until an instance admin approves the payment (`payment_request`). `none`: nothing is paid.',
    }),
    status: Type.Enum(['open', 'completed', 'expired', 'failed'], { type: 'string', description: 'Status.' }),
    failure: nullable(Type.String({ maxLength: 400, description: 'Reason of the failure. Null without one.' })),
    url: nullable(
      Type.String({ maxLength: 2000, description: 'URL to pay at. Null if the checkout has none or has ended.' }),
    ),
    instructions: nullable(
      Type.String({ maxLength: 1000, description: 'How to pay a payment request. Null for other kinds.' }),
    ),
    plan_code: nullable(Type.String({ ...PlanCode, description: 'Code of the plan. Null for an order.' })),
    period: nullable(
      Type.Enum(['monthly', 'yearly'], { type: 'string', description: 'Length of a period. Null for an order.' }),
    ),
    description: nullable(
      Type.String({ maxLength: 200, description: 'Title of the ordered gig. Null for a plan.', examples: [null] }),
    ),
    order_id: nullable(idOf('order', 'Id of the order. Null for a plan.')),
    currency: Currency,
    amount: Money('Amount to pay, VAT included'),
    trial_days: Type.Integer({
      minimum: 0,
      maximum: 730,
      description: 'Days of the trial before the first payment. 0 without a trial.',
    }),
    expires_at: Time,
    completed_at: nullable(Time),
    created_at: Time,
  },
  { title: 'Checkout' },
)
export type CheckoutRecord = Static<typeof Checkout>
