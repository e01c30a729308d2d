import { expect } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import type { Answer, Client } from '../../../../test/client.ts'
import { expectStatus, type Person, signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { mailsTo } from '../../../../test/people.ts'
import { system } from '../../../lib/db/audit.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { postTransaction } from '../../ledger/ledger.ts'
import { sellerAccount } from '../payouts/earnings/balances.ts'
import { splitEarnings } from './book-orders.ts'
import { changeOrder } from './change-order.ts'
import { runOrderTimers } from './timers/run-timers.ts'

const DAY = 86_400_000
const LASTING_MS = 3000 * DAY

type Terms = { price?: bigint; fee_bps?: number; revisions_allowed?: number; requirements?: string | null }

/** A gig, and an order of it that is paid now. Amounts in minor units. Returns the id of the order. */
export const paidOrder = (
  { deps }: TestApp,
  { buyer, seller }: { buyer: WorkspaceOwner; seller: WorkspaceOwner },
  { price = 10_000n, fee_bps = 1000, revisions_allowed = 1, requirements = 'Warm colors.' }: Terms = {},
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const terms = { title: 'Ten posts', price: String(price), currency: 'TRY', delivery_days: 3 } as const
    const gig = await tx
      .insertInto('gig')
      .values({
        ...terms,
        ...{ workspace_id: seller.workspace_id, owner_id: seller.id, slug: crypto.randomUUID() },
        ...{ description: 'Ten posts with pictures.', status: 'published', published_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { platform_fee, seller_payout } = splitEarnings(price, fee_bps)
    const { id } = await tx
      .insertInto('gig_order')
      .values({
        ...terms,
        ...{ gig_id: gig.id, seller_id: seller.id, seller_workspace_id: seller.workspace_id },
        ...{ buyer_id: buyer.id, buyer_workspace_id: buyer.workspace_id, fee_bps, revisions_allowed },
        ...{ platform_fee: String(platform_fee), seller_payout: String(seller_payout) },
        seller_account: sellerAccount({ user_id: seller.id, workspace_id: seller.workspace_id }),
        ...{ requirements, requirements_at: requirements === null ? null : now, created_at: now, updated_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const columns = { paid_at: now, accept_by: new Date(now.getTime() + 3 * DAY) }
    await changeOrder(tx, id, { name: 'pay', by: 'buyer', actor: system(), now, columns })
    await postTransaction(tx, {
      ...{ key: `order_paid:${id}`, kind: 'order_paid', reference: id, occurred_at: now, currency: 'TRY' },
      entries: [
        { kind: 'provider_clearing', owner: 'manual', amount: -price },
        { kind: 'escrow', owner: id, amount: price },
      ],
    })
    return id
  })

const delivery = { posts: [{ url: 'https://example.com/posts' }], notes: 'All ten posts.' }

/** The state that the order of a test begins in. */
export type Begin = 'pending' | 'in_progress' | 'delivered' | 'disputed' | 'completed' | 'canceled'

/** Two sides with sessions that last while the clock is advanced, and an instance admin without a workspace. */
export async function orderApp() {
  const t = await testApp()
  const lasting = async <P extends Person>(person: P) => {
    await t.deps.db
      .updateTable('session')
      .set({ expires_at: new Date(Date.now() + LASTING_MS) })
      .where('user_id', '=', person.id)
      .execute()
    return person
  }
  const buyer = await lasting(await withWorkspace(t))
  const seller = await lasting(await withWorkspace(t))
  const admin = await lasting(await signedIn(t, { instanceAdmin: true }))
  const path = (id: string, action = '') => `/api/v1/marketplace/orders/${id}${action && `/${action}`}`
  const act = (who: Client, id: string, action: string, body?: object): Promise<Answer> =>
    ['accept', 'deliver', 'cancel', 'complete'].includes(action)
      ? who.patch(path(id, action), body)
      : who.post(path(id, action), body)
  /** An action that succeeds. Returns the order, or what the action returns. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
  const does = async (who: Client, id: string, action: string, body?: object): Promise<any> => {
    const answer = await act(who, id, action, body)
    return expectStatus(answer, answer.status === 201 ? 201 : 200).body
  }
  const orderIn = async (state: Begin, terms: Terms = {}) => {
    const id = await paidOrder(t, { buyer, seller }, terms)
    if (state === 'pending') return id
    await does(seller, id, 'accept')
    if (state === 'canceled') await does(seller, id, 'cancel', { reason: 'Fully booked.' })
    if (state === 'disputed') await does(buyer, id, 'dispute', { reason: 'Nothing came.' })
    if (state === 'delivered' || state === 'completed') await does(seller, id, 'deliver', delivery)
    if (state === 'completed') await does(buyer, id, 'complete')
    return id
  }
  /** Minor units of the accounts of an order, besides those that are empty. */
  const moneyOf = async (id: string) => {
    const rows = await t.deps.db
      .selectFrom('ledger_transaction')
      .innerJoin('ledger_entry', 'transaction_id', 'ledger_transaction.id')
      .innerJoin('ledger_account', 'ledger_account.id', 'account_id')
      .select(['ledger_account.kind', 'amount'])
      .where('reference', '=', id)
      .execute()
    const sums: Record<string, number> = {}
    for (const { kind, amount } of rows) sums[kind] = (sums[kind] ?? 0) + Number(amount)
    return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
  }
  const read = async (who: Client, id: string) => expectStatus(await who.get(path(id)), 200).body
  const expectLedger = async () => {
    const { problems } = expectStatus(await admin.get('/api/v1/admin/ledger/check'), 200).body
    expect(problems.filter(({ code }: { code: string }) => code !== 'clearing_differs')).toEqual([])
  }
  const advance = async (ms: number) => {
    t.advance(ms)
    await runOrderTimers(t.deps)
  }
  const mails = async ({ email }: Person) => (await mailsTo(t, email)).map(({ key }) => key)
  return { t, buyer, seller, admin, path, act, does, orderIn, moneyOf, read, expectLedger, advance, mails, delivery }
}
export type OrderApp = Awaited<ReturnType<typeof orderApp>>
