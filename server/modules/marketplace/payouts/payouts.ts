import type { Selectable, Updateable } from 'kysely'
import type { Static } from 'typebox'
import { invalid, invalidTransition, notFound, problem } from '../../../errors.ts'
import { type Actor, audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Payout, PayoutStatus } from '../../../lib/db/database-types.ts'
import { pageOfWorkspace } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { toMajor, toMinor } from '../../../lib/money.ts'
import { type LedgerEntry, postTransaction } from '../../ledger/ledger.ts'
import { creditAvailable, heldOf, lockSeller, payoutMinimum, sellerAccount } from './balances.ts'
import { lockPayoutAccount, openDetails, sealDetails } from './payout-accounts.ts'
import type { NewPayout, PayoutQuery } from './payouts.schema.ts'

type PayoutRow = Selectable<Payout>

const recordOf = ({ amount, ...row }: PayoutRow) => ({ ...row, amount: toMajor(amount) })

const payoutsOf = (db: Db, { user_id }: Member) => db.selectFrom('payout').selectAll().where('user_id', '=', user_id)

/** Lists the payouts of the caller in the workspace, the newest first. */
export async function listPayouts(db: Db, caller: Member, { status, ...cut }: Static<typeof PayoutQuery>) {
  const rows = payoutsOf(db, caller).$if(status !== undefined, (all) => all.where('status', '=', status ?? 'pending'))
  const { data, next_cursor } = await pageOfWorkspace(rows, 'payout', caller.workspace_id, cut)
  return { data: data.map(recordOf), next_cursor }
}

const findPayout = (db: Db, caller: Member, id: string) =>
  payoutsOf(db, caller).where('workspace_id', '=', caller.workspace_id).where('id', '=', id).executeTakeFirst()

export async function readPayout(db: Db, caller: Member, id: string) {
  const row = await findPayout(db, caller, id)
  if (!row) throw notFound()
  return recordOf(row)
}

/** The account to pay to, locked, unless a payout cannot be requested now. */
async function accountToPay(tx: Tx, caller: Member, now: Date) {
  const account = await lockPayoutAccount(tx, caller)
  if (!account) throw problem('payout_account_required')
  if (account.held_until && account.held_until > now)
    throw problem('payouts_held', { detail: `Payouts can be requested from ${account.held_until.toISOString()}.` })
  return account
}

/** Requests a payout to the account of now. Requests of a seller run one after the other. */
export const requestPayout = (deps: Deps, caller: Member, { currency, amount }: Static<typeof NewPayout>) => {
  const asked = amount === undefined ? undefined : toMinor(amount, '/amount')
  return inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const minimum = await payoutMinimum(deps, currency, tx)
    if (asked !== undefined && asked < BigInt(minimum) * 100n)
      throw invalid('/amount', {
        en: `The smallest payout is ${minimum} ${currency}.`,
        tr: `En küçük ödeme ${minimum} ${currency}.`,
      })
    const account = await accountToPay(tx, caller, now)
    const owner = sellerAccount(caller)
    const { available, owed } = await lockSeller(tx, owner, currency)
    const free = available - owed - (await heldOf(tx, owner, currency))
    const paid = asked ?? free
    if (paid > free || paid < BigInt(minimum) * 100n)
      throw problem('balance_too_low', {
        detail: `${toMajor(free > 0n ? free : 0n)} ${currency} can be paid out. The smallest payout is ${minimum} ${currency}.`,
      })
    const id = await newId(tx)
    const details = openDetails(deps.keyring, 'payout_account', account)
    const { holder, iban_masked } = account
    const payout = await tx
      .insertInto('payout')
      .values({
        id,
        user_id: caller.user_id,
        workspace_id: caller.workspace_id,
        seller_account: owner,
        amount: String(paid),
        currency,
        holder,
        iban_masked,
        ...sealDetails(deps.keyring, 'payout', { id, ...details }),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(tx, caller, 'payout.requested', id, { amount: toMajor(paid), currency, iban_masked })
    await book(tx, payout, 'payout_requested', now, [
      { kind: 'seller_available', owner, amount: -paid - owed },
      { kind: 'seller_debt', owner, amount: owed },
      { kind: 'payout_clearing', owner: id, amount: paid },
    ])
    return recordOf(payout)
  })
}

type Booking = 'payout_requested' | 'payout_paid' | 'payout_failed' | 'payout_canceled'

const book = (tx: Tx, { id, currency }: PayoutRow, kind: Booking, occurred_at: Date, entries: LedgerEntry[]) =>
  postTransaction(tx, { key: `${kind}:${id}`, kind, reference: id, occurred_at, currency, entries })

const decisions = {
  paid: { from: ['pending', 'processing'], booking: 'payout_paid' },
  failed: { from: ['pending', 'processing'], booking: 'payout_failed' },
  canceled: { from: ['pending'], booking: 'payout_canceled' },
} as const satisfies Record<string, { from: PayoutStatus[]; booking: Booking }>

type Decision = {
  to: keyof typeof decisions
  actor: Actor
  user_id: string
  columns?: Pick<Updateable<Payout>, 'reference' | 'failure_reason'>
}

/** Ends a payout: its money leaves, or returns to the seller. Throws 409 with the state if it has ended. */
export async function decidePayout(tx: Tx, id: string, now: Date, { to, actor, user_id, columns = {} }: Decision) {
  const { from, booking } = decisions[to]
  const payout = await tx
    .updateTable('payout')
    .set({ status: to, ...columns, decided_by: user_id, decided_at: now, updated_at: nextUpdatedAt(now) })
    .where('id', '=', id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (!payout) {
    const row = await tx.selectFrom('payout').select('status').where('id', '=', id).executeTakeFirst()
    if (!row) throw notFound()
    throw invalidTransition(row.status, `set a payout to ${to}`)
  }
  const { currency, seller_account: owner, workspace_id } = payout
  const amount = BigInt(payout.amount)
  const details = { amount: toMajor(amount), currency, ...columns }
  await audit(tx, { ...actor, workspace_id }, `payout.${to}`, id, details)
  const given =
    to === 'paid'
      ? [{ kind: 'bank', amount } as const]
      : creditAvailable(owner, amount, (await lockSeller(tx, owner, currency)).owed)
  await book(tx, payout, booking, now, [{ kind: 'payout_clearing', owner: id, amount: -amount }, ...given])
  return payout
}

/** Takes a request back that is not about to be transferred. Canceling twice changes nothing. */
export const cancelPayout = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const row = await findPayout(tx, caller, id)
    if (!row) throw notFound()
    if (row.status === 'canceled') return recordOf(row)
    return recordOf(await decidePayout(tx, id, clock.now(), { to: 'canceled', actor: caller, user_id: caller.user_id }))
  })
