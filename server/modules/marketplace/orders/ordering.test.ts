import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, memberOf, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { publishedGig } from '../../../../test/gigs.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { type Billing, billingApp, pendingRequest } from '../../billing/billing.fixture.ts'
import { expireCheckouts } from '../../billing/checkouts/close-checkout.ts'
import { approveOrder, ordered, orderedAndPaid, readOrder } from './orders.fixture.ts'

const path = '/api/v1/marketplace/orders'
const DAY_MS = 86_400_000

let billing: Billing
let buyer: WorkspaceOwner
let seller: WorkspaceOwner
let gig: { id: string; price: number }
beforeAll(async () => {
  billing = await billingApp('manual')
  expectStatus(await billing.admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
  buyer = await withWorkspace(billing.t)
  seller = await withWorkspace(billing.t)
  gig = await publishedGig(seller)
})
afterAll(() => billing.close())

const escrowOf = async ({ id }: { id: string }) =>
  (
    await billing.t.deps.db
      .selectFrom('ledger_account')
      .select('balance')
      .where('kind', '=', 'escrow')
      .where('owner', '=', id)
      .executeTakeFirst()
  )?.balance

describe('POST /marketplace/orders', () => {
  test('201 orders a gig on its terms, with a payment request while payments are approved by hand', async () => {
    const order = await ordered(buyer, gig, { requirements: 'Warm colors.' })
    expect(order).toMatchObject({
      gig_id: gig.id,
      title: 'Ten posts for your café',
      status: 'pending_payment',
      price: 1499.9,
      currency: 'TRY',
      platform_fee: 149.99,
      seller_payout: 1349.91,
      revisions_allowed: 2,
      requirements: 'Warm colors.',
      requirements_at: billing.t.clock.now().toISOString(),
      contract: null,
      buyer: { user_id: buyer.id, workspace_id: buyer.workspace_id },
      seller: { user_id: seller.id, workspace_id: seller.workspace_id },
      checkout: { kind: 'payment_request', url: null },
    })
    expect(await pendingRequest(billing.admin, order.checkout.id)).toMatchObject({
      order_id: order.id,
      plan_code: null,
      amount: 1499.9,
    })
    expect(expectStatus(await buyer.get(`/api/v1/billing/checkouts/${order.checkout.id}`), 200).body).toMatchObject({
      purpose: 'order',
      order_id: order.id,
      plan_code: null,
      period: null,
      description: 'Ten posts for your café',
    })
  })

  test('a change of the gig does not change what was ordered', async () => {
    const sold = await publishedGig(seller, { price: 100 })
    const order = await ordered(buyer, sold)
    expect(order).toMatchObject({ requirements: null, requirements_at: null })
    expectStatus(await seller.patch(`/api/v1/marketplace/gigs/${sold.id}`, { price: 200, title: 'Other' }), 200)
    expect(await readOrder(buyer, order)).toMatchObject({ price: 100, title: 'Ten posts for your café' })
  })

  test('200 returns the same order again while it waits for its payment, such as after a double click', async () => {
    const sold = await publishedGig(seller)
    const responses = await Promise.all(Array.from({ length: 5 }, () => buyer.post(path, { gig_id: sold.id })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
  })

  test('201 for the same order after ten minutes, with other requirements, or by another admin', async () => {
    const sold = await publishedGig(seller)
    const order = { gig_id: sold.id, requirements: 'Warm colors.' }
    const { id } = await ordered(buyer, sold, order)
    const minutes = (count: number) => billing.t.advance(count * 60_000)
    minutes(10 - 1 / 60)
    expect(expectStatus(await buyer.post(path, order), 200).body).toMatchObject({ id, checkout: { url: null } })
    const colleague = await memberOf(billing.t, buyer.workspace_id, 'admin')
    const others = [
      await ordered(buyer, sold, { requirements: 'Blue.' }),
      await ordered(buyer, sold),
      await ordered(colleague, sold, order),
    ]
    minutes(1 / 60)
    others.push(await ordered(buyer, sold, order))
    expect(new Set([id, ...others.map((other) => other.id)]).size).toBe(5)
  })

  test('409 price_changed when the gig does not have the price that was shown', async () => {
    for (const shown of [
      { price: gig.price - 1, currency: 'TRY' },
      { price: gig.price, currency: 'USD' },
    ])
      expectProblem(await buyer.post(path, { gig_id: gig.id, shown }), 409, 'price_changed')
    const shown = { price: 1.001, currency: 'TRY' }
    expectProblem(await buyer.post(path, { gig_id: gig.id, shown }), 400, 'validation_failed', '/shown/price')
    expectStatus(await buyer.post(path, { gig_id: gig.id, shown: { price: gig.price, currency: 'TRY' } }), 201)
  })

  test('400 for a price in the body, and for empty requirements', async () => {
    expectProblem(await buyer.post(path, { gig_id: gig.id, price: 1 }), 400, 'read_only', '/price')
    expectProblem(await buyer.post(path, { gig_id: gig.id, requirements: '' }), 400, 'validation_failed')
  })

  test('409 own_gig for the seller in any workspace, and for another admin of the workspace of the gig', async () => {
    const owner = await withWorkspace(billing.t)
    const { id: gig_id } = await publishedGig(owner)
    const colleague = await memberOf(billing.t, owner.workspace_id, 'admin')
    const { body: other } = expectStatus(await owner.post('/api/v1/workspaces', { name: 'Another of the seller' }), 201)
    const inEach = [owner.workspace_id, other.id].map((id) => owner.with({ 'x-workspace-id': id }))
    for (const caller of [...inEach, colleague]) expectProblem(await caller.post(path, { gig_id }), 409, 'own_gig')
  })

  test('403 for a member below admin, and for an API token', async () => {
    const author = await memberOf(billing.t, buyer.workspace_id, 'author')
    const as = author.with({ 'x-workspace-id': buyer.workspace_id })
    expectProblem(await as.post(path, { gig_id: gig.id }), 403, 'forbidden_role')
    const { body } = expectStatus(await buyer.post('/api/v1/api-tokens', { name: 'Orders' }), 201)
    const token = billing.t.anyone.with({ authorization: `Bearer ${body.token}` })
    expectProblem(await token.post(path, { gig_id: gig.id }), 403, 'token_not_accepted')
  })

  test('404 for a gig that is paused, a draft or absent', async () => {
    const paused = await publishedGig(seller, { status: 'paused' })
    for (const id of [paused.id, buyer.id]) expectProblem(await buyer.post(path, { gig_id: id }), 404, 'not_found')
  })
})

describe('the payment of an order', () => {
  test('a paid order waits for the seller for three days, and its price is in escrow', async () => {
    const order = await orderedAndPaid(billing.admin, buyer, await publishedGig(seller, { price: 100.01 }))
    const now = billing.t.clock.now()
    expect(order).toMatchObject({
      status: 'pending',
      checkout: null,
      paid_at: now.toISOString(),
      accept_by: new Date(now.getTime() + 3 * DAY_MS).toISOString(),
    })
    expect(await escrowOf(order)).toBe('10001')
  })

  test('only one of twenty parallel approvals pays the order', async () => {
    const order = await ordered(buyer, await publishedGig(seller, { price: 50 }))
    const request = await pendingRequest(billing.admin, order.checkout.id)
    const approve = () => billing.admin.post(`/api/v1/admin/payment-requests/${request.id}/approve`, {})
    const responses = await Promise.all(Array.from({ length: 20 }, approve))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await escrowOf(order)).toBe('5000')
  })

  test('an order whose request is rejected or runs out expires', async () => {
    const sold = await publishedGig(seller)
    const rejected = await ordered(buyer, sold)
    const request = await pendingRequest(billing.admin, rejected.checkout.id)
    const reason = 'No payment arrived.'
    expectStatus(await billing.admin.post(`/api/v1/admin/payment-requests/${request.id}/reject`, { reason }), 200)
    expect(await readOrder(buyer, rejected)).toMatchObject({ status: 'expired', checkout: null })
    const late = await ordered(buyer, sold)
    await billing.t.deps.db
      .updateTable('checkout')
      .set({ expires_at: billing.t.clock.now() })
      .where('order_id', '=', late.id)
      .execute()
    await expireCheckouts(billing.t.deps)
    expect(await readOrder(buyer, late)).toMatchObject({ status: 'expired' })
  })

  test('a withdrawn order is not paid any more, and either the approval or the withdrawal wins', async () => {
    const sold = await publishedGig(seller, { price: 70 })
    const order = await ordered(buyer, sold)
    const request = await pendingRequest(billing.admin, order.checkout.id)
    const [approved, withdrawn] = await Promise.all([
      billing.admin.post(`/api/v1/admin/payment-requests/${request.id}/approve`, {}),
      buyer.post(`${path}/${order.id}/withdraw`),
    ])
    const { status } = await readOrder(buyer, order)
    if (approved.status === 200) {
      expectStatus(withdrawn, 200)
      expect(await escrowOf(order)).toMatch(/^(7000|0)$/)
    } else {
      expectProblem(approved, 409, 'invalid_transition')
      expectStatus(withdrawn, 200)
      expect(status).toBe('expired')
      expect(await escrowOf(order)).toBeUndefined()
    }
  })
})

describe('GET /marketplace/orders', () => {
  test('200 shows an order to members of the buying workspace and to the seller, and the checkout to the buyer', async () => {
    const sold = await publishedGig(seller)
    const order = await ordered(buyer, sold)
    const viewer = await memberOf(billing.t, buyer.workspace_id, 'viewer')
    const reader = viewer.with({ 'x-workspace-id': buyer.workspace_id })
    expect(await readOrder(reader, order)).toMatchObject({ id: order.id, actions: [] })
    expect((await readOrder(buyer, order)).actions).toEqual(['submit_requirements'])
    expect(await readOrder(seller, order)).toMatchObject({ id: order.id, checkout: null })
    const list = async (who: WorkspaceOwner, query: string) =>
      expectStatus(await who.get(`${path}?${query}`), 200).body.data.map(({ id }: { id: string }) => id)
    expect(await list(buyer, 'role=buyer&status=pending_payment')).toContain(order.id)
    expect(await list(buyer, 'role=seller')).toEqual([])
    expect(await list(seller, 'role=seller&limit=1')).toEqual([order.id])
    for (const query of ['', '&role=seller', '&status=pending_payment'])
      expect(await list(seller, `gig_id=${sold.id}${query}`)).toEqual([order.id])
    for (const query of ['&role=buyer', '&status=pending'])
      expect(await list(seller, `gig_id=${sold.id}${query}`)).toEqual([])
  })

  test('200 shows what a member buys and sells in one list, newest first and in pages', async () => {
    const both = await withWorkspace(billing.t)
    const own = await publishedGig(both)
    const bought = await ordered(both, await publishedGig(seller))
    const sold = await ordered(buyer, own)
    const again = await ordered(both, await publishedGig(seller))
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const { data, next_cursor } = expectStatus(
        await both.get(`${path}?limit=1&status=pending_payment${cursor && `&cursor=${cursor}`}`),
        200,
      ).body
      found.push(...data.map(({ id }: { id: string }) => id))
      if (next_cursor === null) break
      cursor = next_cursor
    }
    expect(found).toEqual([again.id, sold.id, bought.id])
    expect((await both.get(`${path}?role=buyer`)).body.data).toHaveLength(2)
  })

  test('404 for other workspaces, and for other members of the workspace of the seller', async () => {
    const order = await ordered(buyer, await publishedGig(seller))
    const colleague = await memberOf(billing.t, seller.workspace_id, 'admin')
    for (const caller of [await withWorkspace(billing.t), colleague.with({ 'x-workspace-id': seller.workspace_id })]) {
      expectProblem(await caller.get(`${path}/${order.id}`), 404, 'not_found')
      expectProblem(await caller.post(`${path}/${order.id}/withdraw`), 404, 'not_found')
      for (const query of ['', '?role=seller', `?gig_id=${order.gig_id}`])
        expect(expectStatus(await caller.get(`${path}${query}`), 200).body.data).toEqual([])
    }
    expectProblem(await seller.post(`${path}/${order.id}/withdraw`), 404, 'not_found')
  })

  test('409 for the withdrawal of an order that was withdrawn', async () => {
    const order = await ordered(buyer, await publishedGig(seller))
    expectStatus(await buyer.post(`${path}/${order.id}/withdraw`), 200)
    const { detail } = expectProblem(await buyer.post(`${path}/${order.id}/withdraw`), 409, 'invalid_transition')
    expect(detail).toBe('Cannot expire an order while the state is expired.')
    const request = await billing.t.deps.db
      .selectFrom('payment_request')
      .select('status')
      .where('order_id', '=', order.id)
      .executeTakeFirstOrThrow()
    expect(request.status).toBe('withdrawn')
    await expect(approveOrder(billing.admin, order)).rejects.toThrow()
  })
})
