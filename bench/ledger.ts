import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createDatabase, type Db, inTransaction } from '../server/lib/db/database.ts'
import { type LedgerEntry, postTransaction } from '../server/modules/ledger/ledger.ts'
import { aim, atLeast, type Bench, type Claim, callInLoops, compareWithBaseline, type Measure } from './harness.ts'
import { withDeps } from './meydan.ts'
import { startPostgres } from './processes.ts'

const ACCOUNTS = 1000
const CONNECTIONS = 32
const START = 1_000_000_000n

/** Posts what `postTransaction` posts, for two accounts whose ids are known. */
const BARE = `create function bare_transfer(key text, reference uuid, from_id uuid, to_id uuid, moved bigint) returns void
  language plpgsql as $$
declare
  new_id uuid;
begin
  insert into ledger_transaction (idempotency_key, input_hash, kind, reference, occurred_at)
    values (key, '', 'transfer', reference, now()) returning id into new_id;
  perform from ledger_account where id in (from_id, to_id) order by id for no key update;
  with changed as (
    update ledger_account set balance = balance + case id when to_id then moved else -moved end
    where id in (from_id, to_id) returning id, balance
  )
  insert into ledger_entry (transaction_id, account_id, amount, balance_after)
    select new_id, id, case id when to_id then moved else -moved end, balance from changed;
end $$`

/** Compares transfers between accounts with a hand-written function for them, called in a transaction by a bare client. */
export const claim: Claim = {
  name: 'ledger',
  target: atLeast(0.7),
  measure: async (bench) => {
    const connection = await startPostgres()
    await withDeps(connection, ({ pool }) => pool.query(BARE))
    const { db, pool: ours, close } = createDatabase(connection, CONNECTIONS)
    const pool = new pg.Pool({ ...connection, max: CONNECTIONS })
    try {
      await createAccounts(db)
      const { rows } = await ours.query(`select id from ledger_account where kind = 'unapplied_payments'`)
      const ids = rows.map(({ id }) => String(id))
      const spread = await compare(bench, transferring(db, ACCOUNTS), transferringBare(pool, ids))
      const hot = await compare(bench, transferring(db, 1), transferring(db, ACCOUNTS))
      return [
        { ...spread, part: `${ACCOUNTS} accounts` },
        { ...hot, part: 'one account, against 1000', target: aim('none') },
      ]
    } finally {
      await pool.end()
      await close()
    }
  },
}

const compare = (bench: Bench, value: Measure, baseline: Measure) =>
  compareWithBaseline(bench, { unit: 'transactions/s', rounds: 10, seconds: 3, value, baseline })

const transfer = (from: number, to: number, amount: bigint): LedgerEntry[] => [
  { kind: 'unapplied_payments', owner: `owner-${from}`, amount: -amount },
  { kind: 'unapplied_payments', owner: `owner-${to}`, amount },
]

const post = (db: Db, entries: readonly LedgerEntry[]) =>
  inTransaction(db, (tx) =>
    postTransaction(tx, {
      ...{ key: randomUUID(), kind: 'transfer', reference: randomUUID(), occurred_at: new Date() },
      ...{ currency: 'TRY', entries },
    }),
  )

const createAccounts = (db: Db) =>
  callInLoops(
    8,
    (begun) => begun >= ACCOUNTS,
    (index) =>
      post(db, [
        { kind: 'provider_clearing', owner: 'bench', amount: -START },
        { kind: 'unapplied_payments', owner: `owner-${index}`, amount: START },
      ]),
  )

/** Two different numbers below `count`. */
function pair(count: number) {
  const from = Math.floor(Math.random() * count)
  return [from, (from + 1 + Math.floor(Math.random() * (count - 1))) % count] as const
}

/** Calls that many times a second. */
function calling(call: () => Promise<unknown>): Measure {
  return async (seconds) => {
    const start = performance.now()
    let calls = 0
    await callInLoops(
      CONNECTIONS,
      () => performance.now() - start > seconds * 1000,
      async () => {
        await call()
        calls++
      },
    )
    return calls / ((performance.now() - start) / 1000)
  }
}

/** Transfers between accounts. With one account, all transfers take from it. */
const transferring = (db: Db, count: number) =>
  calling(() => {
    const [from, to] = count === 1 ? [0, 1 + Math.floor(Math.random() * (ACCOUNTS - 1))] : pair(count)
    return post(db, transfer(from, to, 1n))
  })

const transferringBare = (pool: pg.Pool, ids: readonly string[]) =>
  calling(async () => {
    const [from, to] = pair(ids.length)
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query({
        name: 'transfer',
        text: 'select bare_transfer($1, $2, $3, $4, $5)',
        values: [randomUUID(), randomUUID(), ids[from], ids[to], 1],
      })
      await client.query('commit')
    } finally {
      client.release()
    }
  })
