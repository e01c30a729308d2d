import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../../test/client.ts'
import { expectStatus, signedIn } from '../../../../../test/factories.ts'
import { mailsTo } from '../../../../../test/people.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  lastingOwner,
  openAtStripe,
  payAtStripe,
  pro,
  sellAtStripe,
  settle,
  subscriptionOf,
  team,
} from '../../billing.fixture.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'pro')
  await sellAtStripe(billing, 'team')
})
afterAll(() => billing?.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR
const after = (time: string, ms: number) => new Date(new Date(time).getTime() + ms)

/** The data of the events of a type. */
async function eventsOf({ workspace_id }: { workspace_id: string }, type: string) {
  const { db } = billing.t.deps
  const events = db.selectFrom('event').select('payload').where('workspace_id', '=', workspace_id)
  return (await events.where('type', '=', type).execute()).map(({ payload }) => JSON.parse(payload).data)
}

const invoicesOf = async (owner: Client) => expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body.data

const checkout = (owner: Client, terms: object) => openAtStripe(billing, owner, terms)

async function buy(owner: Client, terms: object) {
  const made = await payAtStripe(billing, owner, terms)
  await settle(billing)
  return made
}

/** The money that moved at Stripe for a workspace is the sum of its paid invoices, to the cent. */
async function expectBooksAgree(owner: Client & { workspace_id: string }) {
  const moved = billing.world.journal.net(owner.workspace_id)
  const invoiced = (await invoicesOf(owner))
    .filter(({ status }: { status: string }) => status === 'paid')
    .reduce((sum: number, { total }: { total: number }) => sum + Math.round(total * 100), 0)
  expect(BigInt(invoiced)).toBe(moved)
}

test('a paid session starts the subscription once, with one invoice, whatever comes twice', async () => {
  const owner = await lastingOwner(billing)
  billing.world.webhooks.repeat(2)
  const made = await buy(owner, team)
  billing.world.webhooks.repeat(1)
  expect(expectStatus(await owner.get(`/api/v1/billing/checkouts/${made.id}`), 200).body.status).toBe('completed')
  expect(await subscriptionOf(owner)).toMatchObject({
    status: 'active',
    plan_code: 'team',
    amount: 1499,
    provider: 'stripe',
  })
  expect(await invoicesOf(owner)).toMatchObject([{ status: 'paid', total: 1499 }])
  await expectBooksAgree(owner)
})

test('a trial begins once, becomes active with its first payment, and is not given again', async () => {
  const owner = await lastingOwner(billing)
  const made = await buy(owner, pro)
  expect(made.trial_days).toBe(14)
  const trial = await subscriptionOf(owner)
  expect(trial).toMatchObject({ status: 'trialing', plan_code: 'pro' })
  expect(await invoicesOf(owner)).toEqual([])
  const yearly = await owner.get('/api/v1/billing/change-plan?plan_code=pro&period=yearly')
  expect(expectStatus(yearly, 200).body).toMatchObject({
    ...{ applies: 'now', amount_due: 0, renewal_amount: 4990, renewal_period: 'yearly', renews_at: trial.trial_end },
  })

  // The end of a trial that is canceled is not announced, and that of one that goes on once.
  const announced = async () =>
    (await mailsTo(billing.t, owner.email)).filter(({ key }) => key === 'billing-trial-ending')
  const call = async (action: string) => {
    expectStatus(await owner.post(`/api/v1/billing/${action}-subscription`), 200)
    await settle(billing)
  }
  await call('cancel')
  await advanceTo(billing, after(trial.trial_end, -2.5 * DAY))
  expect(await announced()).toEqual([])
  for (const action of ['resume', 'cancel', 'resume']) await call(action)
  const [mail, ...others] = await announced()
  expect(others).toEqual([])
  expect(mail?.body_text).toContain('499.00 TRY')
  const ending = await eventsOf(owner, 'billing.trial.ending')
  expect(ending).toMatchObject([{ subscription: { status: 'trialing', trial_end: trial.trial_end } }])

  await advanceTo(billing, after(trial.trial_end, 2 * HOUR))
  const active = await subscriptionOf(owner)
  expect(active).toMatchObject({ status: 'active', amount: 499 })
  await expectBooksAgree(owner)

  await call('cancel')
  const due = billing.t.deps.db.selectFrom('subscription').select('due_at').where('id', '=', active.id)
  expect(await due.execute()).toEqual([{ due_at: after(active.current_period_end, 0) }])
  await advanceTo(billing, after(active.current_period_end, 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  const customerOf = async (terms: object) => {
    const { session, trial_days } = await checkout(owner, terms)
    return { customer: billing.world.stripe.sessions().find(({ id }) => id === session)?.customer, trial_days }
  }
  expect(await customerOf(pro)).toEqual({ customer: active.provider_customer_id, trial_days: 0 })
  // Stripe refuses another currency for a customer.
  expect(await customerOf({ ...pro, currency: 'USD' })).toEqual({ customer: null, trial_days: 0 })
})

test('a failed renewal is past due until it is paid, and expires at the deadline otherwise', async () => {
  const owner = await lastingOwner(billing)
  await buy(owner, team)
  const { provider_customer_id, current_period_end } = await subscriptionOf(owner)
  billing.world.stripe.setCard(provider_customer_id, 'declined')
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 2 * 3_600_000))
  const due = await subscriptionOf(owner)
  expect(due).toMatchObject({ status: 'past_due', pay_url: expect.stringContaining('http') })
  const reason = 'Your card has insufficient funds.'
  expect(await eventsOf(owner, 'billing.payment_failed')).toMatchObject([{ amount: 1499, currency: 'TRY', reason }])
  const [mail] = (await mailsTo(billing.t, owner.email)).filter(({ key }) => key === 'billing-failed')
  expect(mail?.body_text).toContain(due.pay_url)
  // Events led here, so that the nightly comparison has nothing to do.
  const admin = await signedIn(billing.t, { instanceAdmin: true })
  expect(expectStatus(await admin.get('/api/v1/admin/billing/overview'), 200).body.repaired).toEqual([])
  const change = expectProblem(
    await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }),
    409,
    'invalid_transition',
  )
  expect(change).toMatchObject({ detail: 'Pay what is open first.', state: 'past_due' })
  await advanceTo(billing, new Date(new Date(due.past_due_deadline).getTime() + 60_000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired', pay_url: null })
  await expectBooksAgree(owner)
  expect((await owner.get('/api/v1/workspace')).body.plan_code).toBe('free')
})

test('a larger plan applies at once for the difference, and a smaller one from the next period', async () => {
  const owner = await lastingOwner(billing)
  await buy(owner, { ...pro, period: 'monthly' })
  const trial = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(trial.current_period_end).getTime() + 2 * 3_600_000))
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'team' }), 200)
  expect(body).toMatchObject({ subscription: { plan_code: 'team', amount: 1499 }, checkout: null })
  await settle(billing)
  await expectBooksAgree(owner)
  const [{ lines }] = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body.data
  expect(lines).toMatchObject([
    { plan_name: 'Team', description: 'Team planına geçiş, aylık' },
    { plan_name: 'Pro', description: 'Pro planının kullanılmayan süresi, aylık' },
  ])
  expect(lines[1].amount).toBeLessThan(0)

  expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }), 200)
  const waiting = await subscriptionOf(owner)
  expect(waiting).toMatchObject({ plan_code: 'team', pending_plan_code: 'pro' })
  const [entry] = expectStatus(await owner.get('/api/v1/workspace/audit-log?limit=1'), 200).body.data
  expect(entry).toMatchObject({
    action: 'subscription.schedule_change',
    details: {
      before: { plan_code: 'team', status: 'active', pending_plan_code: null },
      after: { plan_code: 'team', status: 'active', pending_plan_code: 'pro' },
    },
  })
  // Stripe gets the price of the next period in the last hour of the present one.
  await advanceTo(billing, new Date(new Date(waiting.current_period_end).getTime() - 1_800_000))
  await advanceTo(billing, new Date(new Date(waiting.current_period_end).getTime() + 2 * 3_600_000))
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', pending_plan_code: null, amount: 499 })
  await expectBooksAgree(owner)
})

test('an upgrade charges what its preview showed, also minutes later, and is refused once that has changed', async () => {
  const owner = await lastingOwner(billing)
  await buy(owner, team)
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 9.3 * 86_400_000))
  const yearly = { plan_code: 'team', period: 'yearly' }
  const preview = async () =>
    expectStatus(await owner.get('/api/v1/billing/change-plan?plan_code=team&period=yearly'), 200).body
  const { amount_due, renewal_amount, priced_at, ...rest } = await preview()
  expect(rest).toEqual({ applies: 'now', currency: 'TRY', renewal_period: 'yearly', renews_at: null })
  const shown = { amount_due, renewal_amount, priced_at }
  const before = billing.world.journal.net(owner.workspace_id)
  const change = (seen: object) => owner.post('/api/v1/billing/change-plan', { ...yearly, shown: seen })
  expectProblem(await change({ ...shown, amount_due: amount_due - 0.01 }), 409, 'price_changed')
  expectProblem(await change({ ...shown, renewal_amount: renewal_amount - 1 }), 409, 'price_changed')
  billing.t.advance(16 * 60_000)
  expectProblem(await change(shown), 409, 'price_changed')
  const { amount_due: due, priced_at: at } = await preview()
  expect(due).toBeGreaterThan(amount_due)
  billing.t.advance(15 * 60_000)
  expectStatus(await change({ amount_due: due, renewal_amount, priced_at: at }), 200)
  expect(billing.world.journal.net(owner.workspace_id) - before).toBe(BigInt(Math.round(due * 100)))
  await settle(billing)
  await expectBooksAgree(owner)
  const { current_period_end: renews_at } = await subscriptionOf(owner)
  const { body: back } = expectStatus(await owner.get('/api/v1/billing/change-plan?plan_code=team&period=monthly'), 200)
  expect(back).toMatchObject({
    ...{ applies: 'at_renewal', amount_due: 0, renewal_amount: 1499, renewal_period: 'monthly', renews_at },
  })
})

test('what a preview showed before the end of a period is not taken after it', async () => {
  const owner = await lastingOwner(billing)
  await buy(owner, team)
  const { current_period_end } = await subscriptionOf(owner)
  await advanceTo(billing, after(current_period_end, -5 * 60_000))
  const path = '/api/v1/billing/change-plan'
  const { body } = expectStatus(await owner.get(`${path}?plan_code=pro`), 200)
  const { amount_due, renewal_amount, priced_at } = body
  expect([amount_due, renewal_amount]).toEqual([0, 499])
  await advanceTo(billing, after(current_period_end, 5 * 60_000))
  expect((await subscriptionOf(owner)).current_period_start).toBe(current_period_end)
  const shown = { amount_due, renewal_amount, priced_at }
  expectProblem(await owner.post(path, { plan_code: 'pro', shown }), 409, 'price_changed')
})

test('a free subscription that is upgraded is paid on a page of Stripe, renewed and upgraded there', async () => {
  const owner = await lastingOwner(billing)
  expectStatus(await owner.post('/api/v1/billing/checkout', { ...pro, plan_code: 'free' }), 201)
  const free = await subscriptionOf(owner)
  expect(free).toMatchObject({ status: 'active', provider: 'manual', amount: 0 })
  expect(expectStatus(await owner.get('/api/v1/billing/change-plan?plan_code=pro'), 200).body).toMatchObject({
    ...{ applies: 'now', amount_due: 499, renewal_amount: 499, renews_at: null },
  })
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }), 200)
  expect(body.subscription).toMatchObject({ id: free.id, plan_code: 'free', provider: 'manual' })
  expect(body.checkout).toMatchObject({ kind: 'redirect', provider: 'stripe', amount: 499 })
  const session = billing.world.stripe.sessions().find(({ url }) => url === body.checkout.url)
  expect(billing.world.stripe.payCheckout(String(session?.id)).paid).toBe(true)
  await settle(billing)
  const paid = await subscriptionOf(owner)
  expect(paid).toMatchObject({ id: free.id, status: 'active', plan_code: 'pro', amount: 499, provider: 'stripe' })
  await expectBooksAgree(owner)
  await advanceTo(billing, new Date(new Date(paid.current_period_end).getTime() + 2 * 3_600_000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', current_period_start: paid.current_period_end })
  expect(billing.world.journal.net(owner.workspace_id)).toBe(2n * 49_900n)
  expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'team' }), 200)
  await settle(billing)
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', plan_code: 'team', amount: 1499 })
  await expectBooksAgree(owner)
})

test('two sessions paid by two admins leave one subscription, and the second payment is refunded', async () => {
  const owner = await lastingOwner(billing)
  const first = await checkout(owner, team)
  const second = await checkout(owner, { ...team, period: 'yearly' })
  expect(billing.world.stripe.payCheckout(second.session).paid).toBe(true)
  expect(billing.world.stripe.payCheckout(first.session).paid).toBe(true)
  await settle(billing)
  const live = await subscriptionOf(owner)
  expect(live).toMatchObject({ status: 'active', plan_code: 'team' })
  const atStripe = billing.world.stripe
    .subscriptions()
    .filter((each) => (each.metadata as Record<string, string>).workspace_id === owner.workspace_id)
  expect(atStripe.filter(({ status }) => status === 'active')).toMatchObject([{ id: live.provider_subscription_id }])
  await expectBooksAgree(owner)
})

test('a subscription that Stripe does not know is past due after its period, and expires at the deadline', async () => {
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  const { id, current_period_end } = await subscriptionOf(owner)
  await billing.t.deps.db
    .updateTable('subscription')
    .set({ provider_subscription_id: 'sub_of_another_account' })
    .where('id', '=', id)
    .execute()
  await advanceTo(billing, after(current_period_end, -HOUR / 2))
  // Both read Stripe.
  for (const action of ['cancel', 'resume']) {
    expectStatus(await owner.post(`/api/v1/billing/${action}-subscription`), 200)
    await settle(billing)
    expect((await subscriptionOf(owner)).status).toBe('active')
  }
  await advanceTo(billing, after(current_period_end, HOUR))
  const { status, past_due_deadline } = await subscriptionOf(owner)
  expect(status).toBe('past_due')
  await advanceTo(billing, past_due_deadline)
  expect((await subscriptionOf(owner)).status).toBe('expired')
})

test('a smaller plan cannot be taken back in the last hour, when Stripe has its price', async () => {
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  const { id, current_period_end, provider_subscription_id } = await subscriptionOf(owner)
  const nextTimer = async () => {
    const row = billing.t.deps.db.selectFrom('subscription').select('due_at').where('id', '=', id)
    return (await row.executeTakeFirstOrThrow()).due_at
  }
  expect(await nextTimer()).toEqual(after(current_period_end, HOUR))
  const choose = (plan_code: string) => owner.post('/api/v1/billing/change-plan', { plan_code })
  expectStatus(await choose('pro'), 200)
  expect(await nextTimer()).toEqual(after(current_period_end, -HOUR))
  await advanceTo(billing, after(current_period_end, -HOUR))
  // It has the price once, also after another event.
  const { stripe } = billing.world
  const path = `/v1/subscriptions/${provider_subscription_id}`
  const writes = () => stripe.calls.filter((call) => call.method === 'POST' && call.path === path).length
  expect(writes()).toBe(1)
  const { subscriptions } = new Stripe(stripe.key, stripe.clientOptions)
  await subscriptions.update(provider_subscription_id, { metadata: { note: 'Seen' } })
  const { length } = stripe.calls
  await settle(billing)
  expect(stripe.calls.slice(length).filter((call) => call.path === path)).toMatchObject([{ method: 'GET' }])
  const { detail } = expectProblem(await choose('team'), 409, 'invalid_transition')
  expect(detail).toContain('The planned change is being carried out.')
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'team', pending_plan_code: 'pro' })
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 2 * 3_600_000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', plan_code: 'pro', pending_plan_code: null })
})
