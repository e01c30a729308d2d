import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { HOUR } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, PASSWORD, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { closeWithLedger } from '../../../../test/ledger.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { toMajor } from '../../../lib/money.ts'
import { postTransactions } from '../../ledger/ledger.ts'
import { sellerAccount } from './balances.ts'
import {
  clearedOrder,
  completedOrder,
  payoutAccount,
  requested,
  returnToBuyer,
  withEarnings,
} from './payouts.fixture.ts'

const statement = '/api/v1/marketplace/statement'

// PostgreSQL gives the ids by which a period is found.
const t = await testApp({}, { origin: new Date() })
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
    t.advance(5 * 60_000)
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

  test('adds up over all pages of a seller with many entries, and in its export', async () => {
    const many = await testApp({}, { origin: new Date() })
    onTestFinished(() => many.close())
    const seller = await withWorkspace(many)
    const owner = sellerAccount({ user_id: seller.id, workspace_id: seller.workspace_id })
    const pending = (amount: number) => ({ kind: 'seller_pending', owner, amount: BigInt(amount) }) as const
    const outside = (amount: number) => ({ kind: 'bank', amount: BigInt(amount) }) as const
    const available = (amount: number) => ({ kind: 'seller_available', owner, amount: BigInt(amount) }) as const
    const posted = Array.from({ length: 1100 }, (_, n) => ({
      ...{ key: `many:${n}`, kind: n % 3 === 1 ? 'order_cleared' : 'order_closed', reference: seller.id },
      ...{ occurred_at: new Date(many.clock.now().getTime() - (1100 - n) * HOUR), currency: 'TRY' as const },
      // Every third one moves money within what the seller has.
      entries: n % 3 === 1 ? [pending(-100), available(100)] : [pending(200 + n), outside(-200 - n)],
    }))
    await many.deps.db.transaction().execute((tx) => postTransactions(tx, posted))
    const earned = posted.flatMap(({ entries }, n) => (n % 3 === 1 ? [] : [Number(entries[0]?.amount) / 100]))
    const sums = earned.map((_, n) =>
      toMajor(earned.slice(0, n + 1).reduce((sum, one) => sum + BigInt(Math.round(one * 100)), 0n)),
    )
    const lines: { amount: number; balance_after: number }[] = []
    for (let cursor = ''; ; ) {
      const { data, next_cursor } = expectStatus(
        await seller.get(`${statement}?currency=TRY&limit=100${cursor && `&cursor=${cursor}`}`),
        200,
      ).body
      lines.push(...data)
      if (next_cursor === null) break
      cursor = next_cursor
    }
    expect(lines.map(({ amount }) => amount)).toEqual(earned.toReversed())
    expect(lines.map(({ balance_after }) => balance_after)).toEqual(sums.toReversed())
    const exported = async (period = '') => {
      const { body } = expectStatus(await seller.get(`${statement}/export?currency=TRY${period}`), 200)
      return (body as string).trim().split('\r\n').slice(1)
    }
    expect((await exported()).map((line) => Number(line.split(',').at(-1)))).toEqual(sums)
    const [from, to] = [posted[300], posted[900]].map((one) => one?.occurred_at.toISOString())
    const inPeriod = await exported(`&from=${from}&to=${to}`)
    const isIn = (n: number) => n >= 300 && n < 900 && n % 3 !== 1
    expect(inPeriod.map((line) => Number(line.split(',').at(-2)))).toEqual(
      posted.flatMap(({ entries }, n) => (isIn(n) ? [Number(entries[0]?.amount) / 100] : [])),
    )
    const { data } = expectStatus(await seller.get(`${statement}?currency=TRY&to=${from}&limit=1`), 200).body
    expect(data).toMatchObject([{ amount: earned[199], balance_after: sums[199] }])
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
