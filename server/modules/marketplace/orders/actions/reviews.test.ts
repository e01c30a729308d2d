import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../../test/client.ts'
import { expectStatus, withWorkspace } from '../../../../../test/factories.ts'
import { publishedGig } from '../../../../../test/gigs.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { type OrderApp, orderApp } from '../orders.fixture.ts'

const DAY = 86_400_000
let app: OrderApp
beforeAll(async () => {
  app = await orderApp()
})
afterAll(() => app.close())

const gigOf = async (order_id: string) =>
  app.t.deps.db
    .selectFrom('gig_order')
    .innerJoin('gig', 'gig.id', 'gig_id')
    .select(['gig.id', 'rating_count', 'rating_sum'])
    .where('gig_order.id', '=', order_id)
    .executeTakeFirstOrThrow()
const publicReviews = async (gig_id: string) =>
  expectStatus(await app.t.anyone.get(`/api/v1/marketplace/gigs/${gig_id}/reviews`), 200).body.data

test('reviews are published when both are in, count for the gig, and get one reply', async () => {
  const { buyer, seller, act, does, orderIn, read, mails, audited } = app
  expectStatus(await buyer.patch('/api/v1/me', { name: 'Ada Lovelace' }), 200)
  const id = await orderIn('completed')
  await does(buyer, id, 'review', { rating: 4, text: 'Good.' })
  expect((await read(seller, id)).reviews).toEqual([])
  expect((await read(buyer, id)).reviews).toMatchObject([{ rating: 4, published_at: null }])
  const { id: gig_id } = await gigOf(id)
  expect(await publicReviews(gig_id)).toEqual([])
  for (const who of [buyer, seller])
    expect(expectProblem(await act(who, id, 'review/reply', { text: 'Thanks.' }), 409, 'review_closed').detail).toBe(
      'The other side has no published review.',
    )
  expectProblem(await act(buyer, id, 'review', { rating: 5 }), 409, 'already_reviewed')
  await does(seller, id, 'review', { rating: 2 })
  expect((await read(seller, id)).reviews).toMatchObject([
    { side: 'buyer', text: 'Good.' },
    { side: 'seller', text: '' },
  ])
  expect(await gigOf(id)).toMatchObject({ rating_count: 1, rating_sum: 4 })
  for (const who of [buyer, seller]) expect((await mails(who)).at(-1)).toBe('order-reviewed')
  await does(seller, id, 'review/reply', { text: 'Thank you.' })
  const again = expectProblem(await act(seller, id, 'review/reply', { text: 'Again.' }), 409, 'already_reviewed')
  expect(again.detail).toBe('You already replied to this review.')
  expect(await publicReviews(gig_id)).toMatchObject([{ rating: 4, text: 'Good.', reply: 'Thank you.', author: 'Ada' }])
  expect((await audited(buyer, id)).at(-1)).toMatchObject({
    ...{ action: 'order.review', actor: buyer.id, details: { by: 'buyer', rating: 4 } },
  })
  expect((await audited(seller, id)).at(-1)).toMatchObject({
    ...{ action: 'order.reply_to_review', actor: seller.id, details: { by: 'seller' } },
  })
})

test('404 for the reviews of a gig that is absent, a draft or taken down', async () => {
  const { seller, admin, t } = app
  const down = await publishedGig(seller)
  const takeDown = `/api/v1/admin/marketplace/gigs/${down.id}/take-down`
  expectStatus(await admin.post(takeDown, { reason: 'Copied pictures.' }), 200)
  const draft = await publishedGig(seller, { status: 'draft' })
  for (const id of [down.id, draft.id, randomUUID()])
    expectProblem(await t.anyone.get(`/api/v1/marketplace/gigs/${id}/reviews`), 404, 'not_found')
})

test('the export of a user has their orders, what they wrote there, and their reports of gigs', async () => {
  const { buyer, seller, t, does, orderIn } = app
  const id = await orderIn('completed')
  await does(buyer, id, 'messages', { text: 'Here is our logo.' })
  await does(seller, id, 'messages', { text: 'Thank you.' })
  await does(buyer, id, 'review', { rating: 5, text: 'Perfect.' })
  const { id: gig_id } = await gigOf(id)
  expectStatus(await buyer.post(`/api/v1/marketplace/gigs/${gig_id}/report`, { reason: 'other' }), 201)
  const exported = async (who: Client) => expectStatus(await who.get('/api/v1/me/export'), 200).body
  const ofOrder = (rows: { order_id: string }[]) => rows.filter(({ order_id }) => order_id === id)
  const mine = await exported(buyer)
  expect(mine.orders.at(-1)).toMatchObject({ id, side: 'buyer', status: 'completed', currency: 'TRY' })
  expect(ofOrder(mine.order_messages)).toMatchObject([{ text: 'Here is our logo.' }])
  expect(ofOrder(mine.order_reviews)).toMatchObject([{ rating: 5, text: 'Perfect.' }])
  expect(mine.gig_reports).toMatchObject([{ gig_id, reason: 'other', text: '', status: 'open' }])
  const theirs = await exported(seller)
  expect(theirs.orders.at(-1)).toMatchObject({ id, side: 'seller', price: mine.orders.at(-1).price })
  expect(ofOrder(theirs.order_messages)).toMatchObject([{ text: 'Thank you.' }])
  expect([ofOrder(theirs.order_reviews), theirs.gig_reports]).toEqual([[], []])
  const other = await exported(await withWorkspace(t))
  expect([other.orders, other.order_messages, other.order_reviews, other.gig_reports]).toEqual([[], [], [], []])
})

test('a review that waits is published 14 days after the end of the order, and no more are accepted then', async () => {
  const { buyer, seller, act, does, orderIn, advance, mails } = app
  const [id, other] = [await orderIn('completed'), await orderIn('completed')]
  await advance(13 * DAY)
  await does(buyer, id, 'review', { rating: 3 })
  await advance(DAY - 1)
  expect(await gigOf(id)).toMatchObject({ rating_count: 0 })
  await advance(1)
  expect(await gigOf(id)).toMatchObject({ rating_count: 1, rating_sum: 3 })
  expect((await mails(seller)).at(-1)).toBe('order-reviewed')
  await does(seller, id, 'review', { rating: 5 })
  await advance(1)
  expectProblem(await act(buyer, other, 'review', { rating: 5 }), 409, 'review_closed')
})

test('an order that was canceled before its acceptance is not reviewed, and one canceled after it is', async () => {
  const { buyer, seller, act, does, orderIn } = app
  const early = await orderIn('pending')
  await does(seller, early, 'cancel', { reason: 'No.' })
  expectProblem(await act(buyer, early, 'review', { rating: 1 }), 409, 'review_closed')
  await does(buyer, await orderIn('canceled'), 'review', { rating: 1 })
  expectProblem(await act(buyer, await orderIn('delivered'), 'review', { rating: 1 }), 409, 'invalid_transition')
  expectProblem(await act(buyer, early, 'review', { rating: 6 }), 400, 'validation_failed', '/rating')
})
