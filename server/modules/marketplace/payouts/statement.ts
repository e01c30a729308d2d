import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { csvTable, csvText } from '../../../lib/csv.ts'
import { type Db, FIRST_ID, LAST_ID, uuidAt } from '../../../lib/db/database.ts'
import type { Currency } from '../../../lib/db/database-types.ts'
import { type IndexRange, isInRange, orderOfRange } from '../../../lib/db/index-range.ts'
import { cutPage, idOfCursor } from '../../../lib/db/page.ts'
import type { Member } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import { sellerAccount, sellerKinds } from './balances.ts'
import type { StatementExportQuery, StatementLineRecord, StatementQuery } from './payouts.schema.ts'

/** Entries of each account that one query reads, for a page and for an export. */
const [PAGE_ENTRIES, EXPORT_ENTRIES] = [100, 1000]
/** Time by which the clocks of PostgreSQL and of a node may differ. */
const CLOCKS_MS = DAY

type Period = Pick<Static<typeof StatementExportQuery>, 'from' | 'to'>
/** The transactions between two ids, in the order in which they are read. `low` is included when the newest come first. */
type Range = { low: string; high: string; direction: IndexRange['direction'] }
/** A transaction that changed what a seller has. Minor units. */
type Movement = { id: string; amount: bigint; balance_after: bigint }

/**
 * The part of the ledger with a period. It begins by the time of ids, and ends with the last transaction of the period:
 * ids may be newer than what they are of, after the clock of PostgreSQL was set back.
 */
async function rangeOf(
  db: Db,
  caller: Member,
  { currency, from, to }: Static<typeof StatementExportQuery>,
  direction: Range['direction'],
): Promise<Range> {
  const low = from === undefined ? FIRST_ID : uuidAt(Date.parse(from) - CLOCKS_MS)
  if (to === undefined) return { low, high: LAST_ID, direction }
  const { rows } = await sql<{ id: string }>`
    select last.id from ledger_account as account cross join lateral (
      select transaction_id as id from ledger_entry join ledger_transaction on ledger_transaction.id = transaction_id
      where account_id = account.id and occurred_at < ${new Date(to)} order by transaction_id desc limit 1
    ) as last
    where owner = ${sellerAccount(caller)} and currency = ${currency} and kind = any(${sellerKinds}::ledger_account_kind[])
    order by last.id desc limit 1`.execute(db)
  return { low, high: rows[0] ? idAfter(rows[0].id) : FIRST_ID, direction }
}

const idAfter = (id: string) =>
  (BigInt(`0x${id.replaceAll('-', '')}`) + 1n)
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const ofAccount = ({ low, high, direction }: Range): IndexRange => ({
  columns: ['entry.account_id', 'entry.transaction_id'],
  low: [sql`account.id`, low],
  high: [sql`account.id`, high],
  direction,
})

/**
 * Reads the entries of each account of a seller at the beginning of a range, and its balance there: the ids of an
 * account's entries are in the order of its balances.
 */
async function readEntries(db: Db, caller: Member, currency: Currency, range: Range, size: number) {
  const entries = ofAccount(range)
  const bound = range.direction === 'desc' ? range.high : range.low
  const before = ofAccount({ ...range, low: FIRST_ID, high: bound })
  const { rows } = await sql<{ balance: string; entries: { id: string; amount: string }[] }>`
    select coalesce((
      select balance_after from ledger_entry as entry where ${isInRange(before)}
      order by ${orderOfRange({ ...before, direction: 'desc' })} limit 1
    ), 0)::text as balance, array(
      select json_build_object('id', transaction_id, 'amount', amount::text) from ledger_entry as entry
      where ${isInRange(entries)} order by ${orderOfRange(entries)} limit ${sql.lit(size)}
    ) as entries
    from ledger_account as account
    where owner = ${sellerAccount(caller)} and currency = ${currency} and kind = any(${sellerKinds}::ledger_account_kind[])`.execute(
    db,
  )
  return rows
}

/**
 * Reads the movements at the beginning of a range: pending, available and owed together. The clearance moves money within
 * that, so it is left out. `end`: more may follow after this id.
 */
async function readMovements(db: Db, caller: Member, currency: Currency, range: Range, size: number) {
  const accounts = await readEntries(db, caller, currency, range, size)
  const isNewestFirst = range.direction === 'desc'
  const inOrder = (a: string, b: string) => (a < b === isNewestFirst ? 1 : -1)
  // Other accounts may have been read further.
  const [end] = accounts
    .flatMap(({ entries }) => (entries.length < size ? [] : (entries.at(-1)?.id ?? [])))
    .sort(inOrder)
  const amounts = new Map<string, bigint>()
  for (const { id, amount } of accounts.flatMap(({ entries }) => entries))
    if (end === undefined || id === end || inOrder(id, end) < 0)
      amounts.set(id, (amounts.get(id) ?? 0n) + BigInt(amount))
  let balance = accounts.reduce((sum, account) => sum + BigInt(account.balance), 0n)
  const movements: Movement[] = []
  for (const id of [...amounts.keys()].sort(inOrder)) {
    const amount = amounts.get(id) ?? 0n
    const after = isNewestFirst ? balance : balance + amount
    balance = isNewestFirst ? balance - amount : after
    if (amount !== 0n) movements.push({ id, amount, balance_after: after })
  }
  return { movements, end }
}

/** Selects what the transactions of a period were about. */
const selectCauses = (db: Db, ids: string[], { from, to }: Period) =>
  db
    .selectFrom('ledger_transaction')
    .leftJoin('gig_order', 'gig_order.id', 'ledger_transaction.reference')
    .leftJoin('payout', 'payout.id', 'ledger_transaction.reference')
    .select(['ledger_transaction.id', 'occurred_at', 'ledger_transaction.kind'])
    .select(['gig_order.id as order_id', 'gig_order.title', 'payout.id as payout_id'])
    .select(({ selectFrom }) =>
      selectFrom('ledger_entry')
        .innerJoin('ledger_account', 'ledger_account.id', 'account_id')
        .select('ledger_entry.amount')
        .whereRef('ledger_entry.transaction_id', '=', 'ledger_transaction.id')
        .where('ledger_account.kind', '=', 'platform_fee')
        .as('fee'),
    )
    .where(sql<SqlBool>`ledger_transaction.id = any(${ids}::uuid[])`)
    .$if(from !== undefined, (all) => all.where('occurred_at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (all) => all.where('occurred_at', '<', new Date(to ?? 0)))

const types: Record<string, StatementLineRecord['type']> = {
  order_closed: 'earning',
  payout_requested: 'payout',
  payout_failed: 'payout_returned',
  payout_canceled: 'payout_returned',
}

async function readLines(db: Db, movements: readonly Movement[], period: Period): Promise<StatementLineRecord[]> {
  if (movements.length === 0) return []
  const ids = movements.map(({ id }) => id)
  const causes = new Map((await selectCauses(db, ids, period).execute()).map((row) => [row.id, row]))
  return movements.flatMap(({ id, amount, balance_after }) => {
    const cause = causes.get(id)
    if (!cause) return []
    const { kind, fee, ...rest } = cause
    return {
      ...rest,
      type: types[kind] ?? 'refund',
      gross: toMajor(amount + BigInt(fee ?? 0)),
      fee: toMajor(fee ?? 0n),
      amount: toMajor(amount),
      balance_after: toMajor(balance_after),
    }
  })
}

/** Reads the lines of a range in batches. */
async function* linesIn(
  db: Db,
  caller: Member,
  { currency, ...period }: Static<typeof StatementExportQuery>,
  { range, size }: { range: Range; size: number },
) {
  for (let rest = range; ; ) {
    const { movements, end } = await readMovements(db, caller, currency, rest, size)
    yield await readLines(db, movements, period)
    if (end === undefined) return
    rest = { ...rest, [range.direction === 'desc' ? 'high' : 'low']: end }
  }
}

/** Lists what changed the balance of the caller, the newest first. */
export async function listStatement(
  db: Db,
  caller: Member,
  { limit = 25, cursor, ...filter }: Static<typeof StatementQuery>,
) {
  const range = await rangeOf(db, caller, filter, 'desc')
  const after = cursor === undefined ? LAST_ID : idOfCursor(cursor)
  const rest = after < range.high ? { ...range, high: after } : range
  const lines: StatementLineRecord[] = []
  for await (const some of linesIn(db, caller, filter, { range: rest, size: PAGE_ENTRIES })) {
    lines.push(...some)
    if (lines.length > limit) break
  }
  return cutPage(lines, limit, ({ id }) => [id])
}

const statementTable = csvTable<StatementLineRecord>({
  id: ({ id }) => id,
  occurred_at: ({ occurred_at }) => occurred_at.toISOString(),
  type: ({ type }) => type,
  order_id: ({ order_id }) => order_id,
  title: ({ title }) => csvText(title),
  payout_id: ({ payout_id }) => payout_id,
  gross: ({ gross }, { money }) => money(gross),
  fee: ({ fee }, { money }) => money(fee),
  amount: ({ amount }, { money }) => money(amount),
  balance_after: ({ balance_after }, { money }) => money(balance_after),
})

/** The statement as CSV, the oldest first. It is read in batches while it is sent. */
export async function* exportStatement(
  db: Db,
  caller: Member,
  { separator, ...filter }: Static<typeof StatementExportQuery>,
) {
  const table = statementTable(separator)
  yield table.header
  const batches = linesIn(db, caller, filter, {
    range: await rangeOf(db, caller, filter, 'asc'),
    size: EXPORT_ENTRIES,
  })
  for await (const lines of batches) yield table.lines(lines)
}
