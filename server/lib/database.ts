import { createHash } from 'node:crypto'
import { type Compilable, type CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './database-types.ts'

/** A connection or a transaction: what reads ask for. */
export type Db = Kysely<DB>
/** An open transaction: what `emit`, `audit` and `addJob` ask for, so that they cannot be used outside of one. */
export type Tx = Transaction<DB>

export type Database = { db: Kysely<DB>; pool: pg.Pool; close: () => Promise<void> }
export type ConnectionConfig = pg.ClientConfig

const names = new Map<string, string>()
const statementName = (sql: string) => {
  let name = names.get(sql)
  if (!name) {
    name = createHash('sha1').update(sql).digest('base64url')
    names.set(sql, name)
  }
  return name
}

/**
 * Sends every query that has parameters as a named statement, so that PostgreSQL parses and plans it once per
 * connection. Lists go in as one array parameter (`= any($1)`), never as one parameter each: every other length
 * would be another statement.
 */
class NamedStatementClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg declares query() as six overloads that cannot be repeated here
  override query(query: any, values?: any, callback?: any): any {
    if (typeof query === 'string' && Array.isArray(values) && values.length > 0)
      return super.query({ name: statementName(query), text: query, values }, callback)
    return super.query(query, values, callback)
  }
}

const pools = new WeakMap<Db, pg.Pool>()

export function createDatabase(connection: ConnectionConfig, size = 20): Database {
  const pool = new pg.Pool({
    ...connection,
    Client: NamedStatementClient,
    max: size,
    application_name: 'meydan',
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
  })
  surviveBrokenConnections(pool)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return { db, pool, close: () => db.destroy() }
}

/** A broken connection is replaced by the pool, and fails the query that it carried. Without listeners it would end the process. */
export function surviveBrokenConnections(pool: pg.Pool) {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
}

/** An id for a row whose other columns need it before it is written. */
export async function newId(db: Db) {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL made no id')
  return rows[0].id
}

/**
 * A list as PostgreSQL reads it. pg would look at each element at length, which costs a batch of hundreds more than all
 * else that is done for it here.
 */
export const arrayText = (values: readonly (string | number | boolean | null)[]) =>
  `{${values.map((value) => (typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : (value ?? 'NULL'))).join()}}`

/** Before every id, and after every one. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The least UUIDv7 of an instant. */
export const leastIdAt = (ms: number) => {
  const hex = Math.min(Math.max(ms, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Clocks may be set back a little. */
const CLOCK_SLACK_MS = 60_000

/** No row that was made at this time or later has a lesser id. Indexes are in the order of ids. */
export const leastId = (time: Date) => leastIdAt(time.getTime() - CLOCK_SLACK_MS)

const afterCommits = new WeakMap<object, Set<(db: Db) => void>>()

/**
 * Runs `callback` with the database once after this transaction has committed, and never when it rolls back. The same
 * function counts once.
 */
export function afterCommit(tx: Tx, callback: (db: Db) => void) {
  afterCommits.get(tx)?.add(callback)
}

/** Faults of the connection, not of a query: it was refused, broke, or PostgreSQL is starting or stopping. */
const connectionFaults = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]

/** Whether an error means that PostgreSQL cannot be reached just now. */
export function isUnreachable(error: unknown) {
  if (!(error instanceof Error)) return false
  if ('code' in error && connectionFaults.includes(String(error.code))) return true
  return /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/.test(
    error.message,
  )
}

/** Whether the values themselves were refused: too large, of a wrong form, against a constraint (classes 22 and 23). */
export const isOfTheData = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code)

/** Whether PostgreSQL chose this as the victim of a deadlock, so that it may be run again. */
export const isRetryable = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')

/**
 * Runs `work` in a transaction, from the start again when PostgreSQL chose it as the victim of a deadlock.
 * No call to the outside belongs in `work`. Inside of a transaction it joins that one.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (isTx(db)) return work(db)
  for (let attempt = 1; ; attempt++) {
    const callbacks = new Set<(db: Db) => void>()
    try {
      const result = await db.transaction().execute((tx) => {
        afterCommits.set(tx, callbacks)
        return work(tx)
      })
      for (const callback of callbacks) callback(db)
      return result
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error
    }
  }
}

const isTx = (db: Db): db is Tx => db.isTransaction

/** Stands for an input while a query is compiled. */
class Placeholder {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

/**
 * A query for the hot path, compiled once and run with other inputs. `build` must use each input as a value and never
 * look at it: while it runs, inputs are placeholders. Outside of a transaction it goes to the pool itself: the way
 * through Kysely to a connection and back costs a read of a post a tenth of its CPU.
 */
export function compiledOnce<Input extends object, Row>(build: (db: Db, input: Input) => Compilable<Row>) {
  let compiled: CompiledQuery<Row> | undefined
  return async (db: Db, input: Input): Promise<Row[]> => {
    compiled ??= build(db, new Proxy({} as Input, { get: (_, name) => new Placeholder(name) })).compile()
    const query = compiled
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? input[value.name as keyof Input] : value,
    )
    const pool = pools.get(db)
    const { rows } = pool
      ? await pool.query<Row & pg.QueryResultRow>(query.sql, parameters)
      : await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}
