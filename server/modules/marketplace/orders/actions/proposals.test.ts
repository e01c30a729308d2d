import { afterAll, beforeAll, expect, test } from 'vitest'
import { atOnce, countByStatus } from '../../../../../test/at-once.ts'
import { expectStatus } from '../../../../../test/factories.ts'
import { lastMail } from '../../../../../test/people.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { type OrderApp, orderApp } from '../orders.fixture.ts'

const HOUR = 3_600_000
let app: OrderApp
beforeAll(async () => {
  app = await orderApp()
})
afterAll(() => app.close())

const proposal = (refund_amount: number) => ({ refund_amount, reason: 'Half is missing.' })

test('many proposals are one mail an hour to each side, and the last says what is open', async () => {
  const { t, buyer, seller, does, orderIn, mails } = app
  const id = await orderIn('in_progress')
  const [ofBuyer, ofSeller] = [(await mails(buyer)).length, (await mails(seller)).length]
  for (let round = 1; round <= 5; round++) {
    const { proposal } = await does(buyer, id, 'proposals', { refund_amount: round, reason: 'Only a part.' })
    await does(round % 2 ? buyer : seller, id, `proposals/${proposal.id}/${round % 2 ? 'withdraw' : 'reject'}`)
  }
  await does(buyer, id, 'proposals', { refund_amount: 42, reason: 'The last offer.' })
  expect((await mails(seller)).slice(ofSeller)).toEqual(['order-proposal'])
  expect((await mails(buyer)).slice(ofBuyer)).toEqual(['order-proposal-rejected'])
  await t.advance(3_600_000)
  await t.runJobs()
  expect((await mails(seller)).slice(ofSeller)).toEqual(['order-proposal', 'order-proposal'])
  expect((await lastMail(t, seller.email)).body_text).toContain('42')
  expect((await mails(buyer)).slice(ofBuyer)).toEqual(['order-proposal-rejected'])
})

test('a mail about a proposal that waited is not sent when another side has proposed, or none', async () => {
  const { t, buyer, seller, does, orderIn, mails } = app
  const id = await orderIn('in_progress')
  const make = async (who: typeof buyer) => (await does(who, id, 'proposals', proposal(5))).proposal.id
  const [ofBuyer, ofSeller] = [(await mails(buyer)).length, (await mails(seller)).length]
  for (let round = 0; round < 2; round++) await does(seller, id, `proposals/${await make(buyer)}/reject`)
  // Both sides have a mail that waits: about the second proposal, and about its rejection.
  const offered = await make(seller)
  await t.advance(HOUR)
  await t.runJobs()
  expect((await mails(seller)).slice(ofSeller)).toEqual(['order-proposal'])
  expect((await mails(buyer)).slice(ofBuyer)).toEqual(['order-proposal-rejected', 'order-proposal'])
  // The last one that was rejected is that of the seller, who is the one to hear of it.
  await does(buyer, id, `proposals/${offered}/reject`)
  for (let round = 0; round < 2; round++) await does(seller, id, `proposals/${await make(buyer)}/reject`)
  await does(buyer, id, `proposals/${await make(seller)}/reject`)
  await t.advance(HOUR)
  await t.runJobs()
  expect((await mails(buyer)).slice(ofBuyer + 2)).toEqual(['order-proposal-rejected', 'order-proposal'])
  expect((await mails(seller)).slice(ofSeller + 1)).toEqual([
    ...['order-proposal-rejected', 'order-proposal', 'order-proposal-rejected'],
  ])
})

test('an accepted proposal completes the order with the refund, and splits the rest', async () => {
  const { t, buyer, seller, does, orderIn, moneyOf, mails, audited } = app
  const id = await orderIn('delivered')
  const { proposal: made, actions } = await does(buyer, id, 'proposals', proposal(33.35))
  expect(made).toMatchObject({ proposed_by: 'buyer', refund_amount: 33.35, status: 'open' })
  expect(actions).toContain('withdraw_proposal')
  expect(actions).not.toContain('propose')
  expect((await mails(seller)).at(-1)).toBe('order-proposal')
  const { body_text } = await lastMail(t, seller.email)
  expect(body_text).toMatch(/Accept or reject it by [A-Z].*Amount: 33\.35 TRY.*Reason: Half is missing\./s)
  expect((await audited(buyer, id)).at(-1)).toEqual({
    ...{ action: 'order.propose', actor: buyer.id, ip: '127.0.0.1', details: { by: 'buyer', refund_amount: 33.35 } },
  })
  expect(await does(seller, id, `proposals/${made.id}/accept`)).toMatchObject({
    ...{ status: 'completed', refund_amount: 33.35, refund_status: 'pending', proposal: { status: 'accepted' } },
  })
  // 66.65 minus the fee of 6.665, of which the half is rounded to even.
  expect(await moneyOf(id)).toEqual({
    ...{ provider_clearing: -10_000, refunds_payable: 3335, platform_fee: 666, seller_pending: 5999 },
  })
  expect((await mails(buyer)).at(-1)).toBe('order-settled')
  expect((await lastMail(t, buyer.email)).body_text).toContain('Amount: 33.35 TRY')
})

test('an accepted proposal of all of the price cancels the order', async () => {
  const { buyer, seller, does, orderIn, moneyOf, mails } = app
  const id = await orderIn('in_progress')
  const { proposal: made } = await does(seller, id, 'proposals', proposal(100))
  expect(await does(buyer, id, `proposals/${made.id}/accept`)).toMatchObject({ status: 'canceled', refund_amount: 100 })
  expect(await moneyOf(id)).toEqual({ provider_clearing: -10_000, refunds_payable: 10_000 })
  expect((await mails(seller)).at(-1)).toBe('order-canceled')
})

test('a proposal stays open when the seller delivers or the buyer wants a revision, and ends with a dispute', async () => {
  const { buyer, seller, act, does, orderIn, delivery } = app
  const id = await orderIn('in_progress')
  const { proposal: made } = await does(buyer, id, 'proposals', proposal(10))
  expect(await does(seller, id, 'deliver', delivery)).toMatchObject({
    status: 'delivered',
    proposal: { status: 'open' },
  })
  expect(await does(buyer, id, 'revision', { reason: 'Half is missing.' })).toMatchObject({
    ...{ status: 'in_progress', proposal: { status: 'open' } },
  })
  expect(await does(buyer, id, 'dispute', { reason: 'Half is missing.' })).toMatchObject({
    proposal: { status: 'expired' },
  })
  expectProblem(await act(seller, id, `proposals/${made.id}/accept`), 409, 'invalid_transition')
})

test('one proposal is open at a time, for an amount up to the price, and only the right side ends it', async () => {
  const { buyer, seller, act, does, orderIn, audited } = app
  const id = await orderIn('in_progress')
  const detailOf = async (who: typeof buyer, action: string, body?: object) =>
    (await act(who, id, action, body)).body.detail
  expectProblem(await act(seller, id, `proposals/${id}/accept`), 409, 'invalid_transition')
  expect(await detailOf(seller, `proposals/${id}/accept`)).toBe(
    'Cannot act on a proposal that is not open while the state is none.',
  )
  for (const amount of [0, 100.01]) {
    const response = await act(buyer, id, 'proposals', proposal(amount))
    expect(expectProblem(response, 400, 'validation_failed', '/refund_amount').errors[0]).toMatchObject({
      message: 'This must be above 0, and at most the price.',
      translations: { tr: '0’dan büyük ve en çok fiyat kadar olmalı.' },
    })
  }
  expectProblem(await act(buyer, id, 'proposals', proposal(1.001)), 400, 'validation_failed', '/refund_amount')
  const { proposal: made } = await does(buyer, id, 'proposals', proposal(10))
  expectProblem(await act(seller, id, 'proposals', proposal(10)), 409, 'proposal_open')
  expectProblem(await act(buyer, id, `proposals/${made.id}/accept`), 403, 'forbidden_role')
  expectProblem(await act(seller, id, `proposals/${made.id}/withdraw`), 403, 'forbidden_role')
  expectProblem(await act(seller, id, `proposals/${id}/accept`), 404, 'not_found')
  expect(await detailOf(seller, 'proposals', proposal(10))).toBe('Wait for the reaction to it, or withdraw it.')
  expect(await detailOf(buyer, `proposals/${made.id}/reject`)).toBe('Only the other side accepts or rejects it.')
  expect(await detailOf(seller, `proposals/${made.id}/withdraw`)).toBe(
    'Only the side that made the proposal withdraws it.',
  )
  expect(await does(seller, id, `proposals/${made.id}/reject`)).toMatchObject({ proposal: { status: 'rejected' } })
  expectProblem(await act(seller, id, `proposals/${made.id}/accept`), 409, 'invalid_transition')
  const { proposal: second } = await does(seller, id, 'proposals', proposal(10))
  expect(await does(seller, id, `proposals/${second.id}/withdraw`)).toMatchObject({ proposal: { status: 'withdrawn' } })
  const { data } = expectStatus(await buyer.get(`${app.path(id)}/messages?limit=4`), 200).body
  const details = { refund_amount: 10 }
  const wanted = { ...details, reason: 'Half is missing.' }
  type Message = { code: string; side: string; details: object }
  expect(data.map(({ code, side, details }: Message) => ({ code, side, details }))).toEqual([
    { code: 'withdraw_proposal', side: 'seller', details },
    { code: 'propose', side: 'seller', details: wanted },
    { code: 'reject_proposal', side: 'seller', details },
    { code: 'propose', side: 'buyer', details: wanted },
  ])
  const entries = await audited(seller, id)
  expect(entries.slice(-3)).toMatchObject([
    { action: 'order.reject_proposal', details: { by: 'seller', refund_amount: 10 } },
    { action: 'order.propose', details: { by: 'seller', refund_amount: 10 } },
    { action: 'order.withdraw_proposal', details: { by: 'seller', refund_amount: 10 } },
  ])
})

test('a proposal without a reaction expires after 48 hours and changes nothing', async () => {
  const { t, buyer, seller, act, does, orderIn, advance, moneyOf, read } = app
  const [id, other] = [await orderIn('in_progress'), await orderIn('in_progress')]
  const { proposal: made } = await does(buyer, id, 'proposals', proposal(10))
  await does(buyer, other, 'proposals', proposal(10))
  // The job that ends it has not run.
  t.advance(48 * HOUR)
  expectProblem(await act(seller, id, `proposals/${made.id}/accept`), 409, 'invalid_transition')
  expect(await does(seller, other, 'proposals', proposal(20))).toMatchObject({ proposal: { status: 'open' } })
  const { data: messages } = expectStatus(await buyer.get(`${app.path(other)}/messages?limit=3`), 200).body
  expect(messages).toMatchObject([{ code: 'propose' }, { code: 'expire_proposal' }, { code: 'propose' }])
  expect((await read(seller, id)).proposal.status).toBe('open')
  await advance(0)
  expect(await read(seller, id)).toMatchObject({ status: 'in_progress', proposal: { status: 'expired' } })
  expect(await moneyOf(id)).toEqual({ escrow: 10_000, provider_clearing: -10_000 })
  const { data } = expectStatus(await buyer.get(`${app.path(id)}/messages`), 200).body
  expect(data[0]).toMatchObject({
    ...{ code: 'expire_proposal', side: 'system', text: '', author: null, details: { refund_amount: 10 } },
  })
})

test('of 20 calls at once, one accepts the proposal and moves the money once', async () => {
  const { buyer, seller, act, does, orderIn, moneyOf } = app
  const id = await orderIn('in_progress')
  const { proposal: made } = await does(buyer, id, 'proposals', proposal(50))
  const responses = await atOnce(20, (index) =>
    index % 2 === 0 ? act(seller, id, `proposals/${made.id}/accept`) : act(seller, id, 'cancel', { reason: 'No.' }),
  )
  expect(countByStatus(responses)).toEqual({ 200: 1, 409: 19 })
  const { refunds_payable, escrow } = await moneyOf(id)
  expect([5000, 10_000]).toContain(refunds_payable)
  expect(escrow).toBeUndefined()
})
