import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { expectStatus, signedIn } from '../../../../test/factories.ts'
import { mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  lastingOwner,
  pro,
  settle,
  subscriptionOf,
  tokenOf,
} from '../billing.fixture.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('paytr')
})
afterAll(() => billing?.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR
const after = (time: Date | string, ms: number) => new Date(new Date(time).getTime() + ms)

type Owner = Client & { workspace_id: string; email: string }
const open = (owner: Client, id: string) => owner.post(`/api/v1/billing/checkouts/${id}/open`)
const pay = async (url: string) => {
  billing.world.paytr.pay(tokenOf(url), { card: 'ok' })
  await settle(billing)
}

async function subscribed(): Promise<Owner> {
  const owner = await lastingOwner(billing)
  await pay(expectStatus(await owner.post('/api/v1/billing/checkout', pro), 201).body.url)
  return owner
}

/** Six days before the end of the period, when the renewal is asked for. */
async function askedToRenew() {
  const owner = await subscribed()
  const { current_period_end } = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() - 6 * DAY))
  const asked = await subscriptionOf(owner)
  return { owner, asked, renewal: tokenOf(asked.pay_url) }
}

/** The sum that PayTR keeps of the payments of these checkouts. */
const kept = (...checkouts: { id: string }[]) =>
  checkouts.reduce((sum, { id }) => sum + billing.world.journal.net(id.replaceAll('-', '')), 0n)

test('an invoice that is refunded whole cannot be refunded again', async () => {
  const owner = await subscribed()
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  const path = `/api/v1/admin/invoices/${data[0].id}/refund`
  expectStatus(await billing.admin.post(path, { reason: 'Goodwill', amount: 0 }), 400)
  expectStatus(await billing.admin.post(path, { reason: 'Goodwill' }), 200)
  expect((await billing.admin.post(path, { reason: 'Goodwill' })).status).toBeLessThan(500)
})

test('a renewal that PayTR could not open stays open, and is paid later', async () => {
  const { owner, renewal } = await askedToRenew()
  billing.world.paytr.failNext({ kind: 'lost', works: false }, { path: 'get-token' })
  expectStatus(await open(owner, renewal), 503)
  const { pay_url } = await subscriptionOf(owner)
  expect(pay_url).not.toBeNull()
  await pay(expectStatus(await open(owner, tokenOf(pay_url)), 200).body.url)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', pay_url: null })
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  expect(data.map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid'])
})

/** Opens a renewal, and returns when PayTR was asked for its page. The result lets PayTR respond. */
async function openSlowly(owner: Owner, renewal: string) {
  const { paytr } = billing.world
  const path = 'get-token'
  const { promise: until, resolve: respond } = Promise.withResolvers<void>()
  const before = paytr.calls.filter((call) => call.path.includes(path)).length
  paytr.failNext({ kind: 'delay', until }, { path })
  const response = open(owner, renewal)
  await paytr.called(path, before + 1)
  return async () => {
    respond()
    return response
  }
}

test('of two people who open a renewal at once, one gets a page', async () => {
  const { owner, renewal } = await askedToRenew()
  const [first, second] = [await openSlowly(owner, renewal), await openSlowly(owner, renewal)]
  const { id, url, expires_at } = expectStatus(await first(), 200).body
  expect([id, expires_at]).toEqual([renewal, new Date(billing.t.clock.now().getTime() + HOUR).toISOString()])
  expectProblem(await second(), 409, 'billing_refused')
  await pay(url)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', pay_url: null })
  const { detail, state } = expectProblem(await open(owner, renewal), 409, 'invalid_transition')
  expect([detail, state]).toEqual([expect.stringContaining('pay a checkout'), 'completed'])
  expectProblem(await open(await lastingOwner(billing), renewal), 404, 'not_found')
})

test('a renewal whose page PayTR opened for a call that did not return gets another', async () => {
  const { owner, asked, renewal } = await askedToRenew()
  const first = await openSlowly(owner, renewal)
  const { body } = expectStatus(await open(owner, renewal), 200)
  expect(body.id).not.toBe(renewal)
  expect((await first()).body).toMatchObject({ status: 'failed', url: null })
  const rows = billing.t.deps.db.selectFrom('checkout').select(['status', 'failure', 'expires_at'])
  expect(
    await rows.where('subscription_id', '=', asked.id).where('purpose', '=', 'renewal').orderBy('id').execute(),
  ).toMatchObject([{ status: 'failed', failure: 'The page to pay at could not be opened.' }, { status: 'open' }])
  await pay(body.url)
  expect(await subscriptionOf(owner)).toMatchObject({ current_period_start: asked.current_period_end, pay_url: null })
})

test('a renewal whose page has closed unpaid gets another, and can be paid for a year', async () => {
  const { owner, renewal } = await askedToRenew()
  const first = expectStatus(await open(owner, renewal), 200).body
  billing.world.webhooks.hold()
  billing.t.advance(HOUR)
  const second = expectStatus(await open(owner, first.id), 200).body
  await billing.world.webhooks.release()
  await settle(billing)
  expect(second.id).not.toBe(first.id)
  const read = async (id: string) => expectStatus(await owner.get(`/api/v1/billing/checkouts/${id}`), 200).body
  expect(await read(first.id)).toMatchObject({ status: 'failed', failure: 'The page to pay at has closed.', url: null })
  expect(await read(second.id)).toMatchObject({ status: 'open', url: second.url })
  billing.world.paytr.pay(tokenOf(second.url), { card: 'declined' })
  await settle(billing)
  expect(await read(second.id)).toMatchObject({ status: 'failed', failure: 'The payment failed.' })
  const { pay_url } = await subscriptionOf(owner)
  expect((await read(tokenOf(pay_url))).expires_at).toBe(after(billing.t.clock.now(), 365 * DAY).toISOString())
})

test('a renewal is withdrawn with its deleted workspace, and issued again when that is restored', async () => {
  const { owner, asked, renewal } = await askedToRenew()
  const { name } = expectStatus(await owner.get('/api/v1/workspace'), 200).body
  expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
  await settle(billing)
  expectStatus(await owner.post(`/api/v1/workspaces/${owner.workspace_id}/restore`), 200)
  for (let n = 0; n < 2; n++) await settle(billing)
  expect(expectStatus(await owner.get(`/api/v1/billing/checkouts/${renewal}`), 200).body.status).toBe('expired')
  const { pay_url } = await subscriptionOf(owner)
  expect(tokenOf(pay_url)).not.toBe(renewal)
  expect(await statusesOf(owner)).toEqual(['open', 'paid', 'void'])
  // Nothing is charged by itself, so that a cancellation can be taken back until the end.
  await cancel(owner)
  await advanceTo(billing, after(asked.current_period_end, -60_000))
  expect(await resume(owner)).toMatchObject({ cancel_at_period_end: false, pay_url })
})

test('no instance admin is asked to decide about what is paid at PayTR', async () => {
  const { owner } = await askedToRenew()
  const admin = await signedIn(billing.t, { instanceAdmin: true })
  const { data } = expectStatus(await admin.get('/api/v1/admin/payment-requests?limit=100'), 200).body
  expect(data.filter(({ workspace_id }: Owner) => workspace_id === owner.workspace_id)).toEqual([])
})

test('a plan can be changed after the next period was paid early, for what the preview showed', async () => {
  const { owner, asked, renewal } = await askedToRenew()
  await pay(expectStatus(await open(owner, renewal), 200).body.url)
  const { body } = expectStatus(await owner.get('/api/v1/billing/change-plan?plan_code=team'), 200)
  expect(body).toMatchObject({ amount_due: 1000, renewal_amount: 1499 })
  const { amount_due, renewal_amount, priced_at } = body
  const wish = { plan_code: 'team', shown: { amount_due, renewal_amount, priced_at } }
  const { checkout } = expectStatus(await owner.post('/api/v1/billing/change-plan', wish), 200).body
  expect(checkout.amount).toBe(1000)
  await pay(checkout.url)
  expect(await subscriptionOf(owner)).toMatchObject({
    ...{ plan_code: 'team', current_period_start: asked.current_period_end },
  })
})

test('a renewal whose payment was not reported is not opened for a second payment', async () => {
  const { owner, asked, renewal } = await askedToRenew()
  const first = expectStatus(await open(owner, renewal), 200).body
  billing.world.webhooks.hold()
  billing.world.paytr.pay(tokenOf(first.url), { card: 'ok' })
  billing.t.advance(2 * 3_600_000)
  expectStatus(await open(owner, first.id), 409)
  expect(await subscriptionOf(owner)).toMatchObject({ current_period_start: asked.current_period_end, pay_url: null })
  await billing.world.webhooks.release()
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ current_period_start: asked.current_period_end })
  expect(kept(first)).toBe(49_900n)
})

test('after an upgrade the renewal costs the new plan, and one of the former plan is not taken', async () => {
  const { owner, renewal } = await askedToRenew()
  const former = expectStatus(await open(owner, renewal), 200).body
  const { checkout } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'team' }), 200).body
  await pay(checkout.url)
  const upgraded = await subscriptionOf(owner)
  expect(upgraded).toMatchObject({ plan_code: 'team', amount: 1499 })
  await pay(former.url)
  expect(await subscriptionOf(owner)).toMatchObject({
    plan_code: 'team',
    current_period_end: upgraded.current_period_end,
  })
  expect(kept(former)).toBe(0n)
  const { pay_url } = await subscriptionOf(owner)
  expect(expectStatus(await open(owner, tokenOf(pay_url)), 200).body).toMatchObject({ plan_code: 'team', amount: 1499 })
})

test('an upgrade costs what its preview showed, and a change of the price is refused', async () => {
  const owner = await subscribed()
  billing.t.advance(10 * DAY)
  const admin = await signedIn(billing.t, { instanceAdmin: true })
  const preview = async (plan_code: string) =>
    expectStatus(await owner.get(`/api/v1/billing/change-plan?plan_code=${plan_code}`), 200).body
  const { current_period_end } = await subscriptionOf(owner)
  const { amount_due, renewal_amount, priced_at, ...rest } = await preview('team')
  expect(rest).toMatchObject({ applies: 'now', renewal_period: 'monthly', renews_at: current_period_end })
  expect([renewal_amount, amount_due > 600 && amount_due < 1000]).toEqual([1499, true])
  billing.t.advance(10 * 60_000)
  const shown = { amount_due, renewal_amount, priced_at }
  const { prices } = expectStatus(await admin.get('/api/v1/admin/plans/team'), 200).body
  const dearer = { ...prices, try: { ...prices.try, monthly: 1599 } }
  expectStatus(await admin.patch('/api/v1/admin/plans/team', { prices: dearer }), 200)
  expectProblem(await owner.post('/api/v1/billing/change-plan', { plan_code: 'team', shown }), 409, 'price_changed')
  expectStatus(await admin.patch('/api/v1/admin/plans/team', { prices }), 200)
  const { checkout } = expectStatus(
    await owner.post('/api/v1/billing/change-plan', { plan_code: 'team', shown }),
    200,
  ).body
  expect(checkout.amount).toBe(amount_due)
  await pay(checkout.url)
  const [invoice] = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body.data
  expect(invoice).toMatchObject({
    total: amount_due,
    lines: [{ plan_name: 'Team' }, { plan_name: 'Pro', description: 'Pro planının kullanılmayan süresi, aylık' }],
  })
  const [bought, credited] = invoice.lines
  expect(credited.amount).toBeLessThan(-300)
  expect(bought.amount + credited.amount).toBeCloseTo(amount_due, 6)
  const smaller = await preview('pro')
  expect(smaller).toMatchObject({
    applies: 'at_renewal',
    amount_due: 0,
    renewal_amount: 499,
    renews_at: current_period_end,
  })
})

test('a change that is paid after the period ended unpaid is refunded', async () => {
  const owner = await subscribed()
  const { current_period_end } = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() - 60_000))
  const { checkout } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'team' }), 200).body
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 60_000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due', plan_code: 'pro' })
  await pay(checkout.url)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due', plan_code: 'pro' })
  expect(kept(checkout)).toBe(0n)
})

test('a plan without a price is refused: the subscription is canceled instead', async () => {
  const owner = await subscribed()
  expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'free' }), 400)
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', pending_plan_code: null })
})

test('the grace begins when Meydan asks for the payment, also after a standstill', async () => {
  const owner = await subscribed()
  const { current_period_end } = await subscriptionOf(owner)
  billing.t.advance(new Date(current_period_end).getTime() + 40 * DAY - billing.t.clock.now().getTime())
  await settle(billing)
  const due = await subscriptionOf(owner)
  expect(due).toMatchObject({ status: 'past_due' })
  const keys = (await mailsTo(billing.t, owner.email)).map(({ key }) => key)
  expect(keys).toEqual(['billing-receipt', 'billing-renewal', 'billing-failed'])
  expect(new Date(due.past_due_deadline).getTime() - billing.t.clock.now().getTime()).toBe(21 * DAY)
})

const invoicesOf = async (owner: Client) => expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body.data
const statusesOf = async (owner: Client) =>
  (await invoicesOf(owner)).map(({ status }: { status: string }) => status).toSorted()
const cancel = async (owner: Client) => expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200).body
const resume = async (owner: Client) => expectStatus(await owner.post('/api/v1/billing/resume-subscription'), 200).body

test('a subscription that is canceled and resumed again and again keeps its renewal: no other invoice, and no mail', async () => {
  const { owner, asked } = await askedToRenew()
  const numbers = async () => (await invoicesOf(owner)).map(({ number }: { number: string }) => number)
  const [before, { length }] = [await numbers(), await mailsTo(billing.t, owner.email)]
  const loop = async () => {
    for (let n = 0; n < 2; n++) {
      expect(await cancel(owner)).toMatchObject({ pay_url: null })
      await settle(billing)
      expect(await subscriptionOf(owner)).toMatchObject({ cancel_at_period_end: true, pay_url: null })
      expect(await resume(owner)).toMatchObject({ cancel_at_period_end: false, pay_url: asked.pay_url })
      await settle(billing)
    }
  }
  await loop()
  expect(await mailsTo(billing.t, owner.email)).toHaveLength(length)
  // The day before the end, when the reminder has been sent.
  await advanceTo(billing, new Date(new Date(asked.current_period_end).getTime() - DAY))
  await loop()
  expect(await mailsTo(billing.t, owner.email)).toHaveLength(length + 1)
  expect(await numbers()).toEqual(before)
})

test('no reminder follows on a cancellation, and its open invoice is void when the period ends', async () => {
  const { owner, asked } = await askedToRenew()
  const { length } = await mailsTo(billing.t, owner.email)
  await cancel(owner)
  await advanceTo(billing, new Date(new Date(asked.current_period_end).getTime() - 60_000))
  expect(await statusesOf(owner)).toEqual(['open', 'paid'])
  expect(await mailsTo(billing.t, owner.email)).toHaveLength(length)
  await advanceTo(billing, asked.current_period_end)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled', pay_url: null })
  expect(await statusesOf(owner)).toEqual(['paid', 'void'])
})

test('a canceled renewal cannot be opened, and one that is paid nevertheless grants its period and no further one', async () => {
  const { owner, asked, renewal } = await askedToRenew()
  const { url } = expectStatus(await open(owner, renewal), 200).body
  await cancel(owner)
  expect(expectProblem(await open(owner, renewal), 409, 'invalid_transition')).toMatchObject({
    ...{ detail: 'Resume the subscription first.', state: 'canceled' },
  })
  await pay(url)
  const paid = await subscriptionOf(owner)
  expect(paid).toMatchObject({ current_period_start: asked.current_period_end, cancel_at_period_end: true })
  expect(await statusesOf(owner)).toEqual(['paid', 'paid'])
  await advanceTo(billing, paid.current_period_end)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(await statusesOf(owner)).toEqual(['paid', 'paid'])
})

test('a change in the last two days asks for its payment with one mail', async () => {
  const { owner, asked } = await askedToRenew()
  await advanceTo(billing, new Date(new Date(asked.current_period_end).getTime() - DAY))
  const { length } = await mailsTo(billing.t, owner.email)
  const { checkout } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'team' }), 200).body
  await pay(checkout.url)
  const sent = (await mailsTo(billing.t, owner.email)).slice(length).map(({ key }) => key)
  expect(sent.filter((key) => key === 'billing-renewal')).toHaveLength(1)
})
