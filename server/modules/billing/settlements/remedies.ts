import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { LedgerAccountKind } from '../../../lib/db/database-types.ts'
import { locks } from '../../../lib/db/locks.ts'
import { page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { moneyText, toMajor, toMinor } from '../../../lib/money.ts'
import { postTransaction } from '../../ledger/ledger.ts'
import { ledgerCurrency } from './book-lines.ts'
import { type Difference, type DifferenceCode, listDifferences } from './differences.ts'
import { detailOf } from './settlement-checks.ts'
import type { NewRemedy, Remedy, RemedyQuery } from './settlements.schema.ts'

/** Differences that are listed. */
const MAX_DIFFERENCES = 200

/** The account that a difference can be booked from. Those that are missing can only be explained. */
const sources: Partial<Record<DifferenceCode, LedgerAccountKind>> = {
  payment_not_settled: 'provider_clearing',
  settlement_unknown: 'provider_clearing',
  settlement_differs: 'provider_clearing',
  settlement_suspense: 'suspense',
  balance_differs: 'provider_balance',
}

/** Lists the differences that wait for a remedy, the newest first. */
export async function readDifferences(db: Db, now: Date) {
  const rows = await listDifferences(db, { now, limit: MAX_DIFFERENCES + 1 })
  const data = rows.slice(0, MAX_DIFFERENCES).map((difference) => ({
    ...difference,
    amount: toMajor(difference.amount, difference.currency),
    here: toMajor(difference.here, difference.currency),
    there: toMajor(difference.there, difference.currency),
    detail: detailOf(difference),
    bookable: sources[difference.code] !== undefined && ledgerCurrency(difference.currency) !== undefined,
  }))
  return { data, has_more: rows.length > MAX_DIFFERENCES }
}

const signedMinor = (amount: number, currency: string) =>
  (amount < 0 ? -1n : 1n) * toMinor(Math.abs(amount), '/amount', currency)

/** Books a difference to another account, or keeps why there is one. The amount must be the one that was shown. */
export const remedyDifference = (deps: Deps, caller: User, input: Static<typeof NewRemedy>) =>
  inTransaction(deps.db, async (tx) => {
    const { provider, code, subject, currency, account = null, note } = input
    const now = deps.clock.now()
    // The second of two remedies for one difference finds that it is gone.
    await sql`select pg_advisory_xact_lock(${locks.settlementRemedy}, hashtext(${`${provider} ${subject}`}))`.execute(
      tx,
    )
    const amount = signedMinor(input.amount, currency)
    const found = await listDifferences(tx, { now, limit: MAX_DIFFERENCES, only: { provider, subject } })
    const difference = found.find((one) => one.code === code && one.currency === currency)
    if (!difference || BigInt(difference.amount) !== amount)
      throw problem('difference_changed', {
        detail: difference
          ? `It is ${moneyText(difference.amount, currency)} now. Load the differences again.`
          : 'It was booked or explained, or the provider reported more since. Load the differences again.',
      })
    const source = account === null ? null : sourceOf(code, currency)
    const id = await newId(tx)
    const record = { provider, code, subject, currency, amount: String(amount), account, note }
    await tx
      .insertInto('settlement_remedy')
      .values({ ...record, id, source, created_by: caller.user_id, created_at: now })
      .execute()
    await audit(tx, caller, account ? 'ledger.difference_booked' : 'ledger.difference_explained', id, record)
    const booked = ledgerCurrency(currency)
    if (account && source && booked) {
      if (source === 'provider_balance') await takeOffBalance(tx, record)
      await postTransaction(tx, {
        key: `settlement_remedy:${id}`,
        kind: 'settlement_difference',
        reference: id,
        occurred_at: now,
        currency: booked,
        entries: [
          { kind: source, owner: provider, amount },
          { kind: account, owner: provider, amount: -amount },
        ],
      })
    }
    return { ...record, id, amount: toMajor(amount, currency), created_by: caller.user_id, created_at: now }
  })

/** The balance of the ledger was read before this booking. */
const takeOffBalance = (tx: Tx, { provider, currency, amount }: Pick<Difference, 'provider' | 'currency' | 'amount'>) =>
  sql`update settlement_reading
    set balances = jsonb_set(balances, array[${currency}, 'booked'],
      to_jsonb(((balances -> ${currency} ->> 'booked')::bigint - ${amount}::bigint)::text))
    where provider = ${provider}::billing_provider`.execute(tx)

function sourceOf(code: DifferenceCode, currency: string) {
  const source = sources[code]
  if (source && ledgerCurrency(currency)) return source
  throw invalid('/account', 'This difference can only be explained. Leave the account out.')
}

/** Lists what was done about differences, the newest first. */
export async function listRemedies(db: Db, query: Static<typeof RemedyQuery>) {
  const rows = db
    .selectFrom('settlement_remedy')
    .select(['id', 'provider', 'code', 'subject', 'currency', 'amount', 'account', 'note', 'created_by', 'created_at'])
    .$narrowType<Pick<Static<typeof Remedy>, 'code' | 'account'>>()
  const { data, next_cursor } = await page(rows, 'id', query)
  return { data: data.map((remedy) => ({ ...remedy, amount: toMajor(remedy.amount, remedy.currency) })), next_cursor }
}
