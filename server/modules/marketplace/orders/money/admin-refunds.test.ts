import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../../test/factories.ts'
import { publishedGig } from '../../../../../test/gigs.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { type Billing, billingApp, settle } from '../../../billing/billing.fixture.ts'
import { ordered, orderedAndPaid, readOrder } from '../orders.fixture.ts'

const refunds = '/api/v1/admin/marketplace/refunds'

describe('refunds that an instance admin completes', () => {
  let billing: Billing
  let buyer: WorkspaceOwner
  let seller: WorkspaceOwner
  beforeAll(async () => {
    billing = await billingApp('manual')
    buyer = await withWorkspace(billing.t)
    seller = await withWorkspace(billing.t)
    expectStatus(await billing.admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
  })
  afterAll(() => billing.close())

  const withdraw = async (order: { id: string }) =>
    expectStatus(await buyer.post(`/api/v1/marketplace/orders/${order.id}/withdraw`), 200).body

  test('an order that was paid by hand waits in the list until its refund is noted, once', async () => {
    const order = await orderedAndPaid(billing.admin, buyer, await publishedGig(seller, { price: 80.05 }))
    expect(await withdraw(order)).toMatchObject({ status: 'canceled', refund_amount: 80.05, refund_status: 'pending' })
    const { body } = expectStatus(await billing.admin.get(`${refunds}?status=pending`), 200)
    expect(body.data.find(({ order_id }: { order_id: string }) => order_id === order.id)).toMatchObject({
      title: order.title,
      order_status: 'canceled',
      status: 'pending',
      refund_amount: 80.05,
      owed_amount: 80.05,
      currency: 'TRY',
      provider: 'manual',
      is_manual: true,
      failure: null,
      buyer_workspace_name: order.buyer.workspace_name,
    })
    const pay = () => billing.admin.post(`${refunds}/${order.id}/paid`, { reference: 'EFT 4711' })
    const responses = await Promise.all([pay(), pay(), pay()])
    for (const response of responses)
      expect(expectStatus(response, 200).body).toMatchObject({ status: 'succeeded', owed_amount: 0 })
    expect(await readOrder(buyer, order)).toMatchObject({ refund_amount: 80.05, refund_status: 'succeeded' })
    const listed = async (query: string) => {
      const { data } = expectStatus(await billing.admin.get(`${refunds}${query}`), 200).body
      return data.some(({ order_id }: { order_id: string }) => order_id === order.id)
    }
    expect([await listed('?status=pending'), await listed('?status=succeeded'), await listed('')]).toEqual([
      ...[false, true, true],
    ])
    const { data } = expectStatus(await billing.admin.get('/api/v1/admin/audit-log?action=order.refund_paid'), 200).body
    expect(data).toMatchObject([
      {
        ...{ target_id: order.id, actor: { id: billing.admin.id } },
        details: { amount: '8005', currency: 'TRY', reference: 'EFT 4711' },
      },
    ])
    expectProblem(await billing.admin.get(`${refunds}?status=open`), 400, 'validation_failed')
  })

  test('404 for an order without a refund, 409 for the retry of one that did not fail', async () => {
    const order = await orderedAndPaid(billing.admin, buyer, await publishedGig(seller))
    for (const action of ['paid', 'retry'])
      expectProblem(await billing.admin.post(`${refunds}/${order.id}/${action}`, {}), 404, 'not_found')
    await withdraw(order)
    const { detail } = expectProblem(
      await billing.admin.post(`${refunds}/${order.id}/retry`),
      409,
      'invalid_transition',
    )
    expect(detail).toBe('Cannot retry a refund while the state is pending.')
    expectProblem(await billing.admin.post(`${refunds}/${seller.id}/paid`, {}), 404, 'not_found')
  })

  test('403 for everybody who is no instance admin', async () => {
    expectProblem(await buyer.get(refunds), 403, 'forbidden_role')
    expectProblem(await seller.post(`${refunds}/${seller.id}/paid`, {}), 403, 'forbidden_role')
  })
})

describe('refunds at a provider', () => {
  let billing: Billing
  beforeAll(async () => {
    billing = await billingApp('stripe')
  })
  afterAll(() => billing.close())

  test('one that the provider is making is not paid by hand, and none is left after it is made', async () => {
    const { admin, world, t } = billing
    const buyer = await withWorkspace(t)
    expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
    const order = await ordered(buyer, await publishedGig(await withWorkspace(t), { price: 100 }))
    const session = world.stripe.sessions().find(({ url }) => url === order.checkout.url)
    expect(world.stripe.payCheckout(String(session?.id)).paid).toBe(true)
    await settle(billing)
    expectStatus(await buyer.post(`/api/v1/marketplace/orders/${order.id}/withdraw`), 200)
    const { detail } = expectProblem(await admin.post(`${refunds}/${order.id}/paid`, {}), 409, 'invalid_transition')
    expect(detail).toBe('Cannot pay a refund by hand that the provider is making while the state is pending.')
    await settle(billing)
    expect(expectStatus(await admin.post(`${refunds}/${order.id}/paid`, {}), 200).body).toMatchObject({
      status: 'succeeded',
      is_manual: false,
      owed_amount: 0,
    })
  })
})
