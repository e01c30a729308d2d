import { pino } from 'pino'
import { expect } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import type { ApiResponse, Client } from '../../../../test/client.ts'
import { expectStatus, type Person, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { publishedGig } from '../../../../test/gigs.ts'
import { closeWithLedger } from '../../../../test/ledger.ts'
import { lasting, mailsTo } from '../../../../test/people.ts'
import { pendingRequest } from '../../billing/billing.fixture.ts'
import { runOrderTimers } from './run-timers.ts'

const orders = '/api/v1/marketplace/orders'
const path = (id: string, action = '') => `${orders}/${id}${action && `/${action}`}`

/** Orders a gig: the record in `pending_payment`. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
export const ordered = async (buyer: Client, gig: { id: string }, more: object = {}): Promise<any> =>
  expectStatus(await buyer.post(orders, { gig_id: gig.id, ...more }), 201).body

export const readOrder = async (who: Client, { id }: { id: string }) => expectStatus(await who.get(path(id)), 200).body

/** Approves the payment of an order that is paid by hand. `admin`: an instance admin. */
export async function approveOrder(admin: Client, { checkout }: { checkout: { id: string } }) {
  const request = await pendingRequest(admin, checkout.id)
  return expectStatus(await admin.post(`/api/v1/admin/payment-requests/${request.id}/approve`, {}), 200).body
}

/** Orders a gig, and pays it by hand. */
export async function orderedAndPaid(admin: Client, buyer: Client, gig: { id: string }, more: object = {}) {
  const order = await ordered(buyer, gig, more)
  await approveOrder(admin, order)
  return readOrder(buyer, order)
}

/** An action on an order, with the method of its route. */
const actOn = (who: Client, id: string, action: string, body?: object): Promise<ApiResponse> =>
  ['accept', 'deliver', 'cancel', 'complete'].includes(action)
    ? who.patch(path(id, action), body)
    : who.post(path(id, action), body)

/** An action that succeeds. Returns the order, or the record that the action makes. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
export async function doOn(who: Client, id: string, action: string, body?: object): Promise<any> {
  const response = await actOn(who, id, action, body)
  return expectStatus(response, response.status === 201 ? 201 : 200).body
}

export const delivery = { posts: [{ url: 'https://example.com/posts' }], notes: 'All ten posts.' }

/** Minor units that the transactions of an order moved to each kind of account, besides those that are empty. */
export async function moneyOfOrder({ deps }: TestApp, id: string) {
  const rows = await deps.db
    .selectFrom('ledger_transaction')
    .innerJoin('ledger_entry', 'transaction_id', 'ledger_transaction.id')
    .innerJoin('ledger_account', 'ledger_account.id', 'account_id')
    .select(['ledger_account.kind', 'amount'])
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('reference', '=', id),
        eb(
          'ledger_transaction.id',
          'in',
          selectFrom('ledger_entry as entry')
            .innerJoin('ledger_account as account', 'account.id', 'entry.account_id')
            .select('entry.transaction_id')
            .where('account.owner', '=', id),
        ),
      ]),
    )
    .execute()
  const sums: Record<string, number> = {}
  for (const { kind, amount } of rows) sums[kind] = (sums[kind] ?? 0) + Number(amount)
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

/** Minor units of `moneyOfOrder` that the seller got. */
export const earningsIn = (money: Record<string, number>) =>
  ['seller_pending', 'seller_available', 'seller_debt'].reduce((sum, kind) => sum + (money[kind] ?? 0), 0)

/** The state that the order of a test begins in. */
export type Begin = 'pending' | 'in_progress' | 'delivered' | 'disputed' | 'completed' | 'canceled'

type LoggedError = { msg: string; order_id?: string; err?: { message: string } }

/**
 * Two sides with sessions that last while the clock is advanced, and an instance admin without a workspace. `errors`:
 * those that were logged, of which a test takes out what it expects.
 */
export async function orderApp() {
  const errors: LoggedError[] = []
  const log = pino({ level: 'error' }, { write: (line) => errors.push(JSON.parse(line)) })
  const t = await testApp({}, { log })
  const buyer = await lasting(t, await withWorkspace(t))
  const seller = await lasting(t, await withWorkspace(t))
  const admin = await lasting(t, await signedIn(t, { instanceAdmin: true }))
  expectStatus(await admin.put('/api/v1/options/marketplace.revisions', { value: 1 }), 200)
  /** An order of 100 lira with one revision. */
  const orderIn = async (state: Begin, terms: object = { requirements: 'Warm colors.' }) => {
    const gig = await publishedGig(seller, { price: 100 })
    const { id } = await orderedAndPaid(admin, buyer, gig, terms)
    if (state === 'pending') return id
    await doOn(seller, id, 'accept')
    if (state === 'canceled') await doOn(seller, id, 'cancel', { reason: 'Fully booked.' })
    if (state === 'disputed') await doOn(buyer, id, 'dispute', { reason: 'Nothing came.' })
    if (state === 'delivered' || state === 'completed') await doOn(seller, id, 'deliver', delivery)
    if (state === 'completed') await doOn(buyer, id, 'complete')
    return id
  }
  const moneyOf = (id: string) => moneyOfOrder(t, id)
  const read = (who: Client, id: string) => readOrder(who, { id })
  const advance = async (ms: number) => {
    t.advance(ms)
    await runOrderTimers(t.deps)
  }
  const mails = async ({ email }: Person) => (await mailsTo(t, email)).map(({ key }) => key)
  /** The entries about an order in the audit log of a workspace, or outside of workspaces, oldest first. */
  const audited = async (who: Client, id: string) => {
    const scope = who === admin ? 'admin' : 'workspace'
    const { data } = expectStatus(await who.get(`/api/v1/${scope}/audit-log?action=order.*&limit=100`), 200).body
    type Entry = { action: string; actor: { id: string } | null; ip: string | null; details: object; target_id: string }
    return data
      .filter(({ target_id }: Entry) => target_id === id)
      .map(({ action, actor, ip, details }: Entry) => ({ action, actor: actor?.id ?? null, ip, details }))
      .toReversed()
  }
  const close = async () => {
    await closeWithLedger(t)
    expect(errors).toEqual([])
  }
  return {
    t,
    buyer,
    seller,
    admin,
    path,
    orderIn,
    moneyOf,
    read,
    advance,
    mails,
    audited,
    errors,
    close,
    act: actOn,
    does: doOn,
    delivery,
  }
}
export type OrderApp = Awaited<ReturnType<typeof orderApp>>
