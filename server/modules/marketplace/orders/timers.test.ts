import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atOnce } from '../../../../test/at-once.ts'
import { lastMail } from '../../../../test/people.ts'
import { type OrderApp, orderApp } from './orders.fixture.ts'
import { runOrderTimers } from './run-timers.ts'

const DAY = 86_400_000
let app: OrderApp
beforeAll(async () => {
  app = await orderApp()
})
afterAll(() => app.close())

const lastKey = async (who: OrderApp['buyer']) => (await app.mails(who)).at(-1)

test('an order that is not accepted in time is canceled and refunded, once on several nodes, after a reminder', async () => {
  const { t, buyer, seller, orderIn, advance, read, moneyOf, mails } = app
  const toSeller = async () => (await mails(seller)).filter((key) => key === 'order-canceled').length
  const id = await orderIn('pending')
  await advance(2 * DAY)
  expect(await lastKey(seller)).toBe('order-accept-reminder')
  expect((await read(buyer, id)).status).toBe('pending')
  t.advance(DAY)
  const before = (await mails(buyer)).length
  await atOnce(4, () => runOrderTimers(t.deps))
  expect(await read(buyer, id)).toMatchObject({
    ...{
      status: 'canceled',
      canceled_by: 'system',
      cancel_reason: null,
      refund_amount: 100,
      actions: ['send_message'],
    },
  })
  expect(await moneyOf(id)).toEqual({ provider_clearing: -10_000, refunds_payable: 10_000 })
  expect((await mails(buyer)).slice(before)).toEqual(['order-canceled'])
  expect(await toSeller()).toBe(1)
  expect((await lastMail(t, buyer.email)).body_text).toContain('Reason: –\n')
})

test('a delivered order completes by itself after a reminder, and a new delivery starts its time again', async () => {
  const { t, buyer, seller, does, orderIn, advance, read, moneyOf, delivery } = app
  const id = await orderIn('delivered')
  await advance(4 * DAY)
  await does(seller, id, 'deliver', { ...delivery, notes: 'Again.' })
  await advance(4 * DAY)
  expect((await read(buyer, id)).status).toBe('delivered')
  await advance(DAY)
  expect(await lastKey(buyer)).toBe('order-completes-soon')
  await advance(2 * DAY)
  expect((await read(buyer, id)).status).toBe('completed')
  expect(await lastKey(seller)).toBe('order-completed')
  expect((await lastMail(t, seller.email)).body_text).toContain('Amount: 90.00 TRY')
  expect(await moneyOf(id)).toEqual({ provider_clearing: -10_000, seller_pending: 9000, platform_fee: 1000 })
})

test('the seller is reminded once when a delivery is late, and not a day after a standstill', async () => {
  const { seller, orderIn, advance, mails } = app
  await orderIn('in_progress')
  await advance(3 * DAY)
  const count = (await mails(seller)).filter((key) => key === 'order-late').length
  expect(count).toBe(1)
  await advance(DAY)
  expect((await mails(seller)).filter((key) => key === 'order-late')).toHaveLength(count)
  await orderIn('in_progress')
  await advance(4 * DAY)
  expect((await mails(seller)).filter((key) => key === 'order-late')).toHaveLength(count)
})

test('nothing happens by itself during a dispute, and the time that was left goes on after it', async () => {
  const { buyer, seller, does, orderIn, advance, read, mails } = app
  const id = await orderIn('delivered')
  await advance(5 * DAY)
  const { due_at } = await does(buyer, id, 'dispute', { reason: 'Half is missing.' })
  const before = [await mails(buyer), await mails(seller)]
  await advance(30 * DAY)
  expect([await mails(buyer), await mails(seller)]).toEqual(before)
  expect(await read(seller, id)).toMatchObject({ status: 'disputed', auto_complete_at: null })
  const back = await does(buyer, id, 'dispute/withdraw')
  expect(back).toMatchObject({ status: 'delivered', disputed_at: null, dispute: { status: 'withdrawn' } })
  expect(Date.parse(back.due_at) - Date.parse(due_at)).toBe(30 * DAY)
  await advance(2 * DAY - 1)
  expect((await read(buyer, id)).status).toBe('delivered')
  await advance(1)
  expect((await read(buyer, id)).status).toBe('completed')
})

test('what fails for one order does not hold up the others, and is repeated', async () => {
  const { t, buyer, does, orderIn, advance, read, errors } = app
  const [stuckReview, review] = [await orderIn('completed'), await orderIn('completed')]
  for (const id of [stuckReview, review]) await does(buyer, id, 'review', { rating: 4 })
  const [stuck, other] = [await orderIn('delivered'), await orderIn('delivered')]
  await sql`create function stand_in_the_way() returns trigger language plpgsql as
    $$ begin raise exception 'this one stays'; end $$`.execute(t.deps.db)
  await sql
    .raw(`create trigger stand_in_the_way before update on gig_order for each row
      when (old.id in ('${stuckReview}', '${stuck}')) execute function stand_in_the_way()`)
    .execute(t.deps.db)
  await advance(14 * DAY)
  const states = async () => {
    const reviews = [await read(buyer, stuckReview), await read(buyer, review)]
    const isPublished = reviews.map(({ reviews: [written] }) => written.published_at !== null)
    return [...isPublished, (await read(buyer, stuck)).status, (await read(buyer, other)).status]
  }
  expect(await states()).toEqual([false, true, 'delivered', 'completed'])
  const err = { message: 'this one stays' }
  expect(errors.splice(0)).toMatchObject([
    { msg: 'reviews of an order were not published, which is retried in a minute', order_id: stuckReview, err },
    { msg: 'a timer of an order failed and is retried in a minute', order_id: stuck, err },
  ])
  await sql`drop function stand_in_the_way cascade`.execute(t.deps.db)
  await advance(0)
  expect(await states()).toEqual([true, true, 'completed', 'completed'])
})
