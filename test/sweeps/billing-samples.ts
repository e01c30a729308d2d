import { type Scope, scopes } from '../../server/lib/http/scopes.ts'
import { billingApp, sellAtStripe, settle } from '../../server/modules/billing/billing.fixture.ts'
import { suspendedMovement } from '../../server/modules/billing/settlements/settlements.fixture.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withToken, withWorkspace } from '../factories.ts'
import { paidInvoice, withTaxNumber } from '../invoices.ts'
import { isPublic, type Route } from '../routes.ts'
import type { Fixture } from './fixture.ts'
import type { Make } from './resources.ts'

const pro = { plan_code: 'pro', period: 'monthly', currency: 'TRY' }

/** A workspace of its own for each sample, because it has one subscription at most. */
async function payer({ t }: Pick<Fixture, 't'>, route: Route | undefined) {
  const owner = await withWorkspace(t)
  const who = route && isPublic(route) ? await withToken(t, owner, Object.keys(scopes) as Scope[]) : owner
  return { owner, who }
}

async function checkout({ t }: Fixture, owner: WorkspaceOwner) {
  const { id } = expectStatus(await owner.post('/api/v1/billing/checkout', pro), 201).body
  const request = await t.deps.db
    .selectFrom('payment_request')
    .select('id')
    .where('checkout_id', '=', id)
    .executeTakeFirstOrThrow()
  return { id: id as string, request: request.id }
}

async function subscribed(fixture: Fixture, route?: Route) {
  const { owner, who } = await payer(fixture, route)
  const { request } = await checkout(fixture, owner)
  expectStatus(await fixture.admin.post(`/api/v1/admin/payment-requests/${request}/approve`, {}), 200)
  return { owner, who }
}

const withSubscription =
  (body?: object): Make =>
  async (fixture, route) => ({ who: (await subscribed(fixture, route)).who, ...(body && { body }) })

const withPlanChange: Make = async (fixture, route) => ({
  who: (await subscribed(fixture, route)).who,
  query: '?plan_code=team',
})

const subscription: Make = async (fixture) => {
  const { owner } = await subscribed(fixture)
  return { id: expectStatus(await owner.get('/api/v1/billing/subscription'), 200).body.id }
}

const paymentRequest: Make = async (fixture) => {
  const { owner } = await payer(fixture, undefined)
  return { id: (await checkout(fixture, owner)).request }
}

async function openCheckout(fixture: Fixture, route: Route | undefined) {
  const { owner, who } = await payer(fixture, route)
  return { id: (await checkout(fixture, owner)).id, who }
}

/** Only a provider that renews keeps a payment method. */
const withCard: Make = async (fixture, route) => {
  const billing = await billingApp('stripe')
  fixture.closeLater(billing.close)
  await sellAtStripe(billing, 'pro')
  const { owner, who } = await payer(billing, route)
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', pro), 201)
  const session = billing.world.stripe.sessions().find(({ url }) => url === body.url)
  billing.world.stripe.payCheckout(String(session?.id))
  await settle(billing)
  return { t: billing.t, who }
}

export const billingResources: Record<string, Make> = {
  checkouts: openCheckout,
  subscriptions: subscription,
  'payment-requests': paymentRequest,
}

/** A paid invoice whose seller has a tax number. */
const invoiceForUbl: Make = async ({ t, owner }) => {
  const { id } = await paidInvoice(t, { workspace_id: owner.workspace_id })
  await withTaxNumber(t, id)
  return { id }
}

const withDifference: Make = async ({ t }) => {
  await suspendedMovement(t)
  return {}
}

export const billingSamples: Record<string, Make> = {
  // The same terms again return the open checkout.
  'POST /billing/checkout': async (fixture, route) => ({ who: (await openCheckout(fixture, route)).who, body: pro }),
  'GET /billing/subscription': withSubscription(),
  'GET /billing/payment-method': withCard,
  'POST /billing/cancel-subscription': withSubscription(),
  'POST /billing/resume-subscription': withSubscription(),
  'GET /billing/change-plan': withPlanChange,
  'POST /billing/change-plan': withSubscription({ plan_code: 'team' }),
  'POST /admin/payment-requests/:id/approve': async (fixture, route) => ({
    ...(await paymentRequest(fixture, route)),
    body: { reference: 'EFT 1' },
  }),
  'POST /admin/payment-requests/:id/reject': async (fixture, route) => ({
    ...(await paymentRequest(fixture, route)),
    body: { reason: 'No payment arrived.' },
  }),
  'POST /admin/subscriptions/:id/extend': async (fixture, route) => ({
    ...(await subscription(fixture, route)),
    body: { days: 14 },
  }),
  'GET /billing/invoices/:id/ubl': invoiceForUbl,
  'GET /admin/invoices/:id/ubl': invoiceForUbl,
  'POST /admin/invoices/:id/refund': async ({ t, owner }) => ({
    id: (await paidInvoice(t, { workspace_id: owner.workspace_id })).id,
    body: { amount: 100, reason: 'Paid twice' },
  }),
  'GET /admin/ledger/settlements': withDifference,
  'GET /admin/ledger/differences': withDifference,
  'GET /admin/ledger/remedies': async ({ t }) => {
    const admin = await signedIn(t, { instanceAdmin: true })
    expectStatus(await admin.post('/api/v1/admin/ledger/remedies', await suspendedMovement(t)), 201)
    return {}
  },
  'POST /admin/ledger/remedies': async ({ t }) => ({ body: await suspendedMovement(t) }),
  // Limited to five times a minute for each admin.
  'POST /options/test/billing': async ({ t }) => ({ who: await signedIn(t, { instanceAdmin: true }) }),
}
