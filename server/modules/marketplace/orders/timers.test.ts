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
  expect((await lastMail(t, buyer.email)).body_text).toContain('Reason: –\n')
})

test('a delivered order completes by itself after a reminder, and a new delivery starts its time again', async () => {
  const { buyer, seller, does, orderIn, advance, read, moneyOf, delivery } = app
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
  await advance(5 * DAY)
  expect((await mails(seller)).filter((key) => key === 'order-late')).toHaveLength(count)
})

test('nothing happens by itself during a dispute, and the time that was left goes on after it', async () => {
  const { buyer, seller, does, orderIn, advance, read } = app
  const id = await orderIn('delivered')
  await advance(5 * DAY)
  const { due_at } = await does(buyer, id, 'dispute', { reason: 'Half is missing.' })
  await advance(30 * DAY)
  expect(await read(seller, id)).toMatchObject({ status: 'disputed', auto_complete_at: null })
  const back = await does(buyer, id, 'dispute/withdraw')
  expect(back).toMatchObject({ status: 'delivered', disputed_at: null, dispute: { status: 'withdrawn' } })
  expect(Date.parse(back.due_at) - Date.parse(due_at)).toBe(30 * DAY)
  await advance(2 * DAY - 1)
  expect((await read(buyer, id)).status).toBe('delivered')
  await advance(1)
  expect((await read(buyer, id)).status).toBe('completed')
})
