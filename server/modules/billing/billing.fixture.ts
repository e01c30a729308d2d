import { expect } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import type { Client } from '../../../test/client.ts'
import { expectStatus, type Person, signedIn, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { closeWithLedger } from '../../../test/ledger.ts'
import { lasting } from '../../../test/people.ts'
import type { PaymentProvider } from '../../../test/stand-ins/payment-providers/journal.ts'
import { type PaymentServers, paymentServers } from '../../../test/stand-ins/payment-providers/payment-servers.ts'
import { expireCheckouts } from './checkouts/close-checkout.ts'
import { runBillingTimers } from './processes/run-timers.ts'

export type Billing = { t: TestApp; world: PaymentServers; admin: Person; close: () => Promise<void> }

/** Terms of a checkout. */
export const pro = { plan_code: 'pro', period: 'monthly', currency: 'TRY' }
export const team = { ...pro, plan_code: 'team' }

/** The addresses and keys of the stand-ins, for a node of Meydan. */
export const providerSettings = ({ stripe, iyzico, paytr }: PaymentServers) => ({
  STRIPE_URL: stripe.url,
  STRIPE_SECRET_KEY: stripe.key,
  STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
  IYZICO_URL: iyzico.url,
  IYZICO_API_KEY: iyzico.apiKey,
  IYZICO_SECRET_KEY: iyzico.secretKey,
  IYZICO_MERCHANT_ID: iyzico.merchantId,
  PAYTR_URL: paytr.url,
  PAYTR_MERCHANT_ID: paytr.merchantId,
  PAYTR_MERCHANT_KEY: paytr.merchantKey,
  PAYTR_MERCHANT_SALT: paytr.merchantSalt,
})

/** A Meydan that bills with the stand-ins of all providers, on one clock with them. */
export async function billingApp(
  provider: 'manual' | 'stripe' | 'iyzico' | 'paytr',
  settings: Record<string, string> = {},
  options: Parameters<typeof testApp>[1] = {},
): Promise<Billing> {
  let t: TestApp | undefined
  const world = await paymentServers({ now: () => t?.clock.now() ?? new Date() })
  t = await testApp({ BILLING_PROVIDER: provider, ...providerSettings(world), ...settings }, options)
  const at = (name: string) => `${t?.url}/api/v1/billing/webhooks/${name}`
  world.webhooks.sendTo({ stripe: at('stripe'), iyzico: at('iyzico'), paytr: at('paytr') })
  const admin = await lasting(t, await signedIn(t, { instanceAdmin: true }))
  expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: true }), 200)
  return {
    t,
    world,
    admin,
    close: async () => {
      await world.close()
      if (t) await closeWithLedger(t)
    },
  }
}

/** Gives a plan prices at Stripe, equal to its own. */
export async function sellAtStripe({ world, admin }: Billing, code: string) {
  const { body: plan } = expectStatus(await admin.get(`/api/v1/admin/plans/${code}`), 200)
  const minor = (amount: number) => Math.round(amount * 100)
  const price = (period: 'monthly' | 'yearly', interval: 'month' | 'year') =>
    world.stripe.createPrice({
      amount: minor(plan.prices.try[period]),
      currency: 'try',
      interval,
      currencies: { usd: minor(plan.prices.usd[period]) },
    })
  const metadata = {
    stripe_price_id_monthly: price('monthly', 'month'),
    stripe_price_id_yearly: price('yearly', 'year'),
  }
  expectStatus(await admin.patch(`/api/v1/admin/plans/${code}`, { metadata }), 200)
  return metadata
}

/** An owner whose session outlasts any advance of the clock. */
export async function lastingOwner({ t }: Pick<Billing, 't'>): Promise<WorkspaceOwner> {
  const owner = await lasting(t, await withWorkspace(t))
  return { ...owner, ...owner.with({ 'x-workspace-id': owner.workspace_id }) }
}

/** The last part of an address: the token of a page to pay on, or the id of a checkout in a link. */
export const tokenOf = (url: string) => url.split('/').at(-1) ?? ''

/** Pays on the page of this address at a provider. Its webhooks are sent, but not awaited. */
export function payOnPage({ stripe, iyzico, paytr }: PaymentServers, provider: PaymentProvider, url: string) {
  if (provider === 'iyzico')
    return iyzico.payForm(new URL(url, 'http://meydan.test').searchParams.get('token') ?? tokenOf(url))
  if (provider === 'paytr') return paytr.pay(tokenOf(url))
  const session = stripe.sessions().find((each) => each.url === url)
  return stripe.payCheckout(String(session?.id))
}

export const subscriptionOf = async (owner: Client) =>
  expectStatus(await owner.get('/api/v1/billing/subscription'), 200).body

/** Opens a checkout. `session`: its id at Stripe. */
export async function openAtStripe({ world }: Pick<Billing, 'world'>, owner: Client, terms: object = team) {
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', terms), 201)
  const session = world.stripe.sessions().find(({ url }) => url === body.url)
  return { ...body, session: String(session?.id) }
}

/** Opens a checkout and pays it. Its webhooks are sent, but not awaited. */
export async function payAtStripe(billing: Pick<Billing, 'world'>, owner: Client, terms: object = team) {
  const checkout = await openAtStripe(billing, owner, terms)
  expect(billing.world.stripe.payCheckout(checkout.session).paid).toBe(true)
  return checkout
}

/** Buys a plan with a payment that `admin` approves. */
export async function buyByHand(admin: Client, owner: Client, terms: object = pro) {
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', terms), 201)
  const request = await pendingRequest(admin, body.id)
  expectStatus(await admin.post(`/api/v1/admin/payment-requests/${request.id}/approve`, {}), 200)
}

export async function pendingRequest(admin: Client, checkout_id: string) {
  const { body } = expectStatus(await admin.get('/api/v1/admin/payment-requests?status=pending&limit=100'), 200)
  return body.data.find((request: { checkout_id: string }) => request.checkout_id === checkout_id)
}

/** Lets the providers send their webhooks, and Meydan handle them, until nothing more happens. */
export async function settle({ t, world }: Pick<Billing, 't' | 'world'>) {
  for (let round = 0; round < 4; round++) {
    const calls = world.calls().length
    world.tick()
    await world.webhooks.settle()
    await expireCheckouts(t.deps)
    await runBillingTimers(t.deps)
    await t.runJobs()
    if (world.calls().length === calls && world.webhooks.list({ state: 'waiting' }).length === 0) return
  }
}

/** Advances both clocks, in steps of a day so that timers run in their order. */
export async function advanceTo(billing: Billing, time: Date | string) {
  const end = new Date(time).getTime()
  for (;;) {
    const left = end - billing.t.clock.now().getTime()
    if (left <= 0) return
    billing.t.advance(Math.min(left, 86_400_000))
    await settle(billing)
  }
}
