import { afterAll, beforeAll, expect, test } from 'vitest'
import { atOnce, countByStatus } from '../../../../../test/at-once.ts'
import { expectStatus } from '../../../../../test/factories.ts'
import { uploaded } from '../../../../../test/media.ts'
import { lastMail } from '../../../../../test/people.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { type OrderApp, orderApp } from '../orders.fixture.ts'

let app: OrderApp
beforeAll(async () => {
  app = await orderApp()
})
afterAll(() => app.close())

const disputes = '/api/v1/admin/marketplace/disputes'

async function disputed() {
  const { buyer, seller, does, orderIn } = app
  const id = await orderIn('in_progress')
  const { id: media_id } = await uploaded(seller)
  await does(seller, id, 'deliver', { posts: [{ media_id }], notes: 'Half of it.' })
  const { dispute } = await does(buyer, id, 'dispute', { reason: 'Half is missing.' })
  return { id, media_id, dispute_id: dispute.id as string }
}

test('many disputes that are withdrawn are one mail of each kind an hour', async () => {
  const { t, buyer, seller, does, orderIn, mails } = app
  const id = await orderIn('in_progress')
  const before = (await mails(seller)).length
  for (let round = 0; round < 5; round++) {
    await does(buyer, id, 'dispute', { reason: `Round ${round}` })
    await does(buyer, id, 'dispute/withdraw')
  }
  expect((await mails(seller)).slice(before)).toEqual(['order-disputed', 'order-dispute-withdrawn'])
  await t.advance(3_600_000)
  await t.runJobs()
  expect((await mails(seller)).slice(before + 2)).toEqual(['order-dispute-withdrawn'])
  expect((await lastMail(t, seller.email)).body_text).toMatch(/Delivery date: [A-Z]/)
  // The dispute that is open an hour later is the one that is mailed.
  await does(buyer, id, 'dispute', { reason: 'Once more.' })
  await does(buyer, id, 'dispute/withdraw')
  await does(buyer, id, 'dispute', { reason: 'To the end.' })
  await t.advance(3_600_000)
  await t.runJobs()
  expect((await mails(seller)).slice(before + 3)).toEqual(['order-disputed', 'order-disputed'])
  expect((await lastMail(t, seller.email)).body_text).toContain('Reason: To the end.')
})

test('a mail about a dispute that was withdrawn is not sent when the order has ended', async () => {
  const { t, buyer, seller, does, orderIn, mails } = app
  const id = await orderIn('in_progress')
  for (let round = 0; round < 2; round++) {
    await does(buyer, id, 'dispute', { reason: 'Nothing came.' })
    await does(buyer, id, 'dispute/withdraw')
  }
  await does(seller, id, 'cancel', { reason: 'Fully booked.' })
  const before = await mails(seller)
  await t.advance(3_600_000)
  await t.runJobs()
  expect(await mails(seller)).toEqual(before)
})

test('an instance admin reads a dispute with its files and messages, writes, and splits the price once', async () => {
  const { t, buyer, seller, admin, moneyOf, mails, read, path, audited } = app
  const { id, media_id, dispute_id } = await disputed()
  expect((await mails(seller)).at(-1)).toBe('order-disputed')
  const { data } = expectStatus(await admin.get(`${disputes}?status=open`), 200).body
  expect(data[0]).toMatchObject({ id: dispute_id, opened_by: 'buyer', order: { id, status: 'disputed' } })
  const read1 = expectStatus(await admin.get(`${disputes}/${dispute_id}`), 200).body
  expect(read1).toMatchObject({ reason: 'Half is missing.', deliveries: [{ number: 1, notes: 'Half of it.' }] })
  expect(read1.messages.data[0]).toMatchObject({ code: 'dispute', details: { reason: 'Half is missing.' } })
  expectStatus(await admin.get(`${path(id)}/files/${media_id}`), 200)
  expectStatus(await admin.post(`${disputes}/${dispute_id}/messages`, { text: 'Please wait.' }), 201)
  for (const who of [buyer, seller]) expect((await mails(who)).at(-1)).toBe('order-message')

  const resolve = (refund_amount: number) =>
    admin.post(`${disputes}/${dispute_id}/resolve`, { refund_amount, note: 'Half.' })
  const { errors } = expectProblem(await resolve(100.01), 400, 'validation_failed', '/refund_amount')
  expect(errors[0]).toMatchObject({
    ...{ message: 'This must be at most the price.', translations: { tr: 'En çok fiyat kadar olmalı.' } },
  })
  const responses = await atOnce(10, () => resolve(50))
  expect(countByStatus(responses)).toEqual({ 200: 1, 409: 9 })
  expect(await moneyOf(id)).toEqual({
    ...{ provider_clearing: -10_000, refunds_payable: 5000, platform_fee: 500, seller_pending: 4500 },
  })
  expect(await read(seller, id)).toMatchObject({
    ...{ status: 'completed', refund_amount: 50, dispute: { status: 'resolved', refund_amount: 50, note: 'Half.' } },
  })
  for (const who of [buyer, seller]) {
    expect((await mails(who)).at(-1)).toBe('order-dispute-resolved')
    expect((await lastMail(t, who.email)).body_text).toMatch(/Amount: 50\.00 TRY.*Reason: Half\./s)
  }
  expect((await audited(admin, id)).at(-1)).toMatchObject({
    ...{ action: 'order.resolve', actor: admin.id, details: { by: 'admin', reason: 'Half.' } },
  })
  for (const who of [buyer, seller])
    expect((await audited(who, id)).at(-1)).toMatchObject({ action: 'order.resolve', actor: null, ip: null })
  const now = t.clock.now().toISOString()
  const { data: resolved } = expectStatus(await admin.get(`${disputes}?status=resolved`), 200).body
  const [listed] = resolved.filter((dispute: { id: string }) => dispute.id === dispute_id)
  expect(listed).toMatchObject({ refund_amount: 50, note: 'Half.', ended_at: now, created_at: now, order: { id } })
  const { data: open } = expectStatus(await admin.get(`${disputes}?status=open`), 200).body
  expect(open.map((dispute: { id: string }) => dispute.id)).not.toContain(dispute_id)
  const after = expectProblem(
    await admin.post(`${disputes}/${dispute_id}/messages`, { text: 'Done.' }),
    409,
    'invalid_transition',
  )
  expect(after.detail).toBe('Cannot write in a dispute while the state is resolved.')
  expect((await resolve(1)).body.detail).toBe('Cannot resolve a dispute while the state is resolved.')
  expectProblem(await admin.get(`${disputes}/${id}`), 404, 'not_found')
  expectProblem(await admin.get(`${path(id)}/files/${media_id}`), 404, 'not_found')
})

test.each([
  [0, 'completed', { provider_clearing: -10_000, platform_fee: 1000, seller_pending: 9000 }],
  [100, 'canceled', { provider_clearing: -10_000, refunds_payable: 10_000 }],
])('a dispute that is resolved with a refund of %d leaves the order %s', async (refund_amount, status, money) => {
  const { id, dispute_id } = await disputed()
  const { body } = expectStatus(await app.admin.post(`${disputes}/${dispute_id}/resolve`, { refund_amount }), 200)
  expect(body).toMatchObject({ status: 'resolved', order: { status, refund_amount } })
  expect(await app.moneyOf(id)).toEqual(money)
})

test('only the side that opened a dispute withdraws it, and it can be opened again', async () => {
  const { buyer, seller, act, does, mails } = app
  const { id } = await disputed()
  const { detail } = expectProblem(await act(seller, id, 'dispute/withdraw'), 403, 'forbidden_role')
  expect(detail).toBe('Only the side that opened the dispute withdraws it.')
  expectProblem(await act(buyer, id, 'complete'), 409, 'invalid_transition')
  await does(buyer, id, 'dispute/withdraw')
  expect((await mails(seller)).at(-1)).toBe('order-dispute-withdrawn')
  const again = expectProblem(await act(buyer, id, 'dispute/withdraw'), 409, 'invalid_transition')
  expect(again.detail).toBe('Cannot withdraw dispute while the state is delivered.')
  expect(await does(seller, id, 'dispute', { reason: 'I am not paid.' })).toMatchObject({
    dispute: { opened_by: 'seller' },
  })
})
