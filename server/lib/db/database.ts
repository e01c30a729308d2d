import { createHash } from 'node:crypto'
import { type CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { MINUTE } from '../../../shared/time.ts'
import { codeOf } from '../error-code.ts'
import type { DB } from './database-types.ts'

/** A connection or a transaction: enough for reads. */
export type Db = Kysely<DB>
/** An open transaction. `emit`, `audit` and `addJob` require one, so that they cannot be used outside of one. */
export type Tx = Transaction<DB>

export type Database = {
  /** For connections of another kind than those of the pool. */
  connection: ConnectionConfig
  db: Kysely<DB>
  pool: pg.Pool
  /** Destroys the connections that were opened before this time (of `performance.now`), because they no longer respond. */
  destroyOlderThan: (time: number) => void
  close: () => Promise<void>
}
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

/** The time for which a statement keeps its first plan. */
const FIRST_PLAN_MS = 1000

/** A named statement of a connection, with the times at which it was prepared first and last. */
type Statement = { name: string; first: number; last: number; renewals: number }

/** `renewsPlans`: not through PgBouncer, which shares prepared statements between connections. */
type ClientConfig = pg.ClientConfig & { renewsPlans?: boolean }

/**
 * Sends every query that has parameters as a named statement, so that PostgreSQL parses and plans it once per
 * connection. Pass a list as one array parameter (`= any($1)`), never as one parameter each: every other length
 * would be another statement.
 */
class NamedStatementClient extends pg.Client {
  declare connection: pg.Connection & { parsedStatements: Record<string, string> }
  readonly openedAt = performance.now()
  private readonly statements = new Map<string, Statement>()
  private readonly renewsPlans: boolean
  private isInTransaction = false
  /** The time at which a query last failed because a migration had changed its columns: of all connections. */
  private static columnsChangedAt = Number.NEGATIVE_INFINITY

  constructor(config: ClientConfig = {}) {
    super(config)
    this.renewsPlans = config.renewsPlans ?? false
  }

  /**
   * The name under which a statement is prepared. A plan suits the sizes that tables had when it was made, and
   * PostgreSQL makes another only after ANALYZE: in a new installation, lists read whole tables that had been small. So
   * a statement that has become twice as old is prepared again.
   */
  private nameOf(text: string) {
    const now = performance.now()
    const known = this.statements.get(text)
    if (!known) {
      const name = statementName(text)
      this.statements.set(text, { name, first: now, last: now, renewals: 0 })
      return name
    }
    const isOld = now - known.last > Math.max(FIRST_PLAN_MS, known.last - known.first)
    if (this.renewsPlans && (isOld || known.last <= NamedStatementClient.columnsChangedAt)) {
      const { connection } = this
      // A query that waits to be sent prepares the old name again, instead of failing.
      delete connection.parsedStatements[known.name]
      connection.close({ type: 'S', name: known.name }, true)
      known.last = now
      known.renewals++
      known.name = `${statementName(text)}.${known.renewals}`
    }
    return known.name
  }

  /** Destroys the socket: the running query fails, and the pool replaces this client. */
  destroy() {
    this.connection.stream.destroy()
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares query() as six overloads that cannot be repeated here
  override query(query: any, values?: any, callback?: any): any {
    if (query === 'begin' && !callback) return this.begin()
    if (typeof query === 'string' && Array.isArray(values) && values.length > 0)
      return this.queryNamed(query, values, callback)
    if (isEnd(query)) this.isInTransaction = false
    if (isBegin(query)) this.isInTransaction = true
    return this.watch(super.query(query, values, callback))
  }

  /** Outside of a transaction, a query whose columns a migration changed is prepared and sent again. */
  // biome-ignore lint/suspicious/noExplicitAny: as in query()
  private queryNamed(text: string, values: unknown[], callback?: any): any {
    const mayRepeat = this.renewsPlans && !this.isInTransaction
    const send = () => super.query({ name: this.nameOf(text), text, values })
    const result = this.watch(send()).catch((error) => {
      if (!areColumnsChanged(error)) throw error
      NamedStatementClient.columnsChangedAt = performance.now()
      if (!mayRepeat) throw error
      return this.watch(send())
    })
    if (!callback) return result
    result.then((found) => callback(null, found), callback)
  }

  private watch<Result>(result: Result): Result {
    // Without this the pool would reuse the connection: later queries would wait behind the one without a response, or go to a
    // server that is no longer the primary.
    if (result instanceof Promise)
      result.catch((error) => (isReadTimeout(error) || isReadOnly(error) ? this.end() : undefined))
    return result
  }

  /**
   * Sends `begin` in one packet with the query that follows, without waiting for its response: it only fails with its
   * connection, and then that query fails too.
   */
  private async begin() {
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    super.query('begin').catch(() => undefined)
    this.isInTransaction = true
    return { command: 'BEGIN', rowCount: null, rows: [] }
  }
}

/** Whether a query failed because no response came within `query_timeout`. */
export const isReadTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** Whether a write failed because the server is a standby, or a primary that was demoted. */
const isReadOnly = (error: unknown) => codeOf(error) === '25006'

/** Whether a named statement returns other columns than when it was prepared: `select *` after a migration. */
const areColumnsChanged = (error: unknown) =>
  codeOf(error) === '0A000' && error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery'

const isBegin = (query: unknown) => typeof query === 'string' && /^(?:begin|start transaction)\b/i.test(query)
const isEnd = (query: unknown) => typeof query === 'string' && /^(?:commit|rollback(?! to))\b/i.test(query)

const pools = new WeakMap<Db, pg.Pool>()

/** Limits of PostgreSQL for each session, in milliseconds. */
export const sessionLimits = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 }

/**
 * Every list has an index in its order. Before a table has statistics, PostgreSQL otherwise reads all rows of a workspace
 * from an index that begins with the same column, and sorts them.
 */
const PLANNING = '-c enable_incremental_sort=off'

/** `pooled`: the connections lead to PgBouncer, which refuses settings at their start. The role must have the limits. */
export function createDatabase(connection: ConnectionConfig, size = 20, { pooled = false } = {}): Database {
  const pool = new pg.Pool({
    keepAlive: true,
    pipeline: true,
    // Longer than statement_timeout, which a server that disappeared cannot enforce.
    query_timeout: 35_000,
    ...connection,
    Client: NamedStatementClient,
    max: size,
    application_name: 'meydan',
    connectionTimeoutMillis: 10_000,
    ...(!pooled && {
      ...sessionLimits,
      options: [connection.options, PLANNING].filter(Boolean).join(' '),
      renewsPlans: true,
    }),
  })
  surviveBrokenConnections(pool)
  const clients = new Set<NamedStatementClient>()
  pool.on('connect', (client) => client instanceof NamedStatementClient && clients.add(client))
  pool.on('remove', (client) => client instanceof NamedStatementClient && clients.delete(client))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return {
    connection,
    db,
    pool,
    destroyOlderThan: (time) => {
      for (const client of clients) if (client.openedAt < time) client.destroy()
    },
    close: () => db.destroy(),
  }
}

/** Handles errors of broken connections, which would otherwise end the process. The pool replaces the connection. */
export function surviveBrokenConnections(pool: pg.Pool) {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
}

/** An id for a row whose other columns need it before it is written. */
export async function newId(db: Db) {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL returned no id')
  return rows[0].id
}

/**
 * Time of a change. Always later than the last one, even within one millisecond, so that clients can tell which of two
 * copies is newer.
 */
export const nextUpdatedAt = (now: Date) => sql<Date>`greatest(updated_at + interval '1 ms', ${now}::timestamptz)`

/** The lowest id and the highest one. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The smallest UUIDv7 of an instant. */
export const uuidAt = (ms: number) => {
  const hex = Math.min(Math.max(ms, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Milliseconds by which a clock may be set back. */
const CLOCK_SLACK_MS = MINUTE

/** A lower bound for the ids of rows created at `time` or later. Indexes are in the order of ids. */
export const minIdAt = (time: Date) => uuidAt(time.getTime() - CLOCK_SLACK_MS)

const afterCommits = new WeakMap<object, Set<(db: Db) => void>>()

/**
 * Runs `callback` with the database once after this transaction has committed, and never when it rolls back. Adding
 * the same function twice runs it once.
 */
export function afterCommit(tx: Tx, callback: (db: Db) => void) {
  afterCommits.get(tx)?.add(callback)
}

/**
 * Error codes of the connection, not of a query: it was refused, broke, leads to no primary, PostgreSQL is starting or
 * stopping, or this machine has no file descriptor for it.
 */
const connectionFaults = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EMFILE',
  'ENFILE',
  '25006',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]

/** Whether an error means that PostgreSQL cannot currently be reached. */
export function isUnreachable(error: unknown) {
  if (!(error instanceof Error)) return false
  if (connectionFaults.includes(codeOf(error))) return true
  return /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout|timeout expired)/.test(
    error.message,
  )
}

/** Whether PostgreSQL could not write because its disk is full. Reads still work. */
export const isDiskFull = (error: unknown) => codeOf(error) === '53100'

/** Whether PostgreSQL canceled a statement that took longer than `statement_timeout`, as when it waits for a lock. */
export const isTooSlow = (error: unknown) => codeOf(error) === '57014'

/** Whether PostgreSQL rejected the values: too large, malformed, or against a constraint (classes 22 and 23). */
export const isDataError = (error: unknown) => /^2[23]/.test(codeOf(error))

/** Whether PostgreSQL aborted a statement because of a deadlock or a serialization failure. */
export const isDeadlock = (error: unknown) => ['40001', '40P01'].includes(codeOf(error))

const MAX_TRIES = 3

/** Runs `work`, and retries it after a deadlock, a serialization failure or a migration: three attempts at most. */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (attempt === MAX_TRIES || !(isDeadlock(error) || areColumnsChanged(error))) throw error
    }
}

/**
 * Runs `work` in a transaction, and again from the start after a deadlock. Inside a transaction, `work` joins it.
 * `work` must not call external services.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (isTx(db)) return work(db)
  return retryOnDeadlock(async () => {
    const callbacks = new Set<(db: Db) => void>()
    const result = await db.transaction().execute((tx) => {
      afterCommits.set(tx, callbacks)
      return work(tx)
    })
    for (const callback of callbacks) callback(db)
    return result
  })
}

const isTx = (db: Db): db is Tx => db.isTransaction

/** Represents an input while a query is compiled. */
class Placeholder {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** A query of Kysely, or one written as text. */
type Query<Row> = { compile: (db: Db) => CompiledQuery<Row> }

/**
 * Compiles a query of the hot path once and runs it with different inputs. `build` must use each input as a value and
 * never inspect it: during `build`, inputs are placeholders. Outside of a transaction the query goes directly to the
 * pool: going through Kysely would add a tenth to the CPU time of reading a post.
 */
export function prepared<Input extends object, Row>(build: (db: Db, input: Input) => Query<Row>) {
  let compiled: CompiledQuery<Row> | undefined
  return async (db: Db, input: Input): Promise<Row[]> => {
    compiled ??= build(db, new Proxy({} as Input, { get: (_, name) => new Placeholder(name) })).compile(db)
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

/** Warns when sessions have no time limits. Through PgBouncer, only the role can have them. */
export async function checkTimeLimits(pool: pg.Pool, log: Logger) {
  const { rows } = await pool.query<{ limited: boolean }>(
    `select current_setting('statement_timeout') <> '0'
      and current_setting('idle_in_transaction_session_timeout') <> '0' as limited`,
  )
  if (!rows[0]?.limited)
    log.warn(
      "the role in DATABASE_URL has no time limits: run `alter role … set statement_timeout = '30s'` and `alter role … set idle_in_transaction_session_timeout = '60s'`",
    )
}
