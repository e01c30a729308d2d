import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce, countByStatus } from '../../../../../test/at-once.ts'
import type { Client } from '../../../../../test/client.ts'
import { expectStatus, memberOf, signedIn, withToken, withWorkspace } from '../../../../../test/factories.ts'
import { publishedGig } from '../../../../../test/gigs.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { type Begin, type OrderApp, orderApp, orderedAndPaid } from '../orders.fixture.ts'

const DAY = 86_400_000
let app: OrderApp
beforeAll(async () => {
  app = await orderApp()
})
afterAll(() => app.close())

const inDays = (days: number) => new Date(app.t.clock.now().getTime() + days * DAY).toISOString()

describe('the life of an order', () => {
  test('an order is accepted, delivered and completed, and its money is split between seller and fee', async () => {
    const { buyer, seller, does, orderIn, moneyOf, delivery } = app
    const id = await orderIn('pending')
    expect(await does(seller, id, 'accept')).toMatchObject({
      status: 'in_progress',
      due_at: inDays(3),
      accept_by: null,
    })
    const delivered = await does(seller, id, 'deliver', delivery)
    expect(delivered).toMatchObject({
      status: 'delivered',
      auto_complete_at: inDays(7),
      contract: { notes: 'All ten posts.', posts: [{ url: 'https://example.com/posts', post_id: null, files: [] }] },
    })
    expect(await moneyOf(id)).toEqual({ escrow: 10_000, provider_clearing: -10_000 })
    expect(await does(buyer, id, 'complete')).toMatchObject({
      ...{ status: 'completed', completed_at: inDays(0), clears_at: inDays(14), auto_complete_at: null },
      ...{ refund_amount: 0, refund_status: null },
    })
    expect(await moneyOf(id)).toEqual({ provider_clearing: -10_000, seller_pending: 9000, platform_fee: 1000 })
  })

  test.each<Begin>(['pending', 'in_progress', 'delivered'])(
    'the seller cancels from %s, and the buyer gets all of the price',
    async (state) => {
      const { buyer, seller, does, orderIn, moneyOf } = app
      const id = await orderIn(state)
      expect(await does(seller, id, 'cancel', { reason: 'I am fully booked.' })).toMatchObject({
        ...{ status: 'canceled', canceled_by: 'seller', cancel_reason: 'I am fully booked.', canceled_at: inDays(0) },
        ...{ refund_amount: 100, refund_status: 'pending', auto_complete_at: null },
      })
      expect(await moneyOf(id)).toEqual({ provider_clearing: -10_000, refunds_payable: 10_000 })
      expectProblem(await app.act(buyer, id, 'complete'), 409, 'invalid_transition')
    },
  )

  test('every transition from a wrong state is refused with the state, and changes nothing', async () => {
    const { buyer, seller, act, orderIn, delivery, moneyOf } = app
    const reason = { reason: 'Because.' }
    const calls: [Begin[], typeof buyer, string, object?][] = [
      [['in_progress', 'delivered', 'disputed', 'completed', 'canceled'], seller, 'accept'],
      [['pending', 'disputed', 'completed', 'canceled'], seller, 'deliver', delivery],
      [['disputed', 'completed', 'canceled'], seller, 'cancel', reason],
      [['delivered', 'disputed', 'completed', 'canceled'], buyer, 'cancel', reason],
      [['pending', 'in_progress', 'disputed', 'completed', 'canceled'], buyer, 'complete'],
      [['pending', 'in_progress', 'disputed', 'completed', 'canceled'], buyer, 'revision', reason],
      [['delivered', 'disputed', 'completed', 'canceled'], buyer, 'requirements', { requirements: 'More.' }],
      [['pending', 'disputed', 'completed', 'canceled'], seller, 'dispute', reason],
      [['pending', 'disputed', 'canceled'], buyer, 'dispute', reason],
      [['pending', 'disputed', 'completed', 'canceled'], seller, 'proposals', { refund_amount: 1, ...reason }],
    ]
    for (const state of ['pending', 'in_progress', 'delivered', 'disputed', 'completed', 'canceled'] as const) {
      const id = await orderIn(state)
      const before = await moneyOf(id)
      for (const [states, who, action, body] of calls)
        if (states.includes(state)) {
          const problem = expectProblem(await act(who, id, action, body), 409, 'invalid_transition')
          expect(problem.state).toBe(state)
          expect(problem.detail).toMatch(new RegExp(`^Cannot [a-z]+( [a-z]+)* while the state is ${state}\\.$`))
        }
      expect(await moneyOf(id)).toEqual(before)
      if (state === 'canceled')
        expect((await act(buyer, id, 'revision', reason)).body.detail).toBe(
          'Cannot request revision while the state is canceled.',
        )
    }
  })

  test('only the side that an action is for does it, and members below admin only read', async () => {
    const { t, buyer, seller, act, orderIn, delivery, path } = app
    const id = await orderIn('delivered')
    for (const [who, action, body] of [
      [buyer, 'accept'],
      [buyer, 'deliver', delivery],
      [seller, 'complete'],
      [seller, 'revision', { reason: 'No.' }],
      [seller, 'requirements', { requirements: 'No.' }],
    ] as const)
      expectProblem(await act(who, id, action, body), 403, 'forbidden_role')
    const { detail } = expectProblem(await act(seller, id, 'complete'), 403, 'forbidden_role')
    expect(detail).toBe('Only the buyer and the admin can do this.')
    const editor = await memberOf(t, buyer.workspace_id, 'editor')
    expectProblem(await act(editor, id, 'complete'), 403, 'forbidden_role')
    expectProblem(await act(editor, id, 'revision', { reason: 'No.' }), 403, 'forbidden_role')
    expectStatus(await editor.get(`${path(id)}/messages`), 200)
    expect((await app.read(editor, id)).actions).toEqual([])
    // Another member of the workspace of the gig is no party.
    const colleague = await memberOf(t, seller.workspace_id, 'admin')
    for (const who of [colleague, await withWorkspace(t)]) {
      expectProblem(await act(who, id, 'complete'), 404, 'not_found')
      expectProblem(await act(who, id, 'deliver', delivery), 404, 'not_found')
      expectProblem(await who.get(`${path(id)}/messages`), 404, 'not_found')
    }
    expectProblem(await act(seller, randomUUID(), 'deliver', delivery), 404, 'not_found')
    const admin = await memberOf(t, buyer.workspace_id, 'admin')
    expect(await app.does(admin, id, 'complete')).toMatchObject({ status: 'completed' })
    expect(await app.audited(buyer, id)).toContainEqual(
      expect.objectContaining({ action: 'order.complete', actor: admin.id }),
    )
  })

  test('the seller acts in the workspace of the gig, and in no other', async () => {
    const { t, buyer, admin, path } = app
    const seller = await withWorkspace(t)
    const { id } = await orderedAndPaid(admin, buyer, await publishedGig(seller))
    const { body: other } = expectStatus(await seller.post('/api/v1/workspaces', { name: 'Another' }), 201)
    const [here, there] = [seller.workspace_id, other.id].map((workspace) =>
      seller.with({ 'x-workspace-id': workspace }),
    ) as [Client, Client]
    expectProblem(await there.patch(path(id, 'accept')), 404, 'not_found')
    expectProblem(await there.get(`${path(id)}/messages`), 404, 'not_found')
    expectStatus(await here.patch(path(id, 'accept')), 200)
  })

  test('an instance admin without a workspace completes an order, and nobody does with a token', async () => {
    const { t, buyer, admin, act, does, orderIn } = app
    const id = await orderIn('delivered')
    const token = await withToken(t, buyer)
    expectProblem(await act(token, id, 'complete'), 403, 'token_not_accepted')
    expect(await does(admin, id, 'complete')).toMatchObject({ status: 'completed' })
    const entry = await t.deps.db
      .selectFrom('audit_entry')
      .select(['action', 'workspace_id'])
      .where('actor_id', '=', admin.id)
      .where('target_id', '=', id)
      .execute()
    expect(entry).toEqual([{ action: 'order.complete', workspace_id: null }])
    expectProblem(await act(await signedIn(t), id, 'complete'), 404, 'not_found')
  })

  test('a stale version is refused', async () => {
    const { seller, does, orderIn, path } = app
    const id = await orderIn('pending')
    const accept = (tag: string) => seller.call('PATCH', path(id, 'accept'), { headers: { 'if-match': tag } })
    expectProblem(await accept('"99"'), 412, 'version_conflict')
    for (const [who, action, body] of [
      [seller, 'deliver', app.delivery],
      [seller, 'cancel', { reason: 'No.' }],
      [app.buyer, 'complete', undefined],
    ] as const) {
      const headers = { 'if-match': '"99"' }
      expectProblem(await who.call('PATCH', path(id, action), { body, headers }), 412, 'version_conflict')
    }
    const withdrawal = await app.buyer.call('POST', path(id, 'withdraw'), { headers: { 'if-match': '"99"' } })
    expectProblem(withdrawal, 412, 'version_conflict')
    expectStatus(await accept('"2"'), 200)
    const { status } = await does(seller, id, 'cancel', { reason: 'Fully booked.' })
    expect(status).toBe('canceled')
  })
})

test('each change is an event for both workspaces, with the order and what the buyer wrote', async () => {
  const { buyer, seller, admin, does, orderIn, delivery } = app
  const [id, canceled, declined, refunded] = [
    await orderIn('in_progress'),
    await orderIn('canceled'),
    await orderIn('pending'),
    await orderIn('disputed'),
  ]
  await does(seller, id, 'deliver', delivery)
  await does(buyer, id, 'revision', { reason: 'Brighter.' })
  await does(seller, id, 'deliver', delivery)
  await does(buyer, id, 'complete')
  await does(buyer, id, 'dispute', { reason: 'Nothing opens.' })
  await does(seller, declined, 'cancel', { reason: 'No.' })
  for (const [order, refund_amount] of [
    [id, 0],
    [refunded, 100],
  ] as const) {
    const { dispute } = await app.read(buyer, order)
    expectStatus(await admin.post(`/api/v1/admin/marketplace/disputes/${dispute.id}/resolve`, { refund_amount }), 200)
  }
  type Event = { type: string; data: { order: { id: string }; reason?: string; opened_by?: string } }
  for (const who of [buyer, seller]) {
    const { data } = expectStatus(await who.get('/api/v1/events?limit=100'), 200).body
    const typesOf = (order_id: string) =>
      data
        .filter((event: Event) => event.data.order?.id === order_id)
        .map(({ type, data: { reason, opened_by } }: Event) =>
          [type.replace('marketplace.order.', ''), opened_by, reason].filter(Boolean).join(' '),
        )
    expect(typesOf(declined)).toEqual(['created', 'canceled'])
    expect(typesOf(canceled)).toEqual(['created', 'accepted', 'canceled'])
    expect(typesOf(refunded)).toEqual([
      ...['created', 'accepted', 'disputed buyer Nothing came.', 'dispute_resolved', 'canceled'],
    ])
    expect(typesOf(id)).toEqual([
      ...['created', 'accepted', 'delivered', 'revision_requested Brighter.', 'delivered', 'completed'],
      ...['disputed buyer Nothing opens.', 'dispute_resolved'],
    ])
  }
})

test('each change is in the audit log of both workspaces, and only its own side sees who made it', async () => {
  const { buyer, seller, admin, does, orderIn, audited } = app
  const id = await orderIn('in_progress')
  const { due_at } = await app.read(buyer, id)
  await does(seller, id, 'cancel', { reason: 'Fully booked.' })
  const states = {
    'order.created': { gig_id: expect.any(String), price: '10000', currency: 'TRY' },
    'order.pay': { by: 'buyer', status: 'pending', due_at: null, refund_amount: '0', cancel_reason: null },
    'order.accept': { by: 'seller', status: 'in_progress', due_at, refund_amount: '0', cancel_reason: null },
    'order.cancel': {
      ...{ by: 'seller', status: 'canceled', due_at, refund_amount: '10000', cancel_reason: 'Fully booked.' },
      reason: 'Fully booked.',
    },
  }
  const entry = (action: keyof typeof states, actor: string | null) => {
    const always = action === 'order.created' ? {} : { auto_complete_at: null, revisions_used: 0 }
    return { action, actor, ip: actor && '127.0.0.1', details: { ...states[action], ...always } }
  }
  expect(await audited(buyer, id)).toEqual([
    entry('order.created', buyer.id),
    entry('order.pay', null),
    entry('order.accept', null),
    entry('order.cancel', null),
  ])
  expect(await audited(seller, id)).toEqual([
    entry('order.pay', null),
    entry('order.accept', seller.id),
    entry('order.cancel', seller.id),
  ])
  expect(await audited(admin, id)).toEqual([])
})

test('orders are counted for both sides, with those that wait for each', async () => {
  const { t, does, orderIn } = app
  const counts = async (who: Client) => expectStatus(await who.get('/api/v1/marketplace/orders/counts'), 200).body
  const [buying, selling] = [await counts(app.buyer), await counts(app.seller)]
  const none = { total: 0, waiting: 0 }
  const id = await orderIn('pending')
  const after = async () => {
    const [buyer, seller] = [await counts(app.buyer), await counts(app.seller)]
    expect([buyer.seller, seller.buyer]).toEqual([none, none])
    expect([buyer.buyer.total - buying.buyer.total, seller.seller.total - selling.seller.total]).toEqual([1, 1])
    return [buyer.buyer.waiting - buying.buyer.waiting, seller.seller.waiting - selling.seller.waiting]
  }
  expect(await after()).toEqual([0, 1])
  await does(app.seller, id, 'accept')
  expect(await after()).toEqual([0, 1])
  const message = await does(app.seller, id, 'messages', { text: 'Which colors?' })
  expect(await after()).toEqual([1, 1])
  await does(app.buyer, id, 'messages/read', { message_id: message.id })
  await does(app.seller, id, 'deliver', app.delivery)
  expect(await after()).toEqual([1, 0])
  await does(app.buyer, id, 'complete')
  expect(await after()).toEqual([0, 0])
  await does(app.buyer, id, 'messages', { text: 'A file does not open.' })
  expect(await after()).toEqual([0, 0])
  await does(app.buyer, id, 'dispute', { reason: 'A file does not open.' })
  expect(await after()).toEqual([0, 1])
  expect(await counts(await withWorkspace(t))).toEqual({ buyer: none, seller: none })
})

describe('the buyer', () => {
  test('cancels before the acceptance, and an accepted order only once it is late by more than a day', async () => {
    const { buyer, act, does, orderIn, advance, mails, seller } = app
    const early = await orderIn('pending')
    expect(await does(buyer, early, 'cancel', { reason: 'No need.' })).toMatchObject({ canceled_by: 'buyer' })
    const id = await orderIn('in_progress')
    await advance(4 * DAY)
    const body = { reason: 'You are late.' }
    const { detail } = expectProblem(await act(buyer, id, 'cancel', body), 409, 'order_not_late')
    expect(detail).toBe('The buyer can cancel a day after the delivery was due.')
    await advance(1)
    expect(await does(buyer, id, 'cancel', body)).toMatchObject({ status: 'canceled', refund_amount: 100 })
    expect((await mails(seller)).at(-1)).toBe('order-canceled')
  })

  test('starts the time of delivery again with requirements that come after the acceptance, once', async () => {
    const { buyer, seller, act, does, orderIn, advance } = app
    const id = await orderIn('pending', {})
    await does(buyer, id, 'requirements', { requirements: 'Blue.' })
    expect(await does(buyer, id, 'requirements', { requirements: 'Red.' })).toMatchObject({
      ...{ requirements: 'Red.', due_at: null },
    })
    await does(seller, id, 'accept')
    const given = expectProblem(
      await act(buyer, id, 'requirements', { requirements: 'Green.' }),
      409,
      'requirements_given',
    )
    expect(given.detail).toBe('Write a message, or request a revision of the delivery.')
    const late = await orderIn('in_progress', {})
    await advance(2 * DAY)
    expect(await does(buyer, late, 'requirements', { requirements: 'Blue.' })).toMatchObject({
      ...{ requirements_at: inDays(0), due_at: inDays(3) },
    })
    expectProblem(await act(buyer, late, 'requirements', { requirements: 'Red.' }), 409, 'requirements_given')
  })

  test('requests revisions while they are left, and the seller gets the days of the order again', async () => {
    const { buyer, seller, act, does, orderIn, advance, delivery } = app
    const id = await orderIn('delivered')
    await advance(5 * DAY)
    expect(await does(buyer, id, 'revision', { reason: 'Use the terrace.' })).toMatchObject({
      ...{ status: 'in_progress', revisions_used: 1, due_at: inDays(3), auto_complete_at: null },
    })
    await does(seller, id, 'deliver', delivery)
    const { detail } = expectProblem(await act(buyer, id, 'revision', { reason: 'Again.' }), 409, 'no_revisions_left')
    expect(detail).toBe('All revisions of this order were used.')
  })
})

describe('races', () => {
  const conflicting: [string, Begin, (app: OrderApp, id: string, index: number) => ReturnType<OrderApp['act']>][] = [
    [
      'accepting and canceling by both sides',
      'pending',
      ({ act, buyer, seller }, id, index) =>
        index % 3 === 0
          ? act(seller, id, 'accept')
          : act(index % 3 === 1 ? seller : buyer, id, 'cancel', { reason: 'No.' }),
    ],
    [
      'completing, canceling, disputing and requesting a revision',
      'delivered',
      ({ act, buyer, seller }, id, index) =>
        [
          () => act(buyer, id, 'complete'),
          () => act(seller, id, 'cancel', { reason: 'No.' }),
          () => act(buyer, id, 'dispute', { reason: 'No.' }),
        ][index % 3]?.() ?? act(buyer, id, 'complete'),
    ],
  ]
  test.each(conflicting)(
    'of 20 calls at once for %s, the winners fit together and the others see the state',
    async (_, state, call) => {
      const id = await app.orderIn(state)
      const responses = await atOnce(20, (index) => call(app, id, index))
      const lost = responses.filter(({ status }) => status === 409)
      for (const response of lost)
        expect(['in_progress', 'canceled', 'completed', 'disputed']).toContain(
          expectProblem(response, 409, response.body.code).state ?? 'canceled',
        )
      const won = responses.filter(({ status }) => status === 200).map(({ body }) => body.status)
      // An acceptance can be followed by a cancellation of the seller, and a completion by a dispute.
      const fitting = [['in_progress'], ['canceled'], ['in_progress', 'canceled'], ['completed'], ['disputed']]
      expect([...fitting, ['completed', 'completed']]).toContainEqual(won.toSorted().toReversed())
      expect(countByStatus(responses)).toEqual({ 200: won.length, 409: 20 - won.length })
    },
  )
})
