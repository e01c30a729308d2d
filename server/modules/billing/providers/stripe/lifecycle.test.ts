import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../../test/client.ts'
import { expectStatus } from '../../../../../test/factories.ts'
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
  await advanceTo(billing, new Date(new Date(trial.trial_end).getTime() + 2 * 3_600_000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', amount: 499 })
  await expectBooksAgree(owner)

  expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)
  await settle(billing)
  const { current_period_end } = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 2 * 3_600_000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect((await checkout(owner, pro)).trial_days).toBe(0)
})

test('a failed renewal is past due until it is paid, and expires at the deadline otherwise', async () => {
  const owner = await lastingOwner(billing)
  await buy(owner, team)
  const { provider_customer_id, current_period_end } = await subscriptionOf(owner)
  billing.world.stripe.setCard(provider_customer_id, 'declined')
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 2 * 3_600_000))
  const due = await subscriptionOf(owner)
  expect(due).toMatchObject({ status: 'past_due', pay_url: expect.stringContaining('http') })
  await advanceTo(billing, new Date(new Date(due.past_due_deadline).getTime() + 60_000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired' })
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
  billing.t.advance(14 * 60_000)
  expectStatus(await change({ amount_due: due, renewal_amount, priced_at: at }), 200)
  expect(billing.world.journal.net(owner.workspace_id) - before).toBe(BigInt(Math.round(due * 100)))
  await settle(billing)
  await expectBooksAgree(owner)
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
  const end = new Date(current_period_end).getTime()
  await advanceTo(billing, new Date(end))
  expect((await subscriptionOf(owner)).status).toBe('active')
  await advanceTo(billing, new Date(end + 2 * 3_600_000))
  const { status, past_due_deadline } = await subscriptionOf(owner)
  expect(status).toBe('past_due')
  await advanceTo(billing, new Date(new Date(past_due_deadline).getTime() + 3_600_000))
  expect((await subscriptionOf(owner)).status).toBe('expired')
})

test('a smaller plan cannot be taken back in the last hour, when Stripe has its price', async () => {
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  const { current_period_end } = await subscriptionOf(owner)
  const choose = (plan_code: string) => owner.post('/api/v1/billing/change-plan', { plan_code })
  expectStatus(await choose('pro'), 200)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() - 30 * 60_000))
  expect(expectStatus(await choose('team'), 409).body.code).toBe('invalid_transition')
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'team', pending_plan_code: 'pro' })
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 2 * 3_600_000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', plan_code: 'pro', pending_plan_code: null })
})
