import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { lasting } from '../../../../test/people.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  openAtStripe,
  payAtStripe,
  sellAtStripe,
  settle,
  subscriptionOf,
} from '../billing.fixture.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
})
afterAll(() => billing?.close())

const DAY = 86_400_000

async function subscribedOwner() {
  const owner = await withWorkspace(billing.t)
  await payAtStripe(billing, owner)
  await settle(billing)
  return owner
}

const rowsOf = (workspace_id: string) =>
  billing.t.deps.db.selectFrom('subscription').selectAll().where('workspace_id', '=', workspace_id).execute()
async function deleteWorkspace(owner: Client) {
  const { name } = expectStatus(await owner.get('/api/v1/workspace'), 200).body
  expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
  await settle(billing)
}

test('deleting a workspace cancels its subscription at the provider, and restoring it resumes that', async () => {
  const owner = await subscribedOwner()
  const before = await subscriptionOf(owner)
  await deleteWorkspace(owner)
  expect(await rowsOf(owner.workspace_id)).toMatchObject([
    { status: 'active', cancel_at_period_end: true, provider_cancel_at_period_end: true },
  ])
  const [deleted] = await rowsOf(owner.workspace_id)
  expect(deleted?.cancel_requested_at).toEqual(billing.t.clock.now())
  expectStatus(await owner.post(`/api/v1/workspaces/${owner.workspace_id}/restore`), 200)
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ ...before, updated_at: expect.any(String) })
  expect(await rowsOf(owner.workspace_id)).toMatchObject([
    { provider_cancel_at_period_end: false, is_canceled_with_workspace: false },
  ])
})

test('restoring a workspace does not resume a subscription that was canceled before', async () => {
  const owner = await subscribedOwner()
  expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)
  await deleteWorkspace(owner)
  expectStatus(await owner.post(`/api/v1/workspaces/${owner.workspace_id}/restore`), 200)
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ cancel_at_period_end: true })
})

test('deleting a workspace whose payment is missing ends its subscription at once', async () => {
  const { t, world } = billing
  const owner = await lasting(t, await subscribedOwner())
  const { current_period_end, provider_customer_id, provider_subscription_id: id } = await subscriptionOf(owner)
  world.stripe.setCard(provider_customer_id, 'declined')
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 3_600_000))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })
  await deleteWorkspace(owner)
  expect(await rowsOf(owner.workspace_id)).toMatchObject([{ status: 'canceled', is_canceled_with_workspace: false }])
  expect(world.stripe.subscriptions().find((each) => each.id === id)?.status).toBe('canceled')
  expectStatus(await owner.post(`/api/v1/workspaces/${owner.workspace_id}/restore`), 200)
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
})

test('a checkout that is paid after its workspace was deleted starts nothing, and the payment is refunded', async () => {
  const { t, world } = billing
  const owner = await withWorkspace(t)
  const { session } = await openAtStripe(billing, owner)
  const { name } = expectStatus(await owner.get('/api/v1/workspace'), 200).body
  expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
  // Before the job has closed the session.
  world.stripe.payCheckout(session)
  await settle(billing)
  expect(await rowsOf(owner.workspace_id)).toEqual([])
  expect(world.journal.net(owner.workspace_id)).toBe(0n)
})

test('erasing a workspace ends what is in force and keeps its invoices and payments', async () => {
  const { t } = billing
  const owner = await subscribedOwner()
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  const id = (await rowsOf(owner.workspace_id))[0]?.id ?? ''
  // As a yearly one, which outlasts the days in which a workspace can be restored.
  const end = new Date(t.clock.now().getTime() + 300 * DAY)
  await t.deps.db.updateTable('subscription').set({ current_period_end: end }).where('id', '=', id).execute()
  await deleteWorkspace(owner)
  t.advance(31 * DAY)
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'erase-deleted-workspaces', {}))
  await settle(billing)
  const row = await t.deps.db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ workspace_id: null, status: 'canceled' })
  const kept = await t.deps.db
    .selectFrom('invoice')
    .select(['id', 'workspace_id', 'number'])
    .where('id', '=', data[0].id)
    .execute()
  expect(kept).toEqual([{ id: data[0].id, workspace_id: null, number: data[0].number }])
  expect(
    await t.deps.db.selectFrom('payment').select('workspace_id').where('subscription_id', '=', id).execute(),
  ).toEqual([{ workspace_id: null }])
})

test('the export of a user has the billing of the workspaces that the user owns', async () => {
  const owner = await subscribedOwner()
  const { body } = expectStatus(await owner.get('/api/v1/me/export'), 200)
  expect(body.subscriptions).toMatchObject([{ workspace_id: owner.workspace_id, plan_code: 'team', amount: 1499 }])
  expect(body.payments).toMatchObject([{ provider: 'stripe', amount: 1499, currency: 'TRY' }])
  expect(body.invoices).toMatchObject([{ status: 'paid', total: 1499 }])
})
