import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { ConnectionConfig, Db } from '../lib/db/database.ts'
import type { DB } from '../lib/db/database-types.ts'
import { unusableDatabase } from '../lib/db/migrate.ts'

/** A table whose rows a backup holds. Those of all its partitions are copied with it. */
export type CopiedTable = { schema: string; name: string; columns: string[] }

/** The name of a table in a manifest. */
export const fullName = ({ schema, name }: CopiedTable) => `${schema}.${name}`

type Sequence = { schema: string; name: string; value: string; is_called: boolean }

/** The tables and sequences of a backup, in the order of their content. */
export type DatabaseCopy = { tables: CopiedTable[]; sequences: Sequence[] }

/**
 * Tables that each installation writes for itself: what was migrated, which nodes run, and which backups it made. One
 * that was restored must not remove those of the original.
 */
const OWN_TABLES = ['public.migration', 'graphile_worker.migrations', 'public.worker_node', 'public.backup']

export const quotedName = ({ schema, name }: { schema: string; name: string }) =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`

/** Opens a connection without the limits of time that requests have. */
export async function connectWithoutLimits(connection: ConnectionConfig) {
  const client = new pg.Client({ ...connection, keepAlive: true, application_name: 'meydan-backup' })
  client.on('error', () => undefined)
  await client.connect().catch((error) => {
    throw unusableDatabase(error)
  })
  await client.query(
    'set statement_timeout = 0; set lock_timeout = 0; set transaction_timeout = 0; set idle_in_transaction_session_timeout = 0',
  )
  return client
}

/** The typed queries of a connection that also copies rows. */
export const oneConnection = (client: pg.Client): Db => {
  const connection = Object.assign(client, { release: () => undefined })
  const pool = { options: {}, connect: async () => connection, end: async () => undefined }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/** Lists what a backup holds, as of the transaction of `client`. */
export async function describeDatabase(client: pg.Client): Promise<DatabaseCopy> {
  const { rows } = await client.query<CopiedTable>(`
    select namespace.nspname as schema, class.relname as name,
      array(select attname::text from pg_attribute
        where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
    from pg_class class join pg_namespace namespace on namespace.oid = class.relnamespace
    where class.relkind in ('r', 'p') and not class.relispartition and class.relpersistence = 'p'
      and namespace.nspname in ('public', 'graphile_worker')
    order by 1, 2`)
  const tables = rows.filter((table) => !OWN_TABLES.includes(fullName(table)))
  const { rows: names } = await client.query<{ schema: string; name: string }>(
    `select schemaname as schema, sequencename as name from pg_sequences
     where schemaname in ('public', 'graphile_worker') order by 1, 2`,
  )
  const sequences: Sequence[] = []
  for (const sequence of names) {
    const { rows: states } = await client.query<Pick<Sequence, 'value' | 'is_called'>>(
      `select last_value::text as value, is_called from ${quotedName(sequence)}`,
    )
    for (const state of states) sequences.push({ ...sequence, ...state })
  }
  return { tables, sequences }
}

export const columnsOf = ({ columns }: CopiedTable) => columns.map((column) => pg.escapeIdentifier(column)).join(', ')

export const allRows = (table: CopiedTable) => `select ${columnsOf(table)} from ${quotedName(table)}`

/** Reads the rows of a query in the text format of COPY. `rows` is known when the stream has ended. */
export function readRows(client: pg.Client, query: string) {
  const stream = client.query(copyTo(`copy (${query}) to stdout`))
  return { stream, rows: () => stream.rowCount }
}

/** Writes rows in the text format of COPY into a table. Returns their number. */
export async function writeTable(client: pg.Client, table: CopiedTable, content: AsyncIterable<Buffer>) {
  const stream = client.query(copyFrom(`copy ${quotedName(table)} (${columnsOf(table)}) from stdin`))
  // Ends the COPY with an error when the content does, so that the connection can go on.
  await pipeline(content, stream)
  return stream.rowCount
}

/**
 * Empties a migrated database, calls `load`, and sets its sequences: in the transaction of `client`. Foreign keys are
 * dropped meanwhile and added again at the end, which checks every row. The owner of the tables may do that, while
 * `session_replication_role` needs a superuser.
 */
export async function replaceContent(
  client: pg.Client,
  { tables, sequences }: DatabaseCopy,
  load: () => Promise<void>,
) {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0
      and connamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)

  const names = tables.map(quotedName)
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  await client.query(`truncate ${names.join(', ')}`)
  await load()
  for (const name of names) await client.query(`alter table ${name} enable trigger user`)
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  for (const { value, is_called, ...sequence } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [quotedName(sequence), value, is_called])
}

/** Cuts a stream into buffers of about `size` bytes. */
export async function* inParts(stream: Readable, size: number) {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    parts.push(chunk)
    length += chunk.length
    if (length < size) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(parts)
}
