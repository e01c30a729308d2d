import Stripe from 'stripe'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { expectStatus, openSession } from '../../../../test/factories.ts'
import { mailsTo } from '../../../../test/people.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  lastingOwner,
  payAtStripe,
  sellAtStripe,
  settle,
  subscriptionOf,
  team,
} from '../billing.fixture.ts'
import { enqueueReconciliation } from './reconciliation.ts'
import { runBillingTimers } from './run-timers.ts'

let billing: Billing
let pro: { stripe_price_id_monthly: string; stripe_price_id_yearly: string }
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
  pro = await sellAtStripe(billing, 'pro')
})
afterAll(() => billing?.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR
const after = (time: string, ms: number) => new Date(new Date(time).getTime() + ms)

async function subscribed() {
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner, team)
  await settle(billing)
  return owner
}

/** Subscribes to the plan team, whose first renewal is declined. */
async function pastDue() {
  const owner = await subscribed()
  const { provider_customer_id, current_period_end } = await subscriptionOf(owner)
  billing.world.stripe.setCard(provider_customer_id, 'declined')
  await advanceTo(billing, after(current_period_end, 2 * HOUR))
  const due = await subscriptionOf(owner)
  expect(due.status).toBe('past_due')
  return { owner, due }
}

/** Pays the open invoice on its page at Stripe. */
function payOpenInvoice({ provider_customer_id }: { provider_customer_id: string }) {
  const { stripe } = billing.world
  const open = stripe.invoices().find((each) => each.customer === provider_customer_id && each.status === 'open')
  expect(stripe.payInvoice(String(open?.id)).paid).toBe(true)
}

/**
 * Plans a change to pro for the end of the period. In its last half hour Stripe responds with this status to the next price.
 */
async function failPlannedPrice(status: number) {
  const owner = await subscribed()
  expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }), 200)
  const { current_period_end, provider_customer_id } = await subscriptionOf(owner)
  const { stripe } = billing.world
  stripe.failAlways({ kind: 'error', status, works: false }, { method: 'POST', path: '/v1/subscriptions/' })
  onTestFinished(() => stripe.mend())
  await advanceTo(billing, after(current_period_end, -HOUR / 2))
  return { owner, current_period_end, provider_customer_id }
}

const adminNow = async () => billing.t.anyone.with(await openSession(billing.t, billing.admin.id))

const extend = async ({ id }: { id: string }, days: number) =>
  expectStatus(await (await adminNow()).post(`/api/v1/admin/subscriptions/${id}/extend`, { days }), 200).body

const setGrace = async (value: number) =>
  expectStatus(await (await adminNow()).put('/api/v1/options/billing.grace_days', { value }), 200)

async function passNight() {
  await enqueueReconciliation(billing.t.deps)
  billing.t.advance(3 * HOUR)
  await settle(billing)
}

const planOf = async (owner: Client) => expectStatus(await owner.get('/api/v1/workspace'), 200).body.plan_code

test('an extension of a past due subscription holds until its end, also when Stripe gives up meanwhile', async () => {
  const { owner, due } = await pastDue()
  const extended = await extend(due, 7)
  const held = { status: 'active', past_due_deadline: null, current_period_end: extended.current_period_end }
  expect(extended).toMatchObject(held)
  await passNight()
  expect(await subscriptionOf(owner)).toMatchObject(held)
  // Stripe cancels it after its last try.
  await advanceTo(billing, after(due.current_period_end, -DAY))
  expect(billing.world.stripe.subscriptions().find(({ id }) => id === due.provider_subscription_id)?.status).toBe(
    'canceled',
  )
  await passNight()
  await advanceTo(billing, after(extended.current_period_end, -HOUR))
  expect(await subscriptionOf(owner)).toMatchObject(held)
  expect(await planOf(owner)).toBe('team')
  await advanceTo(billing, after(extended.current_period_end, 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired' })
  expect(await planOf(owner)).toBe('free')
})

test('a payment during an extension leaves the subscription active, and the next renewal may fail again', async () => {
  const { owner, due } = await pastDue()
  const { settings } = billing.world.stripe
  settings.afterRetries = 'past_due'
  const extended = await extend(due, 3)
  payOpenInvoice(due)
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', pay_url: null })
  expect(expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body.data).toHaveLength(2)
  await advanceTo(billing, after(extended.current_period_end, 2 * HOUR))
  const renewed = await subscriptionOf(owner)
  expect(renewed.status).toBe('active')
  expect(after(renewed.current_period_end, 0) > after(extended.current_period_end, 20 * DAY)).toBe(true)
  billing.world.stripe.setCard(due.provider_customer_id, 'declined')
  await advanceTo(billing, after(renewed.current_period_end, 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })
  settings.afterRetries = 'cancel'
})

test('a subscription that stays unpaid for longer than a period is not made active by the next one', async () => {
  const { stripe } = billing.world
  stripe.settings.afterRetries = 'past_due'
  await setGrace(40)
  const { owner, due } = await pastDue()
  await advanceTo(billing, after(due.current_period_end, 2 * DAY))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due', past_due_deadline: due.past_due_deadline })
  await advanceTo(billing, due.past_due_deadline)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired', ended_at: due.past_due_deadline })
  await setGrace(21)
  stripe.settings.afterRetries = 'cancel'
})

/** The traces that the end of a subscription leaves for its workspace. */
async function endOf(owner: Client & { workspace_id: string; email: string }) {
  const { db } = billing.t.deps
  const { workspace_id, email } = owner
  const entries = await db.selectFrom('audit_entry').select('action').where('workspace_id', '=', workspace_id).execute()
  const events = await db.selectFrom('event').select('type').where('workspace_id', '=', workspace_id).execute()
  return {
    mails: (await mailsTo(billing.t, email)).map(({ key }) => key).filter((key) => key === 'billing-ended'),
    events: events.map(({ type }) => type).filter((type) => /canceled|expired/.test(type)),
    entries: entries.map(({ action }) => action).filter((action) => /cancel_now|expire/.test(action)),
  }
}

test('an end that Stripe reports is mailed, emitted and audited once, like one at our deadline', async () => {
  const canceled = await subscribed()
  const { provider_subscription_id } = await subscriptionOf(canceled)
  billing.world.stripe.cancelInDashboard(provider_subscription_id)
  await settle(billing)
  await passNight()
  expect(await endOf(canceled)).toEqual({
    mails: ['billing-ended'],
    events: ['billing.subscription.canceled'],
    entries: ['subscription.cancel_now'],
  })

  const { owner, due } = await pastDue()
  await advanceTo(billing, after(due.past_due_deadline, -DAY))
  await passNight()
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired' })
  expect(await endOf(owner)).toEqual({
    mails: ['billing-ended'],
    events: ['billing.subscription.expired'],
    entries: ['subscription.expire'],
  })
})

test('a payment whose event was lost is found at the deadline, also after a standstill', async () => {
  for (const isLate of [false, true]) {
    const { owner, due } = await pastDue()
    await advanceTo(billing, after(due.past_due_deadline, -8 * DAY))
    const { webhooks } = billing.world
    webhooks.hold()
    payOpenInvoice(due)
    billing.t.advance(8 * DAY + (isLate ? 2 * DAY : HOUR))
    await settle(billing)
    for (const { id } of webhooks.list({ state: 'held' })) webhooks.drop(id)
    await webhooks.release()
    expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', past_due_deadline: null })
    expect((await endOf(owner)).mails).toEqual([])
  }
})

test('a deadline waits for a provider that does not respond', async () => {
  const { stripe } = billing.world
  stripe.settings.afterRetries = 'past_due'
  const { owner, due } = await pastDue()
  stripe.failAlways({ kind: 'error', status: 503, works: false }, { method: 'GET' })
  billing.t.advance(21 * DAY)
  await runBillingTimers(billing.t.deps)
  await billing.t.runJobs()
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })
  stripe.mend()
  await passNight()
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired', id: due.id })
  expect((await endOf(owner)).mails).toEqual(['billing-ended'])
  stripe.settings.afterRetries = 'cancel'
})

test('instance admins see the revenue of each month, and what a night repaired', async () => {
  const overview = async () => expectStatus(await (await adminNow()).get('/api/v1/admin/billing/overview'), 200).body
  const before = await overview()
  const owner = await subscribed()
  const { id } = await subscriptionOf(owner)
  const { months, monthly_recurring_revenue, repaired } = await overview()
  const writes = () => billing.world.stripe.calls.filter(({ method }) => method !== 'GET').length
  const written = writes()
  expect(months.at(-1).recurring).toEqual(monthly_recurring_revenue)
  expect(months.at(-1).recurring.TRY).toBe(before.months.at(-1).recurring.TRY + 1499)
  expect(months.slice(0, -1)).toEqual(before.months.slice(0, -1))
  await passNight()
  expect((await overview()).repaired).toEqual(repaired)
  expect(writes()).toBe(written)
  // The event of a cancellation that was taken back at Stripe got lost.
  await billing.t.deps.db
    .updateTable('subscription')
    .set({ cancel_at_period_end: true, provider_cancel_at_period_end: true })
    .where('id', '=', id)
    .execute()
  await passNight()
  expect(await subscriptionOf(owner)).toMatchObject({ cancel_at_period_end: false })
  expect((await overview()).repaired[0]).toMatchObject({
    subscription_id: id,
    status_before: 'active',
    status: 'active',
  })
})

test('a cancellation at Stripe while a payment is missing changes nothing until the payment, and is then followed', async () => {
  const { owner, due } = await pastDue()
  const { stripe } = billing.world
  await new Stripe(stripe.key, stripe.clientOptions).subscriptions.update(due.provider_subscription_id, {
    cancel_at_period_end: true,
  })
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due', cancel_at_period_end: false })
  payOpenInvoice(due)
  await settle(billing)
  const paid = await subscriptionOf(owner)
  const cancel_requested_at = billing.t.clock.now().toISOString()
  expect(paid).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_requested_at })
  await advanceTo(billing, after(paid.current_period_end, HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(billing.world.journal.net(due.provider_customer_id)).toBe(2n * 149_900n)
})

test('a subscription whose next price Stripe refuses is renewed at its present price, and keeps the planned change', async () => {
  const { owner, current_period_end, provider_customer_id } = await failPlannedPrice(400)
  await advanceTo(billing, after(current_period_end, 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', plan_code: 'team', pending_plan_code: 'pro' })
  expect(billing.world.journal.net(provider_customer_id)).toBe(2n * 149_900n)
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  expect(data.map(({ total }: { total: number }) => total)).toEqual([1499, 1499])
})

test('Stripe gets the next price once it responds again', async () => {
  const { owner, current_period_end, provider_customer_id } = await failPlannedPrice(503)
  billing.world.stripe.mend()
  await settle(billing)
  await advanceTo(billing, after(current_period_end, 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', plan_code: 'pro', pending_plan_code: null })
  expect(billing.world.journal.net(provider_customer_id)).toBe(149_900n + 49_900n)
})

test('a cancellation at Stripe is followed although Stripe refuses the planned price', async () => {
  const owner = await subscribed()
  expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }), 200)
  const { current_period_end, provider_subscription_id } = await subscriptionOf(owner)
  const { stripe } = billing.world
  billing.t.advance(after(current_period_end, -HOUR / 2).getTime() - billing.t.clock.now().getTime())
  await new Stripe(stripe.key, stripe.clientOptions).subscriptions.update(provider_subscription_id, {
    cancel_at_period_end: true,
  })
  stripe.failAlways({ kind: 'error', status: 400, works: false }, { method: 'POST', path: '/v1/subscriptions/' })
  onTestFinished(() => stripe.mend())
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'team', cancel_at_period_end: true })
})

test('a plan that is changed in the dashboard of Stripe is followed, and an extension keeps its end', async () => {
  const owner = await subscribed()
  const extended = await extend(await subscriptionOf(owner), 45)
  const { subscriptions } = new Stripe(billing.world.stripe.key, billing.world.stripe.clientOptions)
  const { items } = await subscriptions.retrieve(extended.provider_subscription_id)
  await subscriptions.update(extended.provider_subscription_id, {
    items: items.data.map(({ id }) => ({ id, price: pro.stripe_price_id_monthly })),
    proration_behavior: 'none',
  })
  await settle(billing)
  const { current_period_end } = extended
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', amount: 499, current_period_end })
  await subscriptions.update(extended.provider_subscription_id, {
    items: items.data.map(({ id }) => ({ id, price: pro.stripe_price_id_yearly })),
    proration_behavior: 'none',
  })
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', billing_period: 'yearly', amount: 4990 })
})
