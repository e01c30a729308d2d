import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../../../../test/client.ts'
import { expectStatus } from '../../../../../test/factories.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  lastingOwner,
  pro,
  settle,
  subscriptionOf,
  team,
  tokenOf,
} from '../../billing.fixture.ts'
import { enqueueReconciliation } from '../../processes/reconciliation.ts'
import { adminNow, buy, buyer, buyerOfIyzico, pastTrial, sell } from './iyzico.fixture.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('iyzico')
  await sell(billing, 'pro', 14)
  await sell(billing, 'team')
})
afterAll(() => billing?.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR

const cancel = async (owner: Client) => expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)

test('the fields of the buyer that iyzico requires are named', async () => {
  const owner = await lastingOwner(billing)
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', { ...team, buyer: { name: 'Ada' } }), 400)
  const missing = { code: 'required', message: 'The payment provider requires this.' }
  expect(body.errors).toEqual(
    ['surname', 'phone', 'identity_number'].map((field) => ({ pointer: `/buyer/${field}`, ...missing })),
  )
  expect(expectStatus(await owner.get('/api/v1/billing/checkout'), 200).body).toMatchObject({
    ...{ provider: 'iyzico', renews: true, requires: ['name', 'surname', 'phone', 'identity_number'] },
  })
})

test('a paid form starts the subscription, which is charged again and ends with its period when canceled', async () => {
  const owner = await buyerOfIyzico(billing)
  expect(await buy(billing, owner, team)).toMatchObject({
    kind: 'hosted',
    url: expect.stringContaining('/billing/iyzico/pay/'),
  })
  const first = await subscriptionOf(owner)
  expect(first).toMatchObject({ status: 'active', plan_code: 'team', amount: 1499, provider: 'iyzico' })

  await advanceTo(billing, new Date(new Date(first.current_period_end).getTime() + 2 * HOUR))
  const second = await subscriptionOf(owner)
  expect(second.status).toBe('active')
  expect(new Date(second.current_period_end) > new Date(first.current_period_end)).toBe(true)
  expect(billing.world.journal.net(second.provider_subscription_id)).toBe(2n * 149_900n)

  const { cancel_requested_at } = (await cancel(owner)).body
  const end = new Date(second.current_period_end).getTime()
  await advanceTo(billing, new Date(end - 5 * HOUR))
  expect(billing.world.iyzico.subscription(second.provider_subscription_id)?.status).toBe('ACTIVE')
  await advanceTo(billing, new Date(end - 4 * HOUR))
  expect(billing.world.iyzico.subscription(second.provider_subscription_id)?.status).toBe('CANCELED')
  expect(await subscriptionOf(owner)).toMatchObject({
    ...{ status: 'active', cancel_at_period_end: true, cancel_requested_at },
  })
  await advanceTo(billing, new Date(end + HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(billing.world.journal.net(second.provider_subscription_id)).toBe(2n * 149_900n)
})

test('a cancellation is taken back until a few hours before the end, and after that access lasts until the end', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team)
  const { current_period_end, provider_subscription_id: reference } = await subscriptionOf(owner)
  const end = new Date(current_period_end).getTime()
  await cancel(owner)
  await advanceTo(billing, new Date(end - 5 * HOUR))
  expectStatus(await owner.post('/api/v1/billing/resume-subscription'), 200)
  await advanceTo(billing, new Date(end + 2 * HOUR))
  const renewed = await subscriptionOf(owner)
  expect(renewed).toMatchObject({ status: 'active', cancel_at_period_end: false })
  expect(journal.net(reference)).toBe(2n * 149_900n)

  const next = new Date(renewed.current_period_end).getTime()
  await cancel(owner)
  await advanceTo(billing, new Date(next - 3 * HOUR))
  const late = await owner.post('/api/v1/billing/resume-subscription')
  const { current_period_end: ends, detail } = expectProblem(late, 409, 'resume_too_late')
  expect([ends, detail]).toEqual([renewed.current_period_end, expect.stringContaining('has ended the subscription')])
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expect(iyzico.subscription(reference)?.status).toBe('CANCELED')
  await advanceTo(billing, new Date(next + HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  await buy(billing, owner, team)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active' })
})

test('what iyzico charged before a cancellation is kept, although it is first read after that', async () => {
  const { journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team)
  const { current_period_end, provider_subscription_id: reference } = await subscriptionOf(owner)
  const end = new Date(current_period_end).getTime()
  await advanceTo(billing, new Date(end - HOUR))
  billing.t.advance(HOUR + 60_000)
  billing.world.tick()
  expect(journal.charges(reference)).toHaveLength(2)
  billing.t.advance(60_000)
  await cancel(owner)
  await billing.t.runJobs()
  await settle(billing)
  const paid = await subscriptionOf(owner)
  expect(paid).toMatchObject({ status: 'active', cancel_at_period_end: true, current_period_start: current_period_end })
  await advanceTo(billing, paid.current_period_end)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(journal.net(reference)).toBe(2n * 149_900n)
})

test('a form whose subscription was canceled at iyzico before it is read grants the paid period', async () => {
  const { iyzico } = billing.world
  const owner = await buyerOfIyzico(billing)
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', { ...team, buyer }), 201)
  billing.world.webhooks.hold()
  expect(iyzico.payForm(tokenOf(body.url)).paid).toBe(true)
  const begun = iyzico.subscriptions().at(-1)
  iyzico.cancelInPanel(String(begun?.ref))
  await billing.world.webhooks.release()
  billing.t.advance(60_000)
  expectStatus(await owner.get(`/api/v1/billing/checkouts/${body.id}`), 200)
  await settle(billing)
  const paid = await subscriptionOf(owner)
  expect(paid).toMatchObject({ status: 'active', plan_code: 'team', cancel_at_period_end: true })
  await advanceTo(billing, paid.current_period_end)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
})

test('restoring a workspace does not resume what iyzico has ended', async () => {
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, { ...team, period: 'yearly' })
  const { current_period_end } = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() - DAY))
  const { name } = expectStatus(await owner.get('/api/v1/workspace'), 200).body
  expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() - 3 * HOUR))
  expectStatus(await owner.post(`/api/v1/workspaces/${owner.workspace_id}/restore`), 200)
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', cancel_at_period_end: true })
})

test('an extension of a canceled subscription is not charged by iyzico', async () => {
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team)
  const { id, current_period_end, provider_subscription_id: reference } = await subscriptionOf(owner)
  await cancel(owner)
  const extended = await (await adminNow(billing)).post(`/api/v1/admin/subscriptions/${id}/extend`, { days: 7 })
  const end = new Date(expectStatus(extended, 200).body.current_period_end)
  expect(end).toEqual(new Date(new Date(current_period_end).getTime() + 7 * DAY))
  await advanceTo(billing, new Date(end.getTime() - HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', cancel_at_period_end: true })
  await advanceTo(billing, new Date(end.getTime() + HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(billing.world.journal.charges(reference)).toHaveLength(1)
})

test('a cancellation after an extension that was followed by a payment can be taken back', async () => {
  const { iyzico } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team)
  const { id, current_period_end, provider_subscription_id: reference } = await subscriptionOf(owner)
  const end = new Date(current_period_end).getTime()
  expectStatus(await (await adminNow(billing)).post(`/api/v1/admin/subscriptions/${id}/extend`, { days: 2 }), 200)
  await advanceTo(billing, new Date(end + 3 * DAY))
  expect(iyzico.subscription(reference)?.status).toBe('ACTIVE')
  await cancel(owner)
  await settle(billing)
  expect(iyzico.subscription(reference)?.status).toBe('ACTIVE')
  expectStatus(await owner.post('/api/v1/billing/resume-subscription'), 200)
})

test('a subscription that is canceled at iyzico works until the end of the paid period, and cannot be resumed', async () => {
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team)
  const { current_period_end, provider_subscription_id: reference } = await subscriptionOf(owner)
  billing.world.iyzico.cancelInPanel(reference)
  await enqueueReconciliation(billing.t.deps)
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + DAY))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expectStatus(await owner.post('/api/v1/billing/resume-subscription'), 409)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(billing.world.journal.net(reference)).toBe(149_900n)
})

test.each(['event', 'timer'])(
  'what iyzico charged after a cancellation is refunded, first noticed by the %s',
  async (first) => {
    const { journal, iyzico, webhooks } = billing.world
    const owner = await buyerOfIyzico(billing)
    await buy(billing, owner, team)
    const { current_period_end, provider_subscription_id: reference } = await subscriptionOf(owner)
    const end = new Date(current_period_end).getTime()
    await cancel(owner)
    // Meydan stands still for the last hours of the period.
    await advanceTo(billing, new Date(end - 8 * HOUR))
    billing.t.advance(10 * HOUR)
    billing.world.tick()
    if (first === 'event') {
      await webhooks.settle()
      await billing.t.runJobs()
    }
    await settle(billing)
    expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled', current_period_end })
    expect(iyzico.subscription(reference)?.status).toBe('CANCELED')
    expect(journal.charges(reference)).toHaveLength(2)
    expect(journal.net(reference)).toBe(149_900n)
    const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
    expect(data).toHaveLength(1)
  },
)

test('a payment whose browser never comes back is found', async () => {
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team, { returns: false })
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', plan_code: 'team' })
})

test('an extension of a past due subscription holds until its end, and then it is past due again', async () => {
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team)
  const { id, provider_subscription_id, current_period_end } = await subscriptionOf(owner)
  billing.world.iyzico.setCard(provider_subscription_id, 'declined')
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })
  const path = `/api/v1/admin/subscriptions/${id}/extend`
  const { body: extended } = expectStatus(await (await adminNow(billing)).post(path, { days: 5 }), 200)
  await enqueueReconciliation(billing.t.deps)
  const end = new Date(extended.current_period_end)
  await advanceTo(billing, new Date(end.getTime() - HOUR))
  const { status, past_due_deadline } = await subscriptionOf(owner)
  expect({ status, past_due_deadline }).toEqual({ status: 'active', past_due_deadline: null })
  await advanceTo(billing, new Date(end.getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })
})

test('a trial has its own price', async () => {
  const owner = await buyerOfIyzico(billing)
  expect((await buy(billing, owner, pro)).trial_days).toBe(14)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'trialing', plan_code: 'pro' })
  expect(await pastTrial(billing, owner)).toMatchObject({ status: 'active', amount: 499 })
})

test('the payment of a refused form that iyzico lists late is recorded and returned', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  const open = async (terms: object) =>
    expectStatus(await owner.post('/api/v1/billing/checkout', { ...terms, buyer }), 201).body
  const forms = [await open(team), await open({ ...team, period: 'yearly' })]
  for (const { url } of forms) expect(iyzico.payForm(tokenOf(url)).paid).toBe(true)
  iyzico.settings.reportedAfterMs = HOUR
  onTestFinished(() => {
    iyzico.settings.reportedAfterMs = 0
  })
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 11 * 60_000))
  await enqueueReconciliation(billing.t.deps)
  await settle(billing)
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 3 * HOUR))
  const { provider_customer_id: customer } = await subscriptionOf(owner)
  const statuses = iyzico.subscriptions().filter(({ customerRef }) => customerRef === customer)
  expect(statuses.map(({ status }) => status)).toEqual(['CANCELED', 'ACTIVE'])
  expect(journal.net(customer)).toBe(1_499_000n)
})
