import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type Person, signedIn, type WorkspaceOwner } from '../../../test/factories.ts'
import { lasting, mailsTo } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  buyByHand,
  lastingOwner,
  pendingRequest,
  pro,
  settle,
  subscriptionOf,
  tokenOf,
} from './billing.fixture.ts'
import { runBillingTimers } from './processes/run-timers.ts'

let billing: Billing
let t: TestApp
let admin: Person
beforeAll(async () => {
  billing = await billingApp('manual')
  ;({ t, admin } = billing)
})
afterAll(() => billing?.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR
const after = (time: string, ms: number) => new Date(new Date(time).getTime() + ms)

/** The audit entries of a workspace about one kind of thing, oldest first. */
const entriesOf = ({ workspace_id }: WorkspaceOwner, kind: string) =>
  t.deps.db
    .selectFrom('audit_entry')
    .select(['action', 'details'])
    .where('workspace_id', '=', workspace_id)
    .where('action', 'like', `${kind}.%`)
    .orderBy('id')
    .execute()

const keysTo = async (email: string) => (await mailsTo(t, email)).map(({ key }) => key)

test('a payment request that is approved starts the subscription, with an invoice and a receipt', async () => {
  const owner = await lastingOwner(billing)
  expectProblem(await owner.get('/api/v1/billing/subscription'), 404, 'subscription_not_found')
  expect(expectStatus(await owner.get('/api/v1/billing/checkout'), 200).body).toEqual({
    ...{ provider: 'manual', is_configured: true, renews: false, trial: false, default_plan: 'free', requires: [] },
  })
  const key = { 'idempotency-key': 'checkout' }
  const setInstructions = async (value: string) =>
    expectStatus(await admin.put('/api/v1/options/billing.manual_instructions', { value }), 200)
  await setInstructions('IBAN TR00')
  const { body: checkout } = expectStatus(await owner.post('/api/v1/billing/checkout', pro, key), 201)
  expect(checkout).toMatchObject({
    ...{ provider: 'manual', kind: 'payment_request', status: 'open', url: null },
    ...{ amount: 499, trial_days: 0, instructions: 'IBAN TR00' },
  })
  expectStatus(await admin.call('DELETE', '/api/v1/options/billing.manual_instructions'), 204)
  const [created] = await entriesOf(owner, 'checkout')
  expect(created).toMatchObject({
    action: 'checkout.created',
    details: { plan_code: 'pro', period: 'monthly', provider: 'manual' },
  })
  expect(expectStatus(await owner.post('/api/v1/billing/checkout', pro, key), 201).body).toEqual(checkout)
  expect(expectStatus(await owner.post('/api/v1/billing/checkout', pro), 200).body).toMatchObject({
    ...{ id: checkout.id, instructions: null },
  })

  const request = await pendingRequest(admin, checkout.id)
  const path = `/api/v1/admin/payment-requests/${request.id}/approve`
  expect(expectStatus(await admin.post(path, { reference: 'EFT 1' }), 200).body).toMatchObject({
    ...{ status: 'approved', reference: 'EFT 1', amount: 499, decided_at: t.clock.now().toISOString() },
  })
  expectStatus(await admin.post(path, { reference: 'EFT 1' }), 200)
  const late = await admin.post(path.replace('approve', 'reject'), { reason: 'Nothing came.' })
  const { detail, state } = expectProblem(late, 409, 'invalid_transition')
  expect([detail, state]).toEqual([expect.stringContaining('set a payment request to rejected'), 'approved'])
  expect(await entriesOf(owner, 'payment_request')).toMatchObject([
    { action: 'payment_request.approved', details: { amount: '49900', currency: 'TRY' } },
  ])
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
  const present = { plan_code: 'pro', state: 'active', detail: expect.stringContaining('is on the plan pro. Use POST') }
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
  const [helper, editor, banned] = [
    await lasting(t, await memberOf(t, owner.workspace_id, 'admin')),
    await memberOf(t, owner.workspace_id, 'editor'),
    await memberOf(t, owner.workspace_id, 'admin'),
  ]
  expectStatus(await admin.post(`/api/v1/admin/users/${banned.id}/ban`, { reason: 'Spam' }), 200)
  await buyByHand(admin, owner)
  const first = await subscriptionOf(owner)
  await advanceTo(billing, after(first.current_period_end, 1000))
  const due = await subscriptionOf(owner)
  expect(due.status).toBe('past_due')
  expect(after(due.past_due_deadline, -21 * DAY)).toEqual(after(first.current_period_end, 0))
  const { renewal_expires_at } = await t.deps.db
    .selectFrom('checkout')
    .select('expires_at as renewal_expires_at')
    .where('id', '=', tokenOf(due.pay_url))
    .executeTakeFirstOrThrow()
  expect(renewal_expires_at).toEqual(after(first.current_period_end, 365 * DAY))
  await advanceTo(billing, after(due.past_due_deadline, -1000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })
  await advanceTo(billing, due.past_due_deadline)
  expect(await subscriptionOf(owner)).toMatchObject({
    ...{ status: 'expired', pay_url: null, ended_at: t.clock.now().toISOString(), past_due_deadline: null },
  })
  expect((await owner.get('/api/v1/workspace')).body.plan_code).toBe('free')

  // Three, seven and fourteen days after the end of the period the payment is asked for again.
  const asked = ['billing-renewal', 'billing-renewal', ...Array<string>(4).fill('billing-failed'), 'billing-ended']
  expect(await keysTo(owner.email)).toEqual(['billing-receipt', ...asked])
  expect((await keysTo(helper.email)).filter((key) => key !== 'billing-receipt')).toEqual(asked)
  for (const { email } of [editor, banned]) expect(await keysTo(email)).toEqual([])
  const mails = await mailsTo(t, owner.email)
  const dateOf = (time: string) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'Europe/Istanbul' }).format(new Date(time))
  const textOf = (key: string) => mails.find((mail) => mail.key === key)?.body_text
  for (const [key, time] of [
    ['billing-renewal', first.current_period_end],
    ['billing-failed', due.past_due_deadline],
    ['billing-ended', due.past_due_deadline],
  ]) {
    expect(textOf(key)).toContain(dateOf(time))
    expect(textOf(key)).toMatch(/Pro.*499\.00 TRY.*http:\/\/meydan\.test\/w\/[^/]+\/billing/s)
  }
  for (const person of [owner, helper])
    expect(expectStatus(await person.get('/api/v1/me/notifications'), 200).body.data).toMatchObject(
      ['ended', 'payment_failed', 'payment_due'].map((kind) => ({ kind: `billing.${kind}`, subject: { name: 'Pro' } })),
    )
  const noted = t.deps.db.selectFrom('notification_event').select('kind').where('workspace_id', '=', owner.workspace_id)
  expect(await noted.execute()).toHaveLength(asked.length)

  const fields = (more: object) => ({
    ...{ plan_code: 'pro', billing_period: 'monthly', amount: '49900', current_period_end: first.current_period_end },
    ...{ cancel_at_period_end: false, pending_plan_code: null, past_due_deadline: null, ...more },
  })
  const missed = fields({ status: 'past_due', past_due_deadline: due.past_due_deadline })
  expect(await entriesOf(owner, 'subscription')).toEqual([
    { action: 'subscription.start', details: { after: fields({ status: 'active' }) } },
    { action: 'subscription.miss_payment', details: { before: fields({ status: 'active' }), after: missed } },
    { action: 'subscription.expire', details: { before: missed, after: fields({ status: 'expired' }) } },
  ])
})

test('a grace that ends on the day of a reminder ends the subscription with it', async () => {
  const newAdmin = await lasting(t, await signedIn(t, { instanceAdmin: true }))
  const setGrace = async (value: number) =>
    expectStatus(await newAdmin.put('/api/v1/options/billing.grace_days', { value }), 200)
  await setGrace(14)
  const owner = await lastingOwner(billing)
  await buyByHand(newAdmin, owner)
  const { current_period_end } = await subscriptionOf(owner)
  // A day late is still on time.
  t.advance(after(current_period_end, DAY).getTime() - t.clock.now().getTime())
  await settle(billing)
  expect((await subscriptionOf(owner)).past_due_deadline).toBe(after(current_period_end, 14 * DAY).toISOString())
  await advanceTo(billing, after(current_period_end, 14 * DAY))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired' })
  expect((await keysTo(owner.email)).filter((key) => key === 'billing-failed')).toHaveLength(3)
  await setGrace(21)
})

test('a free subscription renews itself without a payment, and ends with its period when canceled', async () => {
  const owner = await lastingOwner(billing)
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', { ...pro, plan_code: 'free' }), 201)
  expect(body).toMatchObject({ kind: 'none', status: 'completed', instructions: null, url: null })
  const first = await subscriptionOf(owner)
  await advanceTo(billing, first.current_period_end)
  const second = await subscriptionOf(owner)
  expect(second).toMatchObject({ status: 'active', pay_url: null, current_period_start: first.current_period_end })
  expect(after(second.current_period_end, 0) > after(first.current_period_end, 27 * DAY)).toBe(true)

  const cancel = async () => expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200).body
  const canceled = await cancel()
  expect(canceled).toMatchObject({ cancel_at_period_end: true, cancel_requested_at: t.clock.now().toISOString() })
  t.advance(HOUR)
  expect(await cancel()).toMatchObject({ updated_at: canceled.updated_at })
  const resume = async () => expectStatus(await owner.post('/api/v1/billing/resume-subscription'), 200).body
  const resumed = await resume()
  expect(resumed).toMatchObject({ cancel_at_period_end: false, cancel_requested_at: null })
  t.advance(HOUR)
  expect(await resume()).toMatchObject({ updated_at: resumed.updated_at })
  await cancel()
  await advanceTo(billing, second.current_period_end)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled', ended_at: second.current_period_end })
  expect(expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body.data).toEqual([])
  expect(await keysTo(owner.email)).toEqual(['billing-ended'])
})

test('a payment request is taken up for thirty days, and replaced after that', async () => {
  const owner = await lastingOwner(billing)
  const buy = () => owner.post('/api/v1/billing/checkout', pro)
  const { id } = expectStatus(await buy(), 201).body
  t.advance(30 * DAY - 1)
  expect(expectStatus(await buy(), 200).body.id).toBe(id)
  t.advance(1)
  expect(expectStatus(await buy(), 201).body.id).not.toBe(id)
  expect(expectStatus(await owner.get(`/api/v1/billing/checkouts/${id}`), 200).body.status).toBe('expired')
})

test('a plan can be changed at the moment at which its period begins, for what was shown', async () => {
  const newAdmin = await signedIn(t, { instanceAdmin: true })
  const owner = await lastingOwner(billing)
  await buyByHand(newAdmin, owner)
  const preview = async (query: string) =>
    expectStatus(await owner.get(`/api/v1/billing/change-plan?${query}`), 200).body
  const { current_period_end: renews_at } = await subscriptionOf(owner)
  const present = { applies: 'now', amount_due: 0, renewal_amount: 499, renewal_period: 'monthly', renews_at }
  expect(await preview('plan_code=pro')).toMatchObject(present)
  const { amount_due, renewal_amount, priced_at } = await preview('plan_code=team')
  expect([amount_due, renewal_amount]).toEqual([1000, 1499])
  const choose = (shown: object) => owner.post('/api/v1/billing/change-plan', { plan_code: 'team', shown })
  const ahead = new Date(t.clock.now().getTime() + 1).toISOString()
  expectProblem(await choose({ amount_due, renewal_amount, priced_at: ahead }), 409, 'price_changed')
  const { checkout } = expectStatus(await choose({ amount_due, renewal_amount, priced_at }), 200).body
  expect(checkout).toMatchObject({ amount: 1000, purpose: 'change', status: 'open' })
  const request = await pendingRequest(newAdmin, checkout.id)
  expectStatus(await newAdmin.post(`/api/v1/admin/payment-requests/${request.id}/approve`, {}), 200)
  const team = await subscriptionOf(owner)
  expect(team).toMatchObject({ plan_code: 'team', current_period_end: renews_at })

  const pending = async (plan_code: string) =>
    expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code }), 200).body.subscription
  expect(await pending('pro')).toMatchObject({ plan_code: 'team', pending_plan_code: 'pro', pending_period: 'monthly' })
  expect(await pending('team')).toMatchObject({ plan_code: 'team', pending_plan_code: null, pending_period: null })
  const actions = async () => (await entriesOf(owner, 'subscription')).map(({ action }) => action)
  const { length } = await actions()
  expect((await actions()).slice(-2)).toEqual(['subscription.schedule_change', 'subscription.undo_change'])
  await pending('team')
  expect(await actions()).toHaveLength(length)

  expect(await pending('pro')).toMatchObject({ pending_plan_code: 'pro' })
  expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)
  const yearly = await owner.post('/api/v1/billing/change-plan', { plan_code: 'team', period: 'yearly' })
  expect(expectProblem(yearly, 409, 'invalid_transition')).toMatchObject({
    ...{ detail: 'Resume the subscription first.', state: 'canceled' },
  })
  await advanceTo(billing, renews_at)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled', pending_plan_code: null })
})

test('a timer that fails holds up no other, and runs again', async () => {
  const newAdmin = await lasting(t, await signedIn(t, { instanceAdmin: true }))
  const owners = [await lastingOwner(billing), await lastingOwner(billing)]
  for (const owner of owners) await buyByHand(newAdmin, owner)
  const [failing] = owners
  const { current_period_end } = await subscriptionOf(owners[0] as WorkspaceOwner)
  await sql`create function fail() returns trigger language plpgsql as 'begin raise exception ''broken''; end'`.execute(
    t.deps.db,
  )
  await sql`create trigger broken before insert on checkout for each row
    when (new.workspace_id = ${sql.lit(failing?.workspace_id)}) execute function fail()`.execute(t.deps.db)
  t.advance(after(current_period_end, -6 * DAY).getTime() - t.clock.now().getTime())
  await runBillingTimers(t.deps)
  const asked = () => Promise.all(owners.map(async (owner) => (await subscriptionOf(owner)).pay_url !== null))
  expect(await asked()).toEqual([false, true])
  await sql`drop trigger broken on checkout`.execute(t.deps.db)
  expect(await runBillingTimers(t.deps)).toBe(1)
  expect(await asked()).toEqual([true, true])

  // As a release with other timers left it.
  const due_at = t.clock.now()
  const { id } = await subscriptionOf(owners[0] as WorkspaceOwner)
  await t.deps.db.updateTable('subscription').set({ due_at }).where('id', '=', id).execute()
  expect(await runBillingTimers(t.deps)).toBe(0)
  const row = await t.deps.db.selectFrom('subscription').select('due_at').where('id', '=', id).executeTakeFirstOrThrow()
  expect(row.due_at).toEqual(after(current_period_end, -2 * DAY))
})
