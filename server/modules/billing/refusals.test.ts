import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planWithoutLimits } from '../../../test/billing.ts'
import { expectStatus, withToken } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { nameOf, routesWithAccess } from '../../../test/routes.ts'
import { type Scope, scopes } from '../../lib/http/scopes.ts'
import {
  type Billing,
  billingApp,
  lastingOwner,
  payAtStripe,
  pro,
  sellAtStripe,
  settle,
  subscriptionOf,
  team,
} from './billing.fixture.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe', { PAYTR_MERCHANT_SALT: '' })
  await sellAtStripe(billing, 'pro')
  await sellAtStripe(billing, 'team')
})
afterAll(() => billing?.close())

const CHECKOUT = '/api/v1/billing/checkout'
const setOption = async (key: string, value: unknown) =>
  expectStatus(await billing.admin.put(`/api/v1/options/${key}`, { value }), 200)

/** The days of the trial that visitors read. */
async function trialOfPro() {
  const { data } = expectStatus(await billing.t.anyone.get('/api/v1/plans'), 200).body
  return data.find(({ code }: { code: string }) => code === 'pro').trial_days
}

test('no plan is sold while billing is off', async () => {
  const owner = await lastingOwner(billing)
  await setOption('billing.enabled', false)
  try {
    expectProblem(await owner.post(CHECKOUT, pro), 409, 'billing_disabled')
    expect(await trialOfPro()).toBeNull()
  } finally {
    await setOption('billing.enabled', true)
  }
})

test('no plan is sold by a provider that lacks a setting, which the problem names', async () => {
  const owner = await lastingOwner(billing)
  await setOption('billing.provider', 'paytr')
  try {
    const { missing } = expectProblem(await owner.post(CHECKOUT, pro), 409, 'billing_not_configured')
    expect(missing).toEqual(['paytr.merchant_salt'])
    const terms = { provider: 'paytr', is_configured: false, renews: false, trial: false, requires: [] }
    expect(expectStatus(await owner.get(CHECKOUT), 200).body).toMatchObject(terms)
    expect(await trialOfPro()).toBeNull()
    // One that costs nothing needs no provider, until it is changed.
    expectStatus(await owner.post(CHECKOUT, { ...pro, plan_code: 'free' }), 201)
    const preview = await owner.get('/api/v1/billing/change-plan?plan_code=pro')
    expectProblem(preview, 409, 'billing_not_configured')
  } finally {
    await setOption('billing.provider', 'stripe')
  }
})

describe('a token pays nothing', () => {
  /** An owner with tokens of every kind. */
  async function withTokens() {
    const owner = await lastingOwner(billing)
    const all = await withToken(billing.t, owner, Object.keys(scopes) as Scope[])
    const { post } = await withToken(billing.t, owner)
    const tokens = [
      { name: 'a token without scopes', prefix: '/api/v1', post },
      { name: 'a token with all scopes', prefix: '/api/v1', post: all.post },
      { name: 'a token with all scopes, below /public', prefix: '/api/v1/public', post: all.post },
    ]
    return { owner, tokens }
  }
  type WithTokens = Awaited<ReturnType<typeof withTokens>>

  /** The subscription and checkouts of the workspace, and the number of calls that providers got. */
  const stateOf = async ({ owner }: WithTokens) => ({
    subscription: { ...(await owner.get('/api/v1/billing/subscription')).body, request_id: undefined },
    checkouts: await billing.t.deps.db
      .selectFrom('checkout')
      .selectAll()
      .where('workspace_id', '=', owner.workspace_id)
      .orderBy('id')
      .execute(),
    calls: billing.world.calls().length,
  })

  const expectRefusal = async ({ tokens }: WithTokens, action: string, body?: object) => {
    for (const { name, prefix, post } of tokens) {
      const response = await post(`${prefix}/billing/${action}`, body)
      if (prefix.endsWith('public'))
        expect([name, [404, 405]]).toEqual([name, expect.arrayContaining([response.status])])
      else expectProblem(response, 403, 'token_not_accepted')
    }
  }

  test('no scope to write billing can be granted', async () => {
    const owner = await lastingOwner(billing)
    const refused = await owner.post('/api/v1/api-tokens', { name: 'Payer', scopes: ['billing:write'] })
    expectProblem(refused, 400, 'validation_failed', '/scopes/0')
  })

  test('no token starts a subscription, or opens a checkout to pay it', async () => {
    const payer = await withTokens()
    const before = await stateOf(payer)
    expect(before).toMatchObject({ subscription: { code: 'subscription_not_found' }, checkouts: [] })
    await expectRefusal(payer, 'checkout', pro)
    expect(await stateOf(payer)).toEqual(before)
    const { id } = expectStatus(await payer.owner.post(CHECKOUT, pro), 201).body
    const open = await stateOf(payer)
    await expectRefusal(payer, `checkouts/${id}/open`)
    expect(await stateOf(payer)).toEqual(open)
  })

  test('no token changes, cancels or resumes a subscription in force', async () => {
    const payer = await withTokens()
    await payAtStripe(billing, payer.owner, pro)
    await settle(billing)
    const inForce = await stateOf(payer)
    expect(inForce.subscription).toMatchObject({ plan_code: 'pro', cancel_at_period_end: false })
    await expectRefusal(payer, 'change-plan', { plan_code: 'team' })
    await expectRefusal(payer, 'cancel-subscription')
    expect(await stateOf(payer)).toEqual(inForce)
    expectStatus(await payer.owner.post('/api/v1/billing/cancel-subscription'), 200)
    await settle(billing)
    const canceled = await stateOf(payer)
    expect(canceled.subscription).toMatchObject({ cancel_at_period_end: true })
    await expectRefusal(payer, 'resume-subscription')
    expect(await stateOf(payer)).toEqual(canceled)
  })

  test('no route that writes billing takes a token', async () => {
    const written = (await routesWithAccess(billing.t.deps)).filter(
      ({ method, path, access }) => method !== 'GET' && /\/billing\//.test(path) && access.level !== 'anyone',
    )
    expect(written.map(nameOf)).toContain('POST /api/v1/billing/checkout')
    expect(written.filter(({ access }) => access.token !== false).map(nameOf)).toEqual([])
  })
})

test('a plan without a price at Stripe is not sold, and the problem names the key that its metadata lacks', async () => {
  const owner = await lastingOwner(billing)
  await planWithoutLimits(billing.admin, { code: 'unsold', monthly: 10 })
  const refused = await owner.post(CHECKOUT, { ...pro, plan_code: 'unsold' })
  expect(expectProblem(refused, 409, 'plan_not_sold').metadata_key).toBe('stripe_price_id_monthly')
})

test('a plan that is not for sale, or not in a currency, is refused with the reason', async () => {
  const owner = await lastingOwner(billing)
  const terms = { provider: 'stripe', is_configured: true, renews: true, trial: true, requires: [] }
  expect(expectStatus(await owner.get(CHECKOUT), 200).body).toMatchObject(terms)
  expect(await trialOfPro()).toBe(14)
  const { admin } = billing
  await planWithoutLimits(admin, { code: 'lira', monthly: 10 })
  const buy = (more: object) => owner.post(CHECKOUT, { ...pro, plan_code: 'lira', ...more })
  const inDollars = expectProblem(await buy({ currency: 'USD' }), 400, 'validation_failed', '/currency')
  expect(inDollars.errors[0].message).toBe('The plan lira is not sold in USD.')
  expectStatus(await admin.patch('/api/v1/admin/plans/lira', { is_active: false }), 200)
  for (const plan_code of ['lira', 'unknown']) {
    const { errors } = expectProblem(await buy({ plan_code }), 400, 'validation_failed', '/plan_code')
    expect(errors[0].message).toBe('There is no plan with this code that can be bought.')
  }
})

test('what Stripe refuses is a problem with its reason, and while it is down the call can be repeated', async () => {
  const owner = await lastingOwner(billing)
  const { stripe } = billing.world
  stripe.failNext({ kind: 'error', status: 400, works: false }, { path: '/v1/checkout/sessions' })
  expectProblem(await owner.post(CHECKOUT, team), 409, 'billing_refused')
  const checkouts = billing.t.deps.db.selectFrom('checkout').select(['status', 'failure'])
  expect(await checkouts.where('workspace_id', '=', owner.workspace_id).execute()).toEqual([
    { status: 'failed', failure: expect.stringMatching(/\S/) },
  ])
  stripe.failNext({ kind: 'error', status: 500, works: false }, { path: '/v1/checkout/sessions' })
  const down = await owner.post(CHECKOUT, team)
  expectProblem(down, 503, 'billing_unavailable')
  expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0)
  expectStatus(await owner.post(CHECKOUT, team), 201)
})

test('a subscription that is not there cannot be canceled', async () => {
  const owner = await lastingOwner(billing)
  expectProblem(await owner.post('/api/v1/billing/cancel-subscription'), 402, 'subscription_required')
})

test('an upgrade with a declined card changes nothing', async () => {
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner, pro)
  await settle(billing)
  const free = await owner.post('/api/v1/billing/change-plan', { plan_code: 'free' })
  const { errors } = expectProblem(free, 400, 'validation_failed', '/plan_code')
  expect(errors[0].message).toBe('This plan costs nothing. Cancel the subscription instead.')
  billing.t.advance(15 * 86_400_000)
  await settle(billing)
  const before = await subscriptionOf(owner)
  billing.world.stripe.declineNext()
  expectProblem(await owner.post('/api/v1/billing/change-plan', { plan_code: 'team' }), 402, 'payment_declined')
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', amount: before.amount })
})

test('one user calls the provider at most 30 times a minute with previews and payment methods', async () => {
  const [owner, other] = [await lastingOwner(billing), await lastingOwner(billing)]
  await payAtStripe(billing, owner)
  await settle(billing)
  const preview = () => owner.get('/api/v1/billing/change-plan?plan_code=pro')
  const method = () => owner.get('/api/v1/billing/payment-method')
  billing.world.stripe.failNext({ kind: 'error', status: 503, works: false }, { path: 'billing_portal' })
  expectProblem(await method(), 503, 'billing_unavailable')
  expect(expectStatus(await method(), 200).body).toMatchObject({
    ...{ brand: 'visa', last4: '4242', expires: expect.stringMatching(/^\d{4}-\d\d$/) },
    update_url: expect.stringContaining('http'),
  })
  const { return_url } = Object.fromEntries(new URLSearchParams(billing.world.calls().at(-1)?.raw.toString()))
  expect(return_url).toMatch(/^http:\/\/meydan\.test\/w\/[^/]+\/billing$/)
  for (let n = 0; n < 14; n++) {
    expectStatus(await preview(), 200)
    expectStatus(await method(), 200)
  }
  const calls = billing.world.calls().length
  for (const call of [preview, method]) expectProblem(await call(), 429, 'too_many_requests')
  expect(billing.world.calls()).toHaveLength(calls)
  expectStatus(await owner.get('/api/v1/billing/subscription'), 200)
  expectProblem(await other.get('/api/v1/billing/payment-method'), 404, 'not_found')
  billing.t.advance(60_000)
  expectStatus(await preview(), 200)
})
