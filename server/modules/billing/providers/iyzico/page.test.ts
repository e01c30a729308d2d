import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../../test/factories.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import type { PaymentServers } from '../../../../../test/stand-ins/payment-providers/payment-servers.ts'
import { type Billing, billingApp } from '../../billing.fixture.ts'
import { expireCheckouts } from '../../checkouts/close-checkout.ts'
import { iyzico } from './index.ts'

let billing: Billing
let t: TestApp
let world: PaymentServers
beforeAll(async () => {
  billing = await billingApp('iyzico')
  ;({ t, world } = billing)
  const iyzico_pricing_plan_ref_monthly = world.iyzico.createPlan({ price: 149_900n })
  const metadata = { iyzico_pricing_plan_ref_monthly }
  expectStatus(await billing.admin.patch('/api/v1/admin/plans/team', { metadata }), 200)
})
afterAll(() => billing?.close())

const buyer = { name: 'Ada', surname: 'Lovelace', phone: '+905350000000', identity_number: '10000000146' }

async function openCheckout() {
  const owner = await withWorkspace(t)
  const billing_address = { line1: 'Bir sokak 1', city: 'İstanbul', country: 'Türkiye' }
  expectStatus(await owner.patch('/api/v1/workspace', { billing_address }), 200)
  const body = { plan_code: 'team', period: 'monthly', currency: 'TRY', buyer }
  const checkout = expectStatus(await owner.post('/api/v1/billing/checkout', body), 201).body
  return { owner, checkout, token: String(checkout.url).split('/').at(-1) ?? '' }
}
/** Posts as the browser does after the form, from the site of iyzico and without cookies. */
const comeBack = (query: string, token: string) =>
  fetch(`${t.url}/billing/iyzico/callback${query}`, {
    method: 'POST',
    headers: {
      origin: 'https://sandbox-cpp.iyzipay.com',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ token }).toString(),
    redirect: 'manual',
  })

test('the form is paid on a page of Meydan, and the browser comes back to a checkout that is completed', async () => {
  const { owner, checkout, token } = await openCheckout()
  expect(checkout).toMatchObject({ kind: 'hosted', provider: 'iyzico', status: 'open' })
  const page = expectStatus(await t.anyone.get(checkout.url), 200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'sha256-")
  expect(page.body).toContain('id="iyzipay-checkout-form"')
  expect(page.body).toContain(token)
  expect(page.body).toContain('1499.00 TRY')

  world.iyzico.payForm(token)
  const response = await comeBack('', token)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toMatch(new RegExp(`^/w/[^/]+/billing/checkouts/${checkout.id}$`))
  await t.runJobs()
  const after = await owner.get(`/api/v1/billing/checkouts/${checkout.id}`)
  expect(after.body).toMatchObject({ status: 'completed', url: null })
  const subscription = (await owner.get('/api/v1/billing/subscription')).body
  expect(subscription).toMatchObject({ plan_code: 'team', status: 'active', provider: 'iyzico' })
  expect(world.journal.charges(token)).toMatchObject([{ amount: 149_900n, currency: 'TRY' }])
  // A page that is opened again leads to the result.
  const again = await fetch(`${t.url}${checkout.url}`, { redirect: 'manual' })
  expect([again.status, again.headers.get('location')]).toEqual([303, response.headers.get('location')])
})

test('a browser that comes back without a payment finds the checkout open', async () => {
  const { owner, checkout, token } = await openCheckout()
  expect((await comeBack('', token)).status).toBe(303)
  await t.runJobs()
  expect((await owner.get(`/api/v1/billing/checkouts/${checkout.id}`)).body.status).toBe('open')
})

test('the form of a checkout that expired is not kept', async () => {
  const { checkout } = await openCheckout()
  const formOf = async () =>
    (await t.deps.db.selectFrom('checkout').select('form_html').where('id', '=', checkout.id).executeTakeFirst())
      ?.form_html
  expect(await formOf()).toContain('<script')
  t.advance(new Date(checkout.expires_at).getTime() - t.clock.now().getTime() + 1000)
  await expireCheckouts(t.deps)
  expect(await formOf()).toBeNull()
})

test('unknown tokens lead nowhere', async () => {
  expectStatus(await t.anyone.get('/billing/iyzico/pay/unknown'), 404)
  expectStatus(await t.anyone.get('/billing/iyzico/card?of=v1.a.b'), 404)
  expectStatus(await t.anyone.get('/billing/iyzico/card'), 404)
  expect((await comeBack('', 'unknown')).headers.get('location')).toBe('/')
  expect((await comeBack('?of=//evil.example', 'x')).headers.get('location')).toBe('/')
})

test('a new card pays what is open', async () => {
  const { owner, token } = await openCheckout()
  world.iyzico.payForm(token)
  await comeBack('', token)
  await t.runJobs()
  const { provider_subscription_id: id } = (await owner.get('/api/v1/billing/subscription')).body
  world.iyzico.setCard(id, 'declined')
  t.advance(32 * 86_400_000)
  await t.runJobs()

  const url = await iyzico.paymentMethodUrl(t.deps, { id, customer_id: null }, 'http://meydan.test/w/a/billing')
  const path = String(url).replace('http://meydan.test', '')
  const page = expectStatus(await t.anyone.get(path), 200)
  expect(page.body).toContain('href="/w/a/billing"')
  const form = world.iyzico.forms().at(-1)
  expect(form?.kind).toBe('card_update')
  world.iyzico.payForm(form?.token ?? '')
  const response = await comeBack(new URL(form?.callbackUrl ?? '').search, form?.token ?? '')
  expect(response.headers.get('location')).toBe('/w/a/billing')
  expect(world.journal.charges(id)).toMatchObject([{ amount: 149_900n }, { amount: 149_900n }])
  await t.runJobs()
  expect((await iyzico.readSubscription(t.deps, id))?.status).toBe('active')
  t.advance(61 * 60_000)
  expectStatus(await t.anyone.get(path), 404)
})

/** A subscription with an open payment that its card did not pay, and the page that changes the card. */
async function unpaid() {
  const { owner, token } = await openCheckout()
  world.iyzico.payForm(token)
  await comeBack('', token)
  await t.runJobs()
  const { provider_subscription_id: id } = (await owner.get('/api/v1/billing/subscription')).body
  world.iyzico.setCard(id, 'declined')
  t.advance(32 * 86_400_000)
  await t.runJobs()
  const url = await iyzico.paymentMethodUrl(t.deps, { id, customer_id: null }, 'http://meydan.test/w/a/billing')
  return { id, path: String(url).replace('http://meydan.test', '') }
}
const retries = () => world.iyzico.calls.filter(({ path }) => path === '/v2/subscription/operation/retry').length

test('the open payment is charged once for each form, however often its browser comes back', async () => {
  const { path } = await unpaid()
  expectStatus(await t.anyone.get(path), 200)
  const form = world.iyzico.forms().at(-1)
  world.iyzico.payForm(form?.token ?? '')
  world.iyzico.declineNext(100)
  const before = retries()
  const back = () => comeBack(new URL(form?.callbackUrl ?? '').search, form?.token ?? '')
  for (const { headers } of await Promise.all([back(), back(), back()]))
    expect(headers.get('location')).toBe('/w/a/billing')
  await back()
  expect(retries()).toBe(before + 1)
  // The address of the page itself comes from no form.
  await comeBack(new URL(path, t.url).search, 'x')
  expect(retries()).toBe(before + 1)
  world.iyzico.declineNext(0)
})

test('429 for more than five forms a minute for the card of a subscription', async () => {
  const { path } = await unpaid()
  for (let n = 0; n < 5; n++) expectStatus(await t.anyone.get(path), 200)
  expectProblem(await t.anyone.get(path), 429, 'too_many_requests')
  t.advance(61_000)
  expectStatus(await t.anyone.get(path), 200)
})
