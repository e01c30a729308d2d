import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { admin, viewer } from '../../lib/http/access.ts'
import { callLimit } from '../../lib/http/limits/call-limit.ts'
import { routes } from '../../lib/http/route.ts'
import { idParams, nullable } from '../../lib/http/schema/schema.ts'
import { readCheckout } from './checkouts/due-reads.ts'
import { readCheckoutTerms } from './checkouts/terms.ts'
import { cancelSubscription, resumeSubscription } from './processes/cancel-and-resume.ts'
import { changePlan } from './processes/plan-changes/change-plan.ts'
import { previewPlanChange } from './processes/plan-changes/preview-change.ts'
import { openRenewal } from './processes/renewals.ts'
import { startCheckout } from './processes/start-checkout.ts'
import { Checkout, CheckoutTerms, NewCheckout } from './records/checkouts.schema.ts'
import {
  PaymentMethod,
  PlanChange,
  PlanChangePreview,
  PlanChangeQuery,
  Subscription,
} from './records/subscriptions.schema.ts'
import { readSubscription } from './records/subscriptions.ts'
import { readPaymentMethod } from './subscriptions/payment-method.ts'

const read = viewer({ scope: 'billing:read' })
/** Nobody pays with a token. */
const write = admin({ token: false })

/** Previews and payment methods together, a minute for each user: each is up to three calls of the provider. */
const PROVIDER_READS_A_MINUTE = 30

export function billingRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Billing')
  const countProviderRead = callLimit('payment-provider', PROVIDER_READS_A_MINUTE, deps.clock)

  route.post('/billing/checkout', {
    operationId: 'startCheckout',
    summary: 'Start a checkout',
    description:
      'Starts a checkout of a subscription with the provider of the option `billing.provider`. The same request while a checkout is open returns that one with 200. Another plan closes it. The price of the checkout is the price that is charged, even if the plan changes before it is paid.',
    access: write,
    body: NewCheckout,
    response: { 201: Checkout, 200: Checkout },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete, reply }) => {
      const { checkout, isNew } = await startCheckout(deps, caller, body)
      reply.code(isNew ? 201 : 200)
      await inTransaction(deps.db, (tx) => complete(tx, checkout))
      return checkout
    },
  })
  route.get('/billing/checkout', {
    operationId: 'readCheckoutTerms',
    summary: 'Retrieve the terms of a checkout',
    description: 'Shows how a new subscription is paid, before one is started.',
    access: admin({ scope: 'billing:read' }),
    response: { 200: CheckoutTerms },
    handler: ({ deps, caller }) => readCheckoutTerms(deps, caller),
  })
  route.get('/billing/checkouts/:id', {
    operationId: 'readCheckout',
    summary: 'Retrieve a checkout',
    description:
      'Shows the state of a checkout, as the page does to which the payer returns. While it is open, each call has Meydan ask the provider, at most every ten seconds: poll until `status` changes.',
    access: admin({ scope: 'billing:read' }),
    params: idParams('checkout'),
    response: { 200: Checkout },
    handler: ({ deps, caller, params }) => readCheckout(deps, caller, params.id),
  })
  route.post('/billing/checkouts/:id/open', {
    operationId: 'openCheckout',
    summary: 'Open a checkout to pay it',
    description:
      'Asks the provider for the page to pay at, for a checkout that Meydan created by itself, such as a renewal. If a former page has closed, the response is a new checkout with another id.',
    access: write,
    params: idParams('checkout'),
    response: { 200: Checkout },
    ownTransactions: true,
    handler: async ({ deps, caller, params, complete }) => {
      const checkout = await openRenewal(deps, caller, params.id)
      await inTransaction(deps.db, (tx) => complete(tx, checkout))
      return checkout
    },
  })
  route.get('/billing/subscription', {
    operationId: 'readSubscription',
    summary: 'Retrieve the subscription',
    description: 'Returns the subscription in force, or the last one.',
    access: read,
    response: { 200: Subscription },
    handler: ({ db, deps, caller }) => readSubscription(db, deps, caller),
  })
  route.post('/billing/cancel-subscription', {
    operationId: 'cancelSubscription',
    summary: 'Cancel the subscription',
    description:
      'The subscription stays in force until the end of its period. A `past_due` one ends at once, and what was open need not be paid. Canceling twice changes nothing.',
    access: write,
    response: { 200: Subscription },
    handler: ({ db, deps, caller }) => cancelSubscription({ ...deps, db }, caller),
  })
  route.post('/billing/resume-subscription', {
    operationId: 'resumeSubscription',
    summary: 'Resume the subscription',
    description: 'Takes a cancellation back before the end of the period.',
    access: write,
    response: { 200: Subscription },
    handler: ({ db, deps, caller }) => resumeSubscription({ ...deps, db }, caller),
  })
  route.post('/billing/change-plan', {
    operationId: 'changeSubscriptionPlan',
    summary: 'Change the plan',
    description:
      'A larger plan, or a yearly period instead of a monthly one, applies now: what is left of the present one is credited. A smaller plan applies from the next period. The present plan takes a waiting change back. If a payment is needed first, `checkout` has it.',
    access: write,
    body: PlanChange,
    response: {
      200: Type.Object({ subscription: Subscription, checkout: nullable(Checkout) }, { title: 'ChangedPlan' }),
    },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete }) => {
      const changed = await changePlan(deps, caller, body)
      await inTransaction(deps.db, (tx) => complete(tx, changed))
      return changed
    },
  })
  route.get('/billing/change-plan', {
    operationId: 'previewPlanChange',
    summary: 'Preview a change of the plan',
    description:
      'Shows what a change of the plan would charge now and later. To charge exactly that, send the amounts as `shown`. At most 30 calls a minute, together with those of the payment method.',
    access: admin({ scope: 'billing:read' }),
    query: PlanChangeQuery,
    response: { 200: PlanChangePreview },
    ownTransactions: true,
    weight: 'outside',
    handler: ({ deps, caller, query, reply }) => {
      countProviderRead(caller.user_id, reply)
      return previewPlanChange(deps, caller, query)
    },
  })
  route.get('/billing/payment-method', {
    operationId: 'readPaymentMethod',
    summary: 'Retrieve the payment method',
    description:
      'Returns the payment method of the subscription as the provider shows it, with an address to change it. 404 if the provider keeps none. At most 30 calls a minute, together with previews of a change of the plan.',
    access: admin({ scope: 'billing:read' }),
    response: { 200: PaymentMethod },
    ownTransactions: true,
    weight: 'outside',
    handler: ({ deps, caller, reply }) => {
      countProviderRead(caller.user_id, reply)
      return readPaymentMethod(deps, caller)
    },
  })
}
