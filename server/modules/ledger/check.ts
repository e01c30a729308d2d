import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'

export type LedgerProblem = { code: string; detail: string }
/** A rule of the ledger, or of a module whose money it keeps. Returns the records that break it. */
export type LedgerCheck = (db: Db, now: Date) => Promise<LedgerProblem[]>
/** Compares what payment providers report with what is kept here. Returns the records that differ. */
export type ProviderCheck = (deps: Deps) => Promise<LedgerProblem[]>

/** Rules of the modules whose money the ledger keeps, and what asks the providers about payments. */
export type LedgerRules = { checks: readonly LedgerCheck[]; compareProviders: ProviderCheck }

/** Maximum number of problems reported for each rule. */
const MAX_PROBLEMS = 20

/** `query` returns one text, as `detail`, for each row that breaks the rule. */
const rule =
  (code: string, query: RawBuilder<{ detail: string }>): LedgerCheck =>
  async (db) => {
    const { rows } = await sql<{ detail: string }>`${query} limit ${sql.lit(MAX_PROBLEMS)}`.execute(db)
    return rows.map(({ detail }) => ({ code, detail }))
  }

/** The currencies of the ledger have two decimals. */
const major = (minor: RawBuilder<unknown>) => sql`round(${minor} / 100.0, 2)`

const rules = [
  rule(
    'unbalanced_transaction',
    sql`select format('The entries of transaction %s sum to %s %s.', transaction_id, ${major(sql`sum(amount)`)}, currency) as detail
      from ledger_entry join ledger_account on ledger_account.id = account_id
      group by transaction_id, currency having sum(amount) <> 0`,
  ),
  rule(
    'empty_transaction',
    sql`select format('Transaction %s has no entries.', id) as detail from ledger_transaction
      where not exists (select from ledger_entry where transaction_id = ledger_transaction.id)`,
  ),
  rule(
    'wrong_balance',
    sql`select format('The balance of account %s is %s %s, and its entries sum to %s.', id, ${major(sql`balance`)}, currency,
        ${major(sql`coalesce(sum(amount), 0)`)}) as detail
      from ledger_account left join ledger_entry on account_id = id
      group by id having balance <> coalesce(sum(amount), 0)`,
  ),
  rule(
    'balance_below_bound',
    sql`select format('The balance of account %s is %s %s, below %s.', id, ${major(sql`balance`)}, currency,
        ${major(sql`min_balance`)}) as detail
      from ledger_account where balance < min_balance`,
  ),
]

const readInSnapshot = ({ db, clock }: Deps, checks: readonly LedgerCheck[]) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const problems: LedgerProblem[] = []
      for (const check of checks) problems.push(...(await check(tx, clock.now())))
      return problems
    })

/**
 * Reads the whole ledger in one snapshot, after the providers were asked.
 */
export async function checkLedger(deps: Deps, { checks, compareProviders }: LedgerRules) {
  const reported = (await compareProviders(deps)).slice(0, MAX_PROBLEMS)
  const problems = [...(await readInSnapshot(deps, [...rules, ...checks])), ...reported]
  return { ok: problems.length === 0, problems }
}
