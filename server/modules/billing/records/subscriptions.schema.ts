import { type Static, Type } from 'typebox'
import { Closed, InputTime, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Currency, Money } from '../../../lib/money.ts'
import { PlanParams } from '../../plans/plans.schema.ts'
import { providerNames } from '../providers/provider.ts'
import { Buyer } from './buyer.schema.ts'

const time = (description: string) => nullable(Type.Unsafe<Date>({ ...Time, description }))

export const PlanCode = Type.String({ ...PlanParams.properties.code, description: 'Code of the plan.' })
export const Period = Type.Enum(['monthly', 'yearly'], { type: 'string', description: 'Length of a period.' })
export const Provider = Type.Enum([...providerNames], { type: 'string', description: 'Payment provider.' })

export const Subscription = Type.Object(
  {
    id: idOf('subscription'),
    workspace_id: nullable(idOf('workspace', 'Id of the workspace. Null after its deletion.')),
    plan_code: PlanCode,
    status: Type.Enum(['trialing', 'active', 'past_due', 'canceled', 'expired'], {
      type: 'string',
      description:
        'Status. `trialing`, `active` and `past_due` subscriptions are in force. `canceled`: ended on request. `expired`: ended unpaid.',
    }),
    trial_end: time('End of the trial. Null if there was none.'),
    current_period_start: Time,
    current_period_end: Time,
    billing_currency: Currency,
    billing_period: Period,
    amount: Money('Price of a period, VAT included'),
    cancel_at_period_end: Type.Boolean({ description: 'Whether the subscription ends with the current period.' }),
    cancel_requested_at: time('Time of the cancellation. Null if it was not canceled.'),
    pending_plan_code: nullable(
      Type.String({ maxLength: 40, description: 'Plan that applies from the next period. Null for no change.' }),
    ),
    pending_period: nullable(Period),
    past_due_deadline: time('Time at which the subscription expires unless it is paid. Null unless `past_due`.'),
    ended_at: time('Time of the end. Null while the subscription is in force.'),
    provider: Provider,
    provider_subscription_id: nullable(
      Type.String({
        maxLength: 255,
        description: 'Id of the subscription at the provider. Null if it has none, and for members who are not admins.',
      }),
    ),
    provider_customer_id: nullable(
      Type.String({
        maxLength: 255,
        description: 'Id of the customer at the provider. Null if it has none, and for members who are not admins.',
      }),
    ),
    pay_url: nullable(
      Type.String({
        maxLength: 2000,
        description: 'URL to pay what is open. Null if there is nothing to pay, and for members who are not admins.',
      }),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Subscription' },
)
export type SubscriptionRecord = Static<typeof Subscription>

const chosen = { plan_code: PlanCode, period: Type.Optional(Period) }
export const PlanChangeQuery = Closed(chosen)

const amounts = {
  amount_due: Money('Amount charged now, VAT included'),
  renewal_amount: Money('Price of each later period, VAT included'),
}
export const PlanChangePreview = Type.Object(
  {
    applies: Type.Enum(['now', 'at_renewal'], { type: 'string', description: 'Time at which the plan changes.' }),
    currency: Currency,
    ...amounts,
    renewal_period: Period,
    renews_at: time('Time of the next payment. Null if a new period begins with the payment of now.'),
    priced_at: Type.Unsafe<Date>({ ...Time, description: 'Time from which the unused time is counted.' }),
  },
  { title: 'PlanChangePreview' },
)

const Shown = Closed(
  { ...amounts, priced_at: Type.Unsafe<string>({ ...InputTime, description: '`priced_at` of the preview.' }) },
  {
    description:
      'Amounts of the preview that were shown. They are charged for 15 minutes; 409 `price_changed` if they have changed.',
  },
)
export const PlanChange = Closed(
  { ...chosen, buyer: Type.Optional(Buyer), shown: Type.Optional(Shown) },
  { title: 'PlanChange', examples: [{ plan_code: 'team', period: 'yearly' }] },
)

export const PaymentMethod = Type.Object(
  {
    brand: nullable(Type.String({ maxLength: 60, description: 'Kind of card, such as `visa`. Null if unknown.' })),
    last4: nullable(Type.String({ maxLength: 4, description: 'Last four digits. Null if unknown.' })),
    expires: nullable(
      Type.String({ maxLength: 7, description: 'Month in which the card expires, such as `2028-04`.' }),
    ),
    update_url: nullable(
      Type.String({
        maxLength: 2000,
        description: 'URL at which the payment method is changed. Null if the provider has none.',
      }),
    ),
  },
  { title: 'PaymentMethod' },
)
