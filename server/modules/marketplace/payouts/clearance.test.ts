import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { closeWithLedger } from '../../../../test/ledger.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { clearEarnings } from './clearance.ts'
import { clearedOrder, completedOrder, payoutAccount, requested, returnToBuyer } from './payouts.fixture.ts'

const DAY = 86_400_000
/** Shorter than a session lives. */
const CLEARANCE_DAYS = 2
const t = await testApp()
const admin = await signedIn(t, { instanceAdmin: true })
expectStatus(await admin.put('/api/v1/options/marketplace.clearance_days', { value: CLEARANCE_DAYS }), 200)
afterAll(() => closeWithLedger(t))

const balanceOf = async (seller: WorkspaceOwner) =>
  expectStatus(await seller.get('/api/v1/marketplace/balance'), 200).body.data

describe('GET /marketplace/balance', () => {
  test('shows what a seller earned in the workspace, by currency, in major units', async () => {
    const seller = await withWorkspace(t)
    expect(await balanceOf(seller)).toEqual([])
    await completedOrder(t, seller)
    await completedOrder(t, seller, { price: 5001n, currency: 'USD' })
    expect(await balanceOf(seller)).toEqual([
      { currency: 'TRY', pending: 900, available: 0, held: 0, owed: 0, payout_min: 100 },
      { currency: 'USD', pending: 45.01, available: 0, held: 0, owed: 0, payout_min: 10 },
    ])
  })

  test('shows nothing of another seller of the workspace', async () => {
    const seller = await withWorkspace(t)
    await completedOrder(t, seller)
    expect(await balanceOf(await memberOf(t, seller.workspace_id, 'admin'))).toEqual([])
  })

  test('is for admins', async () => {
    const { workspace_id } = await withWorkspace(t)
    const editor = await memberOf(t, workspace_id, 'editor')
    expectProblem(await editor.get('/api/v1/marketplace/balance'), 403, 'forbidden_role')
  })
})

describe('the clearance of earnings', () => {
  test('makes them available after the days of the option, and once on any number of nodes', async () => {
    const seller = await withWorkspace(t)
    for (let n = 0; n < 3; n++) await completedOrder(t, seller)
    t.advance(CLEARANCE_DAYS * DAY - 1000)
    await clearEarnings(t.deps)
    expect(await balanceOf(seller)).toMatchObject([{ currency: 'TRY', pending: 2700, available: 0, owed: 0 }])
    t.advance(1000)
    await Promise.all([1, 2, 3, 4].map(() => clearEarnings(t.deps)))
    expect(await balanceOf(seller)).toMatchObject([{ currency: 'TRY', pending: 0, available: 2700, owed: 0 }])
    expect(await clearEarnings(t.deps)).toBe(0)
  })

  test('leaves out what was returned to the buyer meanwhile', async () => {
    const seller = await withWorkspace(t)
    const returned = await completedOrder(t, seller)
    t.advance(DAY)
    await completedOrder(t, seller)
    await returnToBuyer(t, returned, 100_000n)
    t.advance((CLEARANCE_DAYS - 1) * DAY)
    await clearEarnings(t.deps)
    expect(await balanceOf(seller)).toMatchObject([{ currency: 'TRY', pending: 900, available: 0, owed: 0 }])
  })

  test('takes off first what the seller owes', async () => {
    const seller = await withWorkspace(t)
    const paidOut = await clearedOrder(t, seller)
    expectStatus(await seller.put('/api/v1/marketplace/payout-account', payoutAccount), 200)
    await requested(seller)
    await returnToBuyer(t, paidOut, 2_000n)
    await completedOrder(t, seller, { price: 1_000n })
    t.advance(CLEARANCE_DAYS * DAY)
    await clearEarnings(t.deps)
    expect(await balanceOf(seller)).toMatchObject([{ currency: 'TRY', pending: 0, available: 0, owed: 9 }])
    await completedOrder(t, seller)
    t.advance(CLEARANCE_DAYS * DAY)
    await clearEarnings(t.deps)
    expect(await balanceOf(seller)).toMatchObject([{ currency: 'TRY', pending: 0, available: 891, owed: 0 }])
  })
})
