import { Type } from 'typebox'
import { declareEvents, exampleTime, exampleWorkspaceId } from '../../../lib/events/event-type.ts'
import { nullable } from '../../../lib/http/schema/schema.ts'
import { Currency, Money } from '../../../lib/money.ts'
import { Subscription } from './subscriptions.schema.ts'

const subscription = {
  id: '01995f0e-4b7a-7c3d-9e21-6f5a4b3c2d18',
  workspace_id: exampleWorkspaceId,
  plan_code: 'pro',
  status: 'active',
  trial_end: null,
  current_period_start: '2026-03-01T12:00:00.000Z',
  current_period_end: '2026-04-01T12:00:00.000Z',
  billing_currency: 'TRY',
  billing_period: 'monthly',
  amount: 499,
  cancel_at_period_end: false,
  cancel_requested_at: null,
  pending_plan_code: null,
  pending_period: null,
  past_due_deadline: null,
  ended_at: null,
  provider: 'stripe',
  provider_subscription_id: 'sub_1Pgc4h2eZvKYlo2C',
  provider_customer_id: 'cus_QXg1o8vlGmQ0Vb',
  pay_url: null,
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: exampleTime,
}

export const subscriptionEvents = declareEvents({
  'billing.subscription.started': {
    description: 'A subscription began, with a trial or its first payment.',
    data: Type.Object({ subscription: Subscription }),
    example: { subscription },
  },
  'billing.subscription.changed': {
    description:
      'A subscription changed: its plan, its period, its status while in force, or whether it ends with the period.',
    data: Type.Object({ subscription: Subscription }),
    example: { subscription: { ...subscription, plan_code: 'team', amount: 1499 } },
  },
  'billing.subscription.canceled': {
    description: 'A subscription ended because it was canceled.',
    data: Type.Object({ subscription: Subscription }),
    example: { subscription: { ...subscription, status: 'canceled', ended_at: exampleTime } },
  },
  'billing.subscription.expired': {
    description: 'A subscription ended because it was not paid.',
    data: Type.Object({ subscription: Subscription }),
    example: { subscription: { ...subscription, status: 'expired', ended_at: exampleTime } },
  },
  'billing.trial.ending': {
    description: 'A trial ends in three days. The first payment follows unless the subscription is canceled.',
    data: Type.Object({ subscription: Subscription }),
    example: {
      subscription: { ...subscription, status: 'trialing', trial_end: '2026-03-15T12:00:00.000Z' },
    },
  },
  'billing.payment_failed': {
    description: 'A payment for a subscription failed, or was not made in time. `subscription` has the deadline.',
    data: Type.Object({
      subscription: Subscription,
      amount: Money('Amount that is open, VAT included'),
      currency: Currency,
      reason: nullable(Type.String({ maxLength: 400, description: 'Reason of the provider. Null without one.' })),
    }),
    example: {
      subscription: {
        ...subscription,
        status: 'past_due',
        past_due_deadline: '2026-04-22T12:00:00.000Z',
        pay_url: 'https://meydan.example.com/w/bakery/billing',
      },
      amount: 499,
      currency: 'TRY',
      reason: 'Your card has insufficient funds.',
    },
  },
})
