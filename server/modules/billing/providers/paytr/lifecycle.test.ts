import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../../test/client.ts'
import { expectStatus } from '../../../../../test/factories.ts'
import { mailsTo } from '../../../../../test/people.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  lastingOwner,
  pro,
  settle,
  subscriptionOf,
  tokenOf,
} from '../../billing.fixture.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('paytr')
})
afterAll(() => billing?.close())

const DAY = 86_400_000

const openRenewal = async (owner: Client, { pay_url }: { pay_url: string }) =>
  expectStatus(await owner.post(`/api/v1/billing/checkouts/${tokenOf(pay_url)}/open`), 200).body

async function buy(owner: Client) {
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', pro), 201)
  billing.world.paytr.pay(tokenOf(body.url), { card: 'ok' })
  await settle(billing)
  return body
}

test('a payment in the frame starts the subscription without a trial, and its renewal is paid by a link', async () => {
  const owner = await lastingOwner(billing)
  const before = billing.world.journal.net()
  const checkout = await buy(owner)
  expect(checkout).toMatchObject({ kind: 'iframe', url: expect.stringContaining('/odeme/guvenli/'), trial_days: 0 })
  const first = await subscriptionOf(owner)
  expect(first).toMatchObject({ status: 'active', amount: 499, provider: 'paytr', pay_url: null })

  const end = new Date(first.current_period_end).getTime()
  await advanceTo(billing, new Date(end - 6 * DAY))
  const asked = await subscriptionOf(owner)
  expect(asked.pay_url).toContain('/billing/checkouts/')
  expect((await mailsTo(billing.t, owner.email)).map(({ key }) => key)).toContain('billing-renewal')
  const renewal = await openRenewal(owner, asked)
  billing.world.paytr.pay(tokenOf(renewal.url), { card: 'ok' })
  await settle(billing)
  const renewed = await subscriptionOf(owner)
  expect(renewed).toMatchObject({ status: 'active', current_period_start: first.current_period_end, pay_url: null })
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  expect(data.map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid'])
  expect(billing.world.journal.net() - before).toBe(2n * 49_900n)
})

test('a declined renewal can be paid again, and one that is never paid is past due and then expires', async () => {
  const owner = await lastingOwner(billing)
  await buy(owner)
  const { current_period_end } = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() - 6 * DAY))
  const declined = await openRenewal(owner, await subscriptionOf(owner))
  billing.world.paytr.pay(tokenOf(declined.url), { card: 'declined' })
  await settle(billing)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 60_000))
  const due = await subscriptionOf(owner)
  expect(due).toMatchObject({ status: 'past_due' })
  const again = await openRenewal(owner, due)
  expect(again.id).not.toBe(declined.id)
  billing.world.paytr.pay(tokenOf(again.url), { card: 'ok' })
  await settle(billing)
  const paid = await subscriptionOf(owner)
  expect(paid).toMatchObject({ status: 'active', past_due_deadline: null })

  await advanceTo(billing, new Date(new Date(paid.current_period_end).getTime() + 22 * DAY))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired', pay_url: null })
})

test('a free subscription that is upgraded is paid in the frame, for a whole period that begins then', async () => {
  const owner = await lastingOwner(billing)
  expectStatus(await owner.post('/api/v1/billing/checkout', { ...pro, plan_code: 'free' }), 201)
  billing.t.advance(10 * DAY)
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }), 200)
  expect(body.checkout).toMatchObject({ kind: 'iframe', provider: 'paytr', amount: 499 })
  billing.world.paytr.pay(tokenOf(body.checkout.url), { card: 'ok' })
  await settle(billing)
  const paid = await subscriptionOf(owner)
  expect(paid).toMatchObject({ status: 'active', plan_code: 'pro', amount: 499, provider: 'paytr' })
  expect(paid.current_period_start).toBe(billing.t.clock.now().toISOString())
})

test('a renewal whose event was lost is found at the deadline', async () => {
  const owner = await lastingOwner(billing)
  await buy(owner)
  const { current_period_end } = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 60_000))
  const due = await subscriptionOf(owner)
  const renewal = await openRenewal(owner, due)
  const { webhooks, paytr } = billing.world
  webhooks.hold()
  paytr.pay(tokenOf(renewal.url), { card: 'ok' })
  billing.t.advance(22 * DAY)
  await settle(billing)
  for (const { id } of webhooks.list({ state: 'held' })) webhooks.drop(id)
  await webhooks.release()
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', past_due_deadline: null })
})
