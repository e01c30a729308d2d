import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import { expectStatus, type Person } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  buyByHand,
  lastingOwner,
  pendingRequest,
  pro,
  subscriptionOf,
} from './billing.fixture.ts'

let billing: Billing
let t: TestApp
let admin: Person
beforeAll(async () => {
  billing = await billingApp('manual')
  ;({ t, admin } = billing)
})
afterAll(() => billing?.close())

const DAY = 86_400_000

test('a payment request that is approved starts the subscription, with an invoice and a receipt', async () => {
  const owner = await lastingOwner(billing)
  expectProblem(await owner.get('/api/v1/billing/subscription'), 404, 'subscription_not_found')
  expect(expectStatus(await owner.get('/api/v1/billing/checkout'), 200).body).toEqual({
    ...{ provider: 'manual', is_configured: true, renews: false, trial: false, default_plan: 'free', requires: [] },
  })
  const key = { 'idempotency-key': 'checkout' }
  const { body: checkout } = expectStatus(await owner.post('/api/v1/billing/checkout', pro, key), 201)
  expect(checkout).toMatchObject({
    provider: 'manual',
    kind: 'payment_request',
    status: 'open',
    url: null,
    amount: 499,
    trial_days: 0,
  })
  expect(expectStatus(await owner.post('/api/v1/billing/checkout', pro, key), 201).body).toEqual(checkout)
  expect(expectStatus(await owner.post('/api/v1/billing/checkout', pro), 200).body.id).toBe(checkout.id)

  const request = await pendingRequest(admin, checkout.id)
  const path = `/api/v1/admin/payment-requests/${request.id}/approve`
  expect(expectStatus(await admin.post(path, { reference: 'EFT 1' }), 200).body).toMatchObject({ status: 'approved' })
  expectStatus(await admin.post(path, { reference: 'EFT 1' }), 200)
  const unknown = path.replace(request.id, checkout.id)
  expectProblem(await admin.post(unknown, { reference: 'EFT 1' }), 404, 'not_found')

  expect(await subscriptionOf(owner)).toMatchObject({
    plan_code: 'pro',
    status: 'active',
    amount: 499,
    provider: 'manual',
  })
  expect((await owner.get('/api/v1/workspace')).body.plan_code).toBe('pro')
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  expect(data).toMatchObject([{ status: 'paid', total: 499, currency: 'TRY' }])
  expect(expectStatus(await owner.get(`/api/v1/billing/checkouts/${checkout.id}`), 200).body.status).toBe('completed')
  const present = { plan_code: 'pro', state: 'active' }
  const refused = await owner.post('/api/v1/billing/checkout', pro)
  expect(expectProblem(refused, 409, 'already_subscribed')).toMatchObject(present)
})

test('a payment request is mailed to the instance admins, once while a workspace chooses again', async () => {
  const owner = await lastingOwner(billing)
  const { name } = expectStatus(await owner.get('/api/v1/workspace'), 200).body
  const mails = async () =>
    (await mailsTo(t, admin.email)).filter(({ key, subject }) => key === 'payment-requested' && subject.includes(name))
  expectStatus(await owner.post('/api/v1/billing/checkout', pro), 201)
  const [mail] = await mails()
  expect(mail?.body_text).toMatch(/Pro.*499\.00 TRY.*\/admin\/billing\/payment-requests/s)
  const { body: changed } = expectStatus(
    await owner.post('/api/v1/billing/checkout', { ...pro, period: 'yearly' }),
    201,
  )
  expect(await mails()).toHaveLength(1)
  const request = await pendingRequest(admin, changed.id)
  expectStatus(
    await admin.post(`/api/v1/admin/payment-requests/${request.id}/reject`, { reason: 'Nothing came.' }),
    200,
  )
  t.advance(2 * 3_600_000)
  expectStatus(await owner.post('/api/v1/billing/checkout', pro), 201)
  expect(await mails()).toHaveLength(2)
})

test('an unpaid renewal makes the subscription past due, and after the grace it expires', async () => {
  const owner = await lastingOwner(billing)
  await buyByHand(admin, owner)
  const first = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(first.current_period_end).getTime() + 1000))
  const due = await subscriptionOf(owner)
  expect(due.status).toBe('past_due')
  expect(new Date(due.past_due_deadline).getTime() - new Date(first.current_period_end).getTime()).toBe(21 * DAY)
  await advanceTo(billing, new Date(t.clock.now().getTime() + 22 * DAY))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired', pay_url: null })
  expect((await owner.get('/api/v1/workspace')).body.plan_code).toBe('free')
  // Three, seven and fourteen days after the end of the period the payment is asked for again.
  expect((await mailsTo(t, owner.email)).map(({ key }) => key)).toEqual([
    ...['billing-receipt', 'billing-renewal', 'billing-renewal'],
    ...['billing-failed', 'billing-failed', 'billing-failed', 'billing-failed', 'billing-ended'],
  ])
})
