import { Type } from 'typebox'
import { Closed, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Money } from '../../../lib/money.ts'
import { Currency, Period, PlanCode, Provider } from '../subscriptions/subscriptions.schema.ts'

const part = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description, examples: [example] }))

const BuyerInput = Closed(
  {
    name: part(60, 'First name.', 'Ada'),
    surname: part(60, 'Last name.', 'Yılmaz'),
    phone: Type.Optional(
      Type.String({
        pattern: '^\\+[1-9][0-9]{6,14}$',
        description: 'Phone number in international form.',
        examples: ['+905350000000'],
      }),
    ),
    identity_number: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Za-z]{5,20}$',
        description: 'National identity number, or passport number.',
        examples: ['10000000146'],
      }),
    ),
  },
  {
    title: 'Buyer',
    description: 'The person who pays. Sent to the provider and not stored. iyzico requires all of it.',
  },
)

export const NewCheckout = Closed(
  { plan_code: PlanCode, period: Period, currency: Currency, buyer: Type.Optional(BuyerInput) },
  { title: 'NewCheckout', examples: [{ plan_code: 'pro', period: 'monthly', currency: 'TRY' }] },
)

export const Checkout = Type.Object(
  {
    id: idOf('checkout'),
    purpose: Type.Enum(['start', 'renewal', 'change'], {
      type: 'string',
      description:
        'Purpose: `start` (a new subscription), `renewal` (the next period of one that Meydan renews) or `change` (to another plan now).',
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
      Type.String({ maxLength: 2000, description: 'URL to pay at. Null if there is none, or it is no longer open.' }),
    ),
    instructions: nullable(
      Type.String({ maxLength: 1000, description: 'How to pay a payment request. Null for other kinds.' }),
    ),
    plan_code: PlanCode,
    period: Period,
    currency: Currency,
    amount: Money('Amount to pay, VAT included'),
    trial_days: Type.Integer({ description: 'Days of the trial before the first payment. 0 without a trial.' }),
    expires_at: Time,
    completed_at: nullable(Time),
    created_at: Time,
  },
  { title: 'Checkout' },
)
