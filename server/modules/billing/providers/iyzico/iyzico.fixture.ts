import type { Client } from '../../../../../test/client.ts'
import { expectStatus, signedIn } from '../../../../../test/factories.ts'
import { advanceTo, type Billing, lastingOwner, settle, subscriptionOf, tokenOf } from '../../billing.fixture.ts'

const HOUR = 3_600_000
export const buyer = { name: 'Ada', surname: 'Yılmaz', phone: '+905350000000', identity_number: '10000000146' }

/** Sessions do not last as long as a subscription. */
export const adminNow = ({ t }: Pick<Billing, 't'>) => signedIn(t, { instanceAdmin: true })

/** Gives a plan pricing plans at iyzico, equal to its own prices. */
export async function sell(billing: Billing, code: string, trialDays = 0) {
  const { iyzico } = billing.world
  const admin = await adminNow(billing)
  const name = (kind: string) => `${code} ${kind} ${crypto.randomUUID()}`
  const { body: plan } = expectStatus(await admin.get(`/api/v1/admin/plans/${code}`), 200)
  const price = BigInt(Math.round(plan.prices.try.monthly * 100))
  const yearly = BigInt(Math.round(plan.prices.try.yearly * 100))
  const metadata = {
    iyzico_pricing_plan_ref_monthly: iyzico.createPlan({ price, name: name('monthly') }),
    iyzico_pricing_plan_ref_yearly: iyzico.createPlan({ price: yearly, interval: 'YEARLY', name: name('yearly') }),
    ...(trialDays && {
      iyzico_pricing_plan_ref_monthly_trial: iyzico.createPlan({ price, trialDays, name: name('trial') }),
    }),
  }
  expectStatus(await admin.patch(`/api/v1/admin/plans/${code}`, { metadata }), 200)
}

/** iyzico requires an address. */
export async function buyerOfIyzico(billing: Billing) {
  const owner = await lastingOwner(billing)
  const billing_address = { name: 'Fırın', line1: 'Moda Caddesi 5', city: 'İstanbul', country: 'TR', postal: '34710' }
  expectStatus(await owner.patch('/api/v1/workspace', { billing_address }), 200)
  return owner
}

export async function buy(billing: Billing, owner: Client, terms: object, { returns = true } = {}) {
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', { ...terms, buyer }), 201)
  await pay(billing, tokenOf(body.url), { returns })
  return body
}

/** Fills in a form of iyzico. */
async function pay(billing: Billing, token: string, { returns = true } = {}) {
  const paid = billing.world.iyzico.payForm(token, { card: 'ok' })
  if (returns)
    await fetch(`${billing.t.url}${new URL(paid.callbackUrl).pathname}`, {
      method: 'POST',
      headers: { origin: 'https://static.iyzipay.com', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(paid.form),
      redirect: 'manual',
    })
  await settle(billing)
}

/** Advances past the trial of a plan that was bought. */
export async function pastTrial(billing: Billing, owner: Client) {
  const trial = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(trial.current_period_end).getTime() + 2 * HOUR))
  return subscriptionOf(owner)
}

/** Advances to the last half hour of the period, and past its end. */
export async function renew(billing: Billing, owner: Client) {
  const end = new Date((await subscriptionOf(owner)).current_period_end).getTime()
  await advanceTo(billing, new Date(end - HOUR / 2))
  await advanceTo(billing, new Date(end + 2 * HOUR))
}

/** Changes the plan, and pays what that costs. */
export async function change(billing: Billing, owner: Client, terms: object) {
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', { ...terms, buyer }), 200)
  const { url } = body.checkout
  await pay(billing, new URL(url, billing.t.url).searchParams.get('token') ?? tokenOf(url))
  return body.checkout
}
