import { type Scope, scopes } from '../../server/lib/http/scopes.ts'
import { suspendedMovement } from '../../server/modules/billing/settlements/settlements.fixture.ts'
import { expectStatus } from '../factories.ts'
import { paidInvoice } from '../invoices.ts'
import type { Recipe, RecipeContext, RequestParts } from './recipe-context.ts'

/** Plans that no other request changes. */
export const soldPlans = { small: 'fuzz-small', large: 'fuzz-large' }
const small = { plan_code: soldPlans.small, period: 'monthly', currency: 'TRY' }

/** The owner of a new workspace, which has no subscription yet. */
async function payer({ callers }: RecipeContext) {
  const owner = await callers.newOwner()
  return { owner, headers: { ...owner.headers, 'x-workspace-id': owner.workspace_id } }
}

/** Credentials for the public path of an operation. */
async function tokenOf({ owner }: Awaited<ReturnType<typeof payer>>) {
  const input = { name: 'Billing', scopes: Object.keys(scopes) as Scope[] }
  const { body } = expectStatus(await owner.post('/api/v1/api-tokens', input), 201)
  return { authorization: `Bearer ${body.token}` }
}

async function checkout(context: RecipeContext) {
  const made = await payer(context)
  const { body } = expectStatus(await made.owner.post('/api/v1/billing/checkout', small), 201)
  const request = await context.t.deps.db
    .selectFrom('payment_request')
    .select('id')
    .where('checkout_id', '=', body.id)
    .executeTakeFirst()
  return { ...made, id: body.id as string, url: body.url as string | null, request: request?.id ?? '' }
}

async function subscribed(context: RecipeContext) {
  const made = await checkout(context)
  expectStatus(await context.admin.post(`/api/v1/admin/payment-requests/${made.request}/approve`, {}), 200)
  return made
}

/** A subscription of a provider that keeps a payment method. */
async function withCard(context: RecipeContext) {
  const { admin, payments, t } = context
  expectStatus(await admin.put('/api/v1/options/billing.provider', { value: 'stripe' }), 200)
  try {
    const made = await checkout(context)
    const session = payments.stripe.sessions().find(({ url }) => url === made.url)
    payments.stripe.payCheckout(String(session?.id))
    await payments.webhooks.settle()
    await t.runJobs()
    return made
  } finally {
    expectStatus(await admin.put('/api/v1/options/billing.provider', { value: 'manual' }), 200)
  }
}

type Made = Awaited<ReturnType<typeof payer>> & { id?: string }

type Make = (context: RecipeContext) => Promise<Made>
type Input = Pick<RequestParts, 'body' | 'query'>

/** A recipe of an operation. `headersOf`: its credentials, by default the session. */
const withCaller =
  (
    make: Make,
    input: Input = {},
    headersOf = async ({ headers }: Made): Promise<Record<string, string>> => headers,
  ): Recipe =>
  async (context) => {
    const made = await make(context)
    return { headers: await headersOf(made), ...(made.id && { path: { id: made.id } }), ...input }
  }

/** Recipes of an operation and of its public path. */
const both = (operationId: string, make: Make, input: Input = {}) => ({
  [operationId]: withCaller(make, input),
  [`public${operationId[0]?.toUpperCase()}${operationId.slice(1)}`]: withCaller(make, input, tokenOf),
})

const asId = (make: (context: RecipeContext) => Promise<string>, body?: object): Recipe => {
  return async (context) => ({ path: { id: await make(context) }, ...(body && { body }) })
}
const subscriptionId = async (context: RecipeContext) => {
  const { owner, headers } = await subscribed(context)
  return expectStatus(await owner.get('/api/v1/billing/subscription', headers), 200).body.id as string
}
const requestId = async (context: RecipeContext) => (await checkout(context)).request

export const billingRecipes: Record<string, Recipe> = {
  createSettlementRemedy: async ({ t }) => ({ body: await suspendedMovement(t) }),
  startCheckout: withCaller(payer, { body: small }),
  ...both('readCheckout', checkout),
  openCheckout: withCaller(checkout),
  ...both('readSubscription', subscribed),
  cancelSubscription: withCaller(subscribed),
  resumeSubscription: withCaller(subscribed),
  changeSubscriptionPlan: withCaller(subscribed, { body: { plan_code: soldPlans.large } }),
  ...both('previewPlanChange', subscribed, { query: { plan_code: soldPlans.large } }),
  ...both('readPaymentMethod', withCard),
  approvePaymentRequest: asId(requestId, { reference: 'EFT 1' }),
  rejectPaymentRequest: asId(requestId, { reason: 'No payment arrived.' }),
  readSubscriptionForAdmin: asId(subscriptionId),
  extendSubscription: asId(subscriptionId, { days: 7 }),
  expireSubscription: asId(subscriptionId),
  refundInvoice: asId(
    async (context) => {
      const { owner } = await payer(context)
      return (await paidInvoice(context.t, { workspace_id: owner.workspace_id })).id
    },
    { reason: 'Paid twice' },
  ),
  // An admin with unused rate limits.
  testBilling: async ({ callers }) => ({ headers: (await callers.newUser({ instanceAdmin: true })).headers }),
}
