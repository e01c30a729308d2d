import { beforeEach, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../../test/factories.ts'
import { expectLedger } from '../../../../../test/ledger.ts'
import { uploaded } from '../../../../../test/media.ts'
import { lastMail, mailsTo } from '../../../../../test/people.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { clearEarnings } from '../../payouts/clearance.ts'
import { payoutAccount, requested } from '../../payouts/payouts.fixture.ts'
import { type OrderApp, orderApp } from '../orders.fixture.ts'

const DAY = 86_400_000
const DISPUTE_DAYS = 5
const disputes = '/api/v1/admin/marketplace/disputes'
const reason = 'The files cannot be opened.'

let app: OrderApp
const setOption = async (key: string, value: unknown) =>
  expectStatus(await app.admin.put(`/api/v1/options/${key}`, { value }), 200)
beforeEach(async () => {
  app = await orderApp()
  await setOption('marketplace.dispute_days', DISPUTE_DAYS)
  await setOption('marketplace.clearance_days', 2)
  await setOption('marketplace.payout_min', 1)
  expectStatus(await app.seller.put('/api/v1/marketplace/payout-account', payoutAccount), 200)
  return app.close
})

/** Disputes a completed order. Returns the id of the dispute. */
const openDispute = async (id: string): Promise<string> =>
  (await app.does(app.buyer, id, 'dispute', { reason })).dispute.id
const resolve = async (dispute_id: string, refund_amount: number) =>
  expectStatus(await app.admin.post(`${disputes}/${dispute_id}/resolve`, { refund_amount }), 200).body
const clear = async () => {
  await app.advance(2 * DAY)
  await clearEarnings(app.t.deps)
}
const balance = async () => expectStatus(await app.seller.get('/api/v1/marketplace/balance'), 200).body.data[0]
/** Returns the parts of the seller's balance that `work` changes, with the differences. */
async function changeOf(work: () => Promise<unknown>) {
  const before = await balance()
  await work()
  const after = await balance()
  const parts = ['pending', 'available', 'held', 'owed'] as const
  const changes = parts.map((part) => [part, Math.round((after[part] - before[part]) * 100) / 100] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0))
}

describe('a dispute of a completed order', () => {
  test('leaves it completed, is mailed, and holds its earnings until an instance admin splits the price', async () => {
    const { seller, orderIn, mails, read, moneyOf, admin } = app
    const id = await orderIn('completed')
    const dispute_id = await openDispute(id)
    expect(await read(seller, id)).toMatchObject({ status: 'completed', dispute: { status: 'open', reason } })
    expect((await mails(seller)).at(-1)).toBe('order-disputed')
    expect((await lastMail(app.t, seller.email)).body_text).toContain('the payout for this order is held')
    expect(await changeOf(clear)).toEqual({})
    const { data } = expectStatus(await admin.get(`${disputes}?status=open`), 200).body
    expect(data).toMatchObject([{ id: dispute_id, order: { id, status: 'completed' } }])
    const { messages } = expectStatus(await admin.get(`${disputes}/${dispute_id}`), 200).body
    expect(messages.data[0]).toMatchObject({ code: 'dispute_completed', details: { reason } })

    expect(await changeOf(() => resolve(dispute_id, 40))).toEqual({ pending: -36 })
    expect(await moneyOf(id)).toEqual({
      ...{ provider_clearing: -10_000, refunds_payable: 4000, platform_fee: 600, seller_pending: 5400 },
    })
    expect(await read(seller, id)).toMatchObject({
      ...{ status: 'completed', refund_amount: 40, refund_status: 'pending', dispute_until: null },
      dispute: { status: 'resolved', refund_amount: 40 },
    })
    expect((await mails(seller)).at(-1)).toBe('order-dispute-resolved')
    expect(await changeOf(clear)).toEqual({ pending: -54, available: 54 })
    expectStatus(await admin.post(`/api/v1/admin/marketplace/refunds/${id}/paid`, { reference: 'R-1' }), 200)
    expect(await read(app.buyer, id)).toMatchObject({ refund_amount: 40, refund_status: 'succeeded' })
    expectProblem(await app.act(app.buyer, id, 'dispute', { reason }), 409, 'dispute_closed')
    await expectLedger(app.t)
  })

  test('keeps what is cleared from being paid out, until the buyer withdraws it', async () => {
    const { buyer, seller, orderIn, does, mails } = app
    await orderIn('completed')
    const id = await orderIn('completed')
    await clear()
    expect(await changeOf(() => openDispute(id))).toEqual({ available: -90, held: 90 })
    const { available } = await balance()
    const body = { currency: 'TRY', amount: available + 0.01 }
    expectProblem(await seller.post('/api/v1/marketplace/payouts', body), 409, 'balance_too_low')
    expect(await changeOf(() => does(buyer, id, 'dispute/withdraw'))).toEqual({ available: 90, held: -90 })
    expect((await mails(seller)).at(-1)).toBe('order-dispute-withdrawn')
    const { body_text } = await lastMail(app.t, seller.email)
    expect(body_text).toContain('The order is as it was before the dispute')
    expect(body_text).not.toContain('–')
    expect(await requested(seller)).toMatchObject({ amount: available + 90 })
    await openDispute(id)
    await does(buyer, id, 'dispute/withdraw')
  })

  test('leaves the seller owing what was paid out already', async () => {
    const { seller, orderIn, moneyOf, read } = app
    const id = await orderIn('completed')
    await clear()
    await requested(seller)
    const dispute_id = await openDispute(id)
    expect(await balance()).toMatchObject({ available: 0, held: 0, owed: 0 })
    expect(await changeOf(() => resolve(dispute_id, 100))).toEqual({ owed: 90 })
    expect(await moneyOf(id)).toMatchObject({ provider_clearing: -10_000, refunds_payable: 10_000 })
    expect(await read(seller, id)).toMatchObject({ status: 'completed', refund_amount: 100 })
    await expectLedger(app.t)
    await orderIn('completed')
    await clear()
    expect(await balance()).toMatchObject({ available: 0, owed: 0 })
  })

  test('holds as much of later earnings as was paid out', async () => {
    const { buyer, seller, orderIn, does } = app
    const id = await orderIn('completed')
    await clear()
    await requested(seller)
    await openDispute(id)
    await orderIn('completed')
    expect(await changeOf(clear)).toEqual({ pending: -90, held: 90 })
    expect(await changeOf(() => does(buyer, id, 'dispute/withdraw'))).toEqual({ available: 90, held: -90 })
  })

  test('without a refund gives the seller all of it', async () => {
    const id = await app.orderIn('completed')
    const dispute_id = await openDispute(id)
    expect(await changeOf(() => resolve(dispute_id, 0))).toEqual({})
    expect(await changeOf(clear)).toEqual({ pending: -90, available: 90 })
    expectProblem(
      await app.admin.post(`${disputes}/${dispute_id}/resolve`, { refund_amount: 1 }),
      409,
      'invalid_transition',
    )
  })

  test('is for the buyer, once at a time, and until its time limit', async () => {
    const { buyer, seller, orderIn, act, read, advance } = app
    const id = await orderIn('completed')
    const { dispute_until, completed_at } = await read(buyer, id)
    expect(Date.parse(dispute_until) - Date.parse(completed_at)).toBe(DISPUTE_DAYS * DAY)
    expect((await read(buyer, id)).actions).toContain('dispute')
    expect((await read(seller, id)).actions).not.toContain('dispute')
    const notBuyer = expectProblem(await act(seller, id, 'dispute', { reason }), 409, 'invalid_transition')
    expect(notBuyer.detail).toBe('Cannot open a dispute about an order while the state is completed.')
    expectProblem(await act(buyer, id, 'dispute/withdraw'), 409, 'invalid_transition')
    await openDispute(id)
    expectProblem(await act(buyer, id, 'dispute', { reason }), 409, 'invalid_transition')
    expectProblem(await act(seller, id, 'dispute/withdraw'), 403, 'forbidden_role')
    await app.does(buyer, id, 'dispute/withdraw')
    const none = expectProblem(await act(buyer, id, 'dispute/withdraw'), 409, 'invalid_transition')
    expect(none.detail).toBe('Cannot withdraw a dispute that is not open while the state is completed.')
    await advance(DISPUTE_DAYS * DAY)
    await openDispute(id)
    await app.does(buyer, id, 'dispute/withdraw')
    await advance(1)
    const { detail } = expectProblem(await act(buyer, id, 'dispute', { reason }), 409, 'dispute_closed')
    expect(detail).toBe('Ask the seller for help in a message.')
    expect((await read(buyer, id)).actions).not.toContain('dispute')
  })

  test('that is open again is mailed an hour later, and not that the one before was withdrawn', async () => {
    const { t, buyer, seller, orderIn, does } = app
    const id = await orderIn('completed')
    for (let round = 0; round < 2; round++) {
      await openDispute(id)
      await does(buyer, id, 'dispute/withdraw')
    }
    await openDispute(id)
    await t.advance(DAY / 24)
    await t.runJobs()
    const mails = (await mailsTo(t, seller.email)).filter(({ body_text }) => body_text.includes(id))
    expect(mails.map(({ key }) => key).filter((key) => key.startsWith('order-dispute'))).toEqual([
      ...['order-disputed', 'order-dispute-withdrawn', 'order-disputed'],
    ])
  })

  test('is refused after a settlement, and where the option is 0', async () => {
    const { buyer, seller, orderIn, act, does, read } = app
    const settled = await orderIn('delivered')
    const { proposal } = await does(seller, settled, 'proposals', { refund_amount: 10, reason: 'A part is late.' })
    await does(buyer, settled, `proposals/${proposal.id}/accept`)
    expectProblem(await act(buyer, settled, 'dispute', { reason }), 409, 'dispute_closed')
    await setOption('marketplace.dispute_days', 0)
    const id = await orderIn('completed')
    expect(await read(buyer, id)).toMatchObject({ dispute_until: null })
    expectProblem(await act(buyer, id, 'dispute', { reason }), 409, 'dispute_closed')
    await setOption('marketplace.dispute_days', DISPUTE_DAYS)
  })

  test('lets instance admins read the delivered files while it is open', async () => {
    const { buyer, seller, admin, does, orderIn, path } = app
    const id = await orderIn('in_progress')
    const { id: media_id } = await uploaded(seller)
    await does(seller, id, 'deliver', { posts: [{ media_id }], notes: '' })
    await does(buyer, id, 'complete')
    expectProblem(await admin.get(`${path(id)}/files/${media_id}`), 404, 'not_found')
    const dispute_id = await openDispute(id)
    expectStatus(await admin.get(`${path(id)}/files/${media_id}`), 200)
    await resolve(dispute_id, 0)
    expectProblem(await admin.get(`${path(id)}/files/${media_id}`), 404, 'not_found')
  })
})
