import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { atOnce, countByStatus } from '../../../../test/at-once.ts'
import { planWithoutLimits } from '../../../../test/billing.ts'
import { expectStatus, memberOf, openSession, PASSWORD, withWorkspace } from '../../../../test/factories.ts'
import {
  type Billing,
  billingApp,
  lastingOwner,
  openAtStripe,
  pro,
  sellAtStripe,
  settle,
  team,
} from '../billing.fixture.ts'
import { enqueueReconciliation } from './reconciliation.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
  await sellAtStripe(billing, 'pro')
})
afterAll(() => billing?.close())

const CHECKOUT = '/api/v1/billing/checkout'
type Owner = Awaited<ReturnType<typeof lastingOwner>>

/** Another workspace of the same owner. */
async function anotherOf(owner: Owner): Promise<Owner> {
  const other = await lastingOwner(billing)
  const { db } = billing.t.deps
  const { user_id } = await db
    .selectFrom('workspace_member')
    .select('user_id')
    .where('workspace_id', '=', owner.workspace_id)
    .executeTakeFirstOrThrow()
  await db.insertInto('workspace_member').values({ workspace_id: other.workspace_id, user_id, role: 'owner' }).execute()
  return other
}

const atStripe = ({ workspace_id }: Owner) =>
  billing.world.stripe
    .subscriptions()
    .filter((each) => (each.metadata as Record<string, string>).workspace_id === workspace_id)
    .map(({ status }) => status)

test('trial checkouts that are open in several workspaces of one owner give one trial, and charge nothing', async () => {
  const { stripe, webhooks, journal } = billing.world
  const first = await lastingOwner(billing)
  const owners = [first, await anotherOf(first), await anotherOf(first)]
  webhooks.hold()
  const checkouts: Awaited<ReturnType<typeof openAtStripe>>[] = []
  for (const owner of owners) checkouts.push(await openAtStripe(billing, owner, pro))
  expect(checkouts.map(({ trial_days }) => trial_days)).toEqual([14, 14, 14])
  for (const { session } of checkouts) expect(stripe.payCheckout(session).paid).toBe(true)
  await webhooks.release('reversed')
  await settle(billing)
  const results = await Promise.all(
    owners.map(async (owner, index) => ({
      ...(await owner.get(`/api/v1/billing/checkouts/${checkouts[index]?.id}`)).body,
      has: (await owner.get('/api/v1/billing/subscription')).status === 200,
      atStripe: atStripe(owner),
    })),
  )
  const won = { status: 'completed', has: true, atStripe: ['trialing'] }
  const lost = { status: 'failed', has: false, atStripe: ['canceled'], failure: expect.stringContaining('trial') }
  expect(results.toSorted((a, b) => a.status.localeCompare(b.status))).toMatchObject([won, lost, lost])

  // The night keeps that decision, and the plan can be bought without a trial.
  for (const { id } of webhooks.list({ provider: 'stripe' }).slice(-9)) await webhooks.send(id)
  await settle(billing)
  for (const owner of owners) expect(journal.net(owner.workspace_id)).toBe(0n)
  const loser = owners[results.findIndex(({ has }) => !has)] ?? first
  expect((await loser.get('/api/v1/billing/subscription')).status).toBe(404)
  const again = await openAtStripe(billing, loser, pro)
  expect(again.trial_days).toBe(0)
})

test('calls for the same checkout at once ask Stripe once, and lead to one page', async () => {
  const { stripe } = billing.world
  const owner = await lastingOwner(billing)
  const asked = () => stripe.calls.filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')
  const { length } = asked()
  const responses = await atOnce(5, () => owner.post('/api/v1/billing/checkout', team))
  expect(countByStatus(responses)).toEqual({ 200: 4, 201: 1 })
  expect(new Set(responses.map(({ body }) => body.url)).size).toBe(1)
  expect(asked()).toHaveLength(length + 1)
})

/** Delays the response of Stripe to the next session. Returns when it was asked for, and how to let it respond. */
async function openSlowly(owner: Owner, terms: object) {
  const { stripe } = billing.world
  const path = '/v1/checkout/sessions'
  const { promise: until, resolve: respond } = Promise.withResolvers<void>()
  const before = stripe.calls.filter((call) => call.path.includes(path)).length
  stripe.failNext({ kind: 'delay', until }, { path })
  const response = owner.post(CHECKOUT, terms)
  await stripe.called(path, before + 1)
  return async () => {
    respond()
    return (await response).body
  }
}

test('a checkout whose page another call did not open within a minute is opened by the next, as the same page', async () => {
  const owner = await lastingOwner(billing)
  const respond = await openSlowly(owner, team)
  billing.t.advance(60_001)
  const { length } = billing.world.stripe.sessions()
  const { body } = expectStatus(await owner.post(CHECKOUT, team), 201)
  expect(await respond()).toMatchObject({ id: body.id, url: body.url })
  expect(billing.world.stripe.sessions()).toHaveLength(length)
})

test('a page that Stripe opens after another checkout replaced it is closed', async () => {
  const owner = await lastingOwner(billing)
  const respond = await openSlowly(owner, team)
  const { body } = expectStatus(await owner.post(CHECKOUT, { ...team, period: 'yearly' }), 201)
  expect(await respond()).toMatchObject({ status: 'expired', url: null })
  await settle(billing)
  const sessions = billing.world.stripe.sessions().filter(({ metadata }) => {
    return (metadata as Record<string, string>).workspace_id === owner.workspace_id
  })
  expect(sessions.map(({ status }) => status)).toEqual(['expired', 'open'])
  expect(sessions[1]?.url).toBe(body.url)
})

test('a checkout is taken up only with the same terms, and another replaces it', async () => {
  const owner = await lastingOwner(billing)
  const { admin } = billing
  await planWithoutLimits(admin, { code: 'flat', monthly: 1499 })
  const change = async (code: string, fields: object) =>
    expectStatus(await admin.patch(`/api/v1/admin/plans/${code}`, fields), 200)
  const { prices } = expectStatus(await admin.get('/api/v1/admin/plans/team'), 200).body
  const flat = { monthly: 1499, yearly: 1499 }
  await change('flat', { prices: { try: flat, usd: flat } })
  const setPrice = async (monthly: number) => {
    await change('team', { prices: { ...prices, try: { ...prices.try, monthly } } })
    await sellAtStripe(billing, 'team')
  }
  const setProvider = async (value: string) =>
    expectStatus(await admin.put('/api/v1/options/billing.provider', { value }), 200)
  const open: string[] = []
  const next = async (terms: object) => {
    const { body } = expectStatus(await owner.post(CHECKOUT, terms), 201)
    expectStatus(await owner.post(CHECKOUT, terms), 200)
    const former = open.at(-1)
    if (former)
      expect(expectStatus(await owner.get(`${CHECKOUT}s/${former}`), 200).body).toMatchObject({ status: 'expired' })
    open.push(body.id)
    return body
  }
  await next(pro)
  await change('pro', { trial_days: 7 })
  expect(await next(pro)).toMatchObject({ trial_days: 7 })
  await change('pro', { trial_days: 14 })
  await next(team)
  await setPrice(1599)
  expect(await next(team)).toMatchObject({ amount: 1599 })
  await setPrice(1499)
  await next(team)
  await setProvider('manual')
  expect(await next(team)).toMatchObject({ kind: 'payment_request', amount: 1499 })
  await next({ ...team, plan_code: 'flat' })
  await next({ ...team, plan_code: 'flat', currency: 'USD' })
  expect(await next({ ...team, plan_code: 'flat', period: 'yearly' })).toMatchObject({ amount: 1499 })
  await setProvider('stripe')
})

test('a start checkout that is paid after another replaced it withdraws the other, whose page expires', async () => {
  const { stripe } = billing.world
  const owner = await lastingOwner(billing)
  const first = await openAtStripe(billing, owner, team)
  const second = await openAtStripe(billing, owner, { ...team, period: 'yearly' })
  expect(stripe.payCheckout(first.session).paid).toBe(true)
  await settle(billing)
  expectStatus(await owner.get('/api/v1/billing/subscription'), 200)
  const { body } = expectStatus(await owner.get(`/api/v1/billing/checkouts/${second.id}`), 200)
  expect(body).toMatchObject({ status: 'expired', url: null })
  expect(stripe.sessions().find(({ id }) => id === second.session)).toMatchObject({ status: 'expired' })
})

test('a start checkout that completes withdraws a payment request of another plan', async () => {
  const owner = await lastingOwner(billing)
  const paid = await openAtStripe(billing, owner, team)
  const { admin, world } = billing
  const provider = (value: string) => admin.put('/api/v1/options/billing.provider', { value })
  expectStatus(await provider('manual'), 200)
  const { body: asked } = expectStatus(await owner.post('/api/v1/billing/checkout', pro), 201)
  expectStatus(await provider('stripe'), 200)
  expect(world.stripe.payCheckout(paid.session).paid).toBe(true)
  await settle(billing)
  const { data } = expectStatus(await admin.get('/api/v1/admin/payment-requests?limit=100'), 200).body
  expect(data.find((each: { checkout_id: string }) => each.checkout_id === asked.id)).toMatchObject({
    status: 'withdrawn',
  })
})

test('the payment of a refused checkout that Stripe lists late is recorded and returned', async () => {
  const { stripe, journal, webhooks } = billing.world
  const owner = await lastingOwner(billing)
  const first = await openAtStripe(billing, owner, team)
  const second = await openAtStripe(billing, owner, { ...team, period: 'yearly' })
  webhooks.hold()
  expect(stripe.payCheckout(first.session).paid).toBe(true)
  const ofFirst = webhooks.list({ state: 'held' }).map(({ id }) => id)
  expect(stripe.payCheckout(second.session).paid).toBe(true)
  stripe.settings.listedAfterMs = 600_000
  onTestFinished(() => {
    stripe.settings.listedAfterMs = 0
  })
  // The one that is handled first starts the subscription.
  for (const id of ofFirst) await webhooks.send(id)
  await billing.t.runJobs()
  await webhooks.release()
  await settle(billing)
  expect(atStripe(owner)).toEqual(['active', 'canceled'])
  billing.t.advance(3_600_000)
  await settle(billing)
  expect(journal.net(owner.workspace_id)).toBe(149_900n)
  await enqueueReconciliation(billing.t.deps)
  billing.t.advance(3 * 3_600_000)
  await settle(billing)
  const payments = await billing.t.deps.db
    .selectFrom('payment')
    .select(['amount', 'use'])
    .where('workspace_id', '=', owner.workspace_id)
    .orderBy('amount')
    .execute()
  expect(payments).toEqual([
    { amount: '149900', use: 'applied' },
    { amount: '1499000', use: 'unapplied' },
  ])
})

test('a workspace has one trial, also after the owner who had it deleted the account', async () => {
  const owner = await withWorkspace(billing.t)
  const { session } = await openAtStripe(billing, owner, pro)
  expect(billing.world.stripe.payCheckout(session).paid).toBe(true)
  await settle(billing)
  const heir = await memberOf(billing.t, owner.workspace_id, 'owner')
  expectStatus(await heir.post('/api/v1/billing/cancel-subscription'), 200)
  expectStatus(await owner.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } }), 204)
  billing.t.advance(15 * 86_400_000)
  await settle(billing)
  const later = billing.t.anyone
    .with(await openSession(billing.t, heir.id))
    .with({ 'x-workspace-id': owner.workspace_id })
  expect((await openAtStripe(billing, later, pro)).trial_days).toBe(0)
})

test('a refused payment of which a part was returned at Stripe before is returned once in full', async () => {
  const { stripe, journal, webhooks } = billing.world
  const owner = await lastingOwner(billing)
  const first = await openAtStripe(billing, owner, team)
  const second = await openAtStripe(billing, owner, { ...team, period: 'yearly' })
  webhooks.hold()
  expect(stripe.payCheckout(first.session).paid).toBe(true)
  const ofFirst = webhooks.list({ state: 'held' }).map(({ id }) => id)
  expect(stripe.payCheckout(second.session).paid).toBe(true)
  const paid = stripe.sessions().find(({ id }) => id === second.session)
  const [charge] = journal.charges(String(paid?.invoice))
  stripe.refundInDashboard(String(charge?.refs.find((ref) => ref.startsWith('pi_'))), 2500)
  for (const id of ofFirst) await webhooks.send(id)
  await billing.t.runJobs()
  expectStatus(await owner.get('/api/v1/billing/subscription'), 200)
  await webhooks.release()
  await settle(billing)
  expect(journal.net(owner.workspace_id)).toBe(149_900n)
  const refunds = await billing.t.deps.db
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'payment_id')
    .select(['refund.amount', 'refund.status', 'refund.reason'])
    .where('workspace_id', '=', owner.workspace_id)
    .execute()
  expect(refunds.toSorted((a, b) => Number(a.amount) - Number(b.amount))).toEqual([
    { amount: '2500', status: 'succeeded', reason: 'requested_by_customer' },
    { amount: '1496500', status: 'succeeded', reason: 'not_applied' },
  ])
})
