import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, PASSWORD, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { closeWithLedger } from '../../../../test/ledger.ts'
import { expectProblem } from '../../../../test/problem.ts'
import {
  clearedOrder,
  completedOrder,
  payoutAccount,
  requested,
  returnToBuyer,
  withEarnings,
} from './payouts.fixture.ts'

const statement = '/api/v1/marketplace/statement'

const t = await testApp()
afterAll(() => closeWithLedger(t))

describe('GET /marketplace/statement', () => {
  test('lists earnings with their fee, refunds and payouts, each with the balance after it', async () => {
    const seller = await withWorkspace(t)
    const order_id = await clearedOrder(t, seller, { title: '=1+1' })
    expectStatus(await seller.put('/api/v1/marketplace/payout-account', payoutAccount), 200)
    const canceled = await requested(seller, 100)
    expectStatus(await seller.post(`/api/v1/marketplace/payouts/${canceled.id}/cancel`), 200)
    const { id: payout_id } = await requested(seller, 800)
    await returnToBuyer(t, order_id, 30_000n)
    const { data } = expectStatus(await seller.get(`${statement}?currency=TRY`), 200).body
    const ofOrder = { order_id, title: '=1+1', payout_id: null }
    const ofPayout = { order_id: null, title: null, gross: -800, fee: 0 }
    expect(data).toMatchObject([
      { type: 'refund', ...ofOrder, gross: -300, fee: -30, amount: -270, balance_after: -170 },
      { type: 'payout', ...ofPayout, payout_id, amount: -800, balance_after: 100 },
      { type: 'payout_returned', payout_id: canceled.id, amount: 100, balance_after: 900 },
      { type: 'payout', payout_id: canceled.id, amount: -100, balance_after: 800 },
      { type: 'earning', ...ofOrder, gross: 1000, fee: 100, amount: 900, balance_after: 900 },
    ])
    const { body } = expectStatus(await seller.get(`${statement}/export?currency=TRY`), 200)
    const lines = (body as string).trim().split('\r\n')
    expect(lines[0]).toBe('id,occurred_at,type,order_id,title,payout_id,gross,fee,amount,balance_after')
    expect(lines[1]).toMatch(new RegExp(`,earning,${order_id},'=1\\+1,,1000.00,100.00,900.00,900.00$`))
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(data.map(({ id }: { id: string }) => id).reverse())
  })

  test('is read in pages, by currency and by time, and only by its seller', async () => {
    const seller = await withWorkspace(t)
    await completedOrder(t, seller, { currency: 'USD' })
    await completedOrder(t, seller, { price: 100n })
    t.advance(60_000)
    const since = t.clock.now().toISOString()
    await completedOrder(t, seller, { price: 200n })
    const first = expectStatus(await seller.get(`${statement}?currency=TRY&limit=1`), 200).body
    expect(first.data).toMatchObject([{ amount: 1.8, balance_after: 2.7 }])
    const second = expectStatus(await seller.get(`${statement}?currency=TRY&cursor=${first.next_cursor}`), 200).body
    expect(second).toMatchObject({ data: [{ amount: 0.9, balance_after: 0.9 }], next_cursor: null })
    const late = expectStatus(await seller.get(`${statement}?currency=TRY&from=${since}`), 200).body.data
    expect(late).toMatchObject([{ amount: 1.8, balance_after: 2.7 }])
    const early = expectStatus(await seller.get(`${statement}?currency=TRY&to=${since}`), 200).body.data
    expect(early).toMatchObject([{ amount: 0.9 }])
    const other = await withWorkspace(t)
    expect(expectStatus(await other.get(`${statement}?currency=TRY`), 200).body.data).toEqual([])
  })
})

describe('deletion with money left', () => {
  const deleteMe = (person: Awaited<ReturnType<typeof signedIn>>) =>
    person.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } })

  test('a user with earnings or an open payout stays until these are paid out', async () => {
    const owner = await withWorkspace(t)
    const person = await signedIn(t)
    const { workspace_id } = owner
    const member = { workspace_id, user_id: person.id, role: 'admin' } as const
    await t.deps.db.insertInto('workspace_member').values(member).execute()
    const seller = await withEarnings(t, { ...person, workspace_id })
    const refusal = expectProblem(await deleteMe(person), 409, 'seller_balance_left')
    expect(refusal.detail).toContain('900 TRY')
    const { id } = await requested(seller)
    expect(expectProblem(await deleteMe(person), 409, 'seller_balance_left').detail).toContain('1 open payout')
    const admin = await signedIn(t, { instanceAdmin: true })
    const paid = { reference: 'EFT 4711' }
    expectStatus(await admin.post(`/api/v1/admin/marketplace/payouts/${id}/paid`, paid), 200)
    expect(expectStatus(await person.get('/api/v1/me/export'), 200).body).toMatchObject({
      payout_accounts: [{ workspace_id, iban_masked: 'TR••••1326' }],
      payouts: [{ id, amount: 900, currency: 'TRY', status: 'paid', reference: 'EFT 4711' }],
    })
    expectStatus(await deleteMe(person), 204)
    const kept = await t.deps.db.selectFrom('payout').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(kept).toMatchObject({ user_id: null, iban: null, iban_masked: 'TR••••1326', reference: 'EFT 4711' })
  })

  test('a workspace with earnings, running orders or disputed orders of a seller is not deleted', async () => {
    const seller = await withWorkspace(t)
    const order = await completedOrder(t, seller)
    const { name } = expectStatus(await seller.get('/api/v1/workspace'), 200).body
    const remove = () => seller.call('DELETE', '/api/v1/workspace', { body: { name } })
    expect(expectProblem(await remove(), 409, 'seller_balance_left').detail).toContain('900 TRY')
    await returnToBuyer(t, order, 100_000n)
    const setStatus = (status: 'in_progress' | 'completed') =>
      t.deps.db.updateTable('gig_order').set({ status }).where('id', '=', order).execute()
    await setStatus('in_progress')
    expect(expectProblem(await remove(), 409, 'seller_balance_left').detail).toContain('1 running order')
    await setStatus('completed')
    const setDispute = (disputed_from: 'completed' | null) =>
      t.deps.db.updateTable('gig_order').set({ disputed_from }).where('id', '=', order).execute()
    await setDispute('completed')
    expect(expectProblem(await remove(), 409, 'seller_balance_left').detail).toContain('1 running order')
    await setDispute(null)
    expectStatus(await remove(), 204)
  })
})
