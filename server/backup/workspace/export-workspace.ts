import { sql } from 'kysely'
import pg from 'pg'
import { SECOND } from '../../../shared/time.ts'
import { type Keyring, seal, unseal } from '../../lib/crypto/crypto.ts'
import type { SealedColumn } from '../../lib/crypto/re-encrypt.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import { StartError } from '../../lib/runtime/start-error.ts'
import { writeSnapshot } from '../backup.ts'
import { type CopiedTable, columnsOf, connectWithoutLimits, oneConnection, quotedName } from '../database-copy.ts'
import type { BackupFile } from '../targets/target.ts'
import { verifyBackup } from '../verify.ts'
import { countMedia, filesOfSnapshot, type Source } from '../write-archive.ts'
import { newTransferKey } from './transfer-key.ts'
import { type MovedTable, movedTables, readCatalog } from './workspace-tables.ts'

const TRAFFIC_MS = 30 * SECOND

/** Values that are resealed with one query. */
const BATCH = 500

type ExportSource = Source & {
  keyring: Keyring
  sealedColumns: SealedColumn[]
}

/** The members, by whose addresses their accounts are found in another installation. */
export const people: CopiedTable = {
  schema: 'public',
  name: 'user',
  columns: ['id', 'email', 'name', 'locale', 'timezone'],
}

/**
 * Writes one workspace from one snapshot, with its files, and reads the file back. Returns its content, and how many
 * sealed values could not be opened.
 */
export async function exportWorkspace(file: BackupFile, workspace_id: string, source: ExportSource) {
  let unreadable = 0
  const written = await writeSnapshot(file, source, async (client) => {
    const tables = movedTables(await readCatalog(client), workspace_id)
    const key = newTransferKey()
    unreadable = await resealInto(client, tables, source, key)
    const queryOf = (table: CopiedTable) => rowsOf(table, tables, source.sealedColumns)
    return {
      copy: {
        tables: [people, ...tables.map(({ schema, name, columns }) => ({ schema, name, columns }))],
        sequences: [],
      },
      secret: key.text,
      queryOf,
      files: () => filesOfSnapshot(client, source.storage.list(workspace_id)),
      media: await countMedia(client, `workspace_id = ${pg.escapeLiteral(workspace_id)}`),
      rowBytes: await sizeOfRows(client, tables),
      workspace: workspace_id,
    }
  })
  await verifyBackup(file, source).catch(async (error) => {
    await file.remove()
    throw error
  })
  return { ...written, unreadable }
}

/**
 * The same, and closes the workspace in one step with it. `close` begins before the snapshot, and what it locks stays
 * locked until the file was read back: nothing is published here that the file still has as scheduled. The snapshot does
 * not see what `close` changes. If the export or the commit fails, the workspace is as it was, and there is no file.
 */
export async function exportAndClose(
  file: BackupFile,
  workspace_id: string,
  source: ExportSource,
  close: (tx: Tx) => Promise<unknown>,
) {
  const client = await connectWithoutLimits(source.connection)
  // A connection without traffic is closed by many networks.
  const traffic = setInterval(() => client.query('select').catch(() => undefined), TRAFFIC_MS)
  let isCommitting = false
  try {
    return await inTransaction(oneConnection(client), async (tx) => {
      await close(tx)
      const written = await exportWorkspace(file, workspace_id, source)
      isCommitting = true
      return written
    })
  } catch (error) {
    // The response to the commit may have been lost.
    if (isCommitting && !(await isClosed(source, workspace_id))) await file.remove()
    throw error
  } finally {
    clearInterval(traffic)
    await client.end()
  }
}

async function isClosed({ connection }: ExportSource, workspace_id: string) {
  const client = await connectWithoutLimits(connection)
  try {
    const { rowCount } = await client.query('select from workspace where id = $1 and deleted_at is null', [
      workspace_id,
    ])
    return rowCount === 0
  } finally {
    await client.end()
  }
}

/** Finds a workspace by its id or slug. */
export async function findWorkspace(db: Db, name: string) {
  const workspace = await db
    .selectFrom('workspace')
    .select(['id', 'name', 'deleted_at'])
    .where((where) => where.or([where(sql`id::text`, '=', name.toLowerCase()), where('slug', '=', name)]))
    .executeTakeFirst()
  if (!workspace) throw new StartError(`There is no workspace with the id or slug ${name}.`)
  if (workspace.deleted_at) throw new StartError(`${workspace.name} was deleted. Restore it first.`)
  return workspace
}

/** The query for the rows of a table, with sealed values as `resealInto` has sealed them again. */
function rowsOf(table: CopiedTable, tables: MovedTable[], sealedColumns: SealedColumn[]) {
  if (table === people) {
    const members = tables.find(({ name }) => name === 'workspace_member')
    if (!members) throw new Error('Members do not move')
    return `select ${columnsOf(people)} from ${quotedName(people)}
      where id in (select user_id from ${quotedName(members)} where ${members.condition})`
  }
  const moved = tables.find(({ name }) => name === table.name)
  if (!moved) throw new Error(`${table.name} does not move`)
  const columns = moved.columns.map((column) => {
    const name = pg.escapeIdentifier(column)
    const isSealed = sealedColumns.some(([of, sealed]) => of === moved.name && sealed === column)
    return isSealed
      ? `coalesce((select sealed from resealed where context = ${contextSql(moved, column)}), ${name})`
      : name
  })
  return `select ${columns.join(', ')} from ${quotedName(moved)} where ${moved.condition}`
}

const contextSql = ({ name }: CopiedTable, column: string) =>
  `${pg.escapeLiteral(`${name}|`)} || id || ${pg.escapeLiteral(`|${column}`)}`

/**
 * Seals the secrets of the workspace with the key of the file, into a temporary table. Returns how many could not be
 * opened: they stay as they are, of no use here and there.
 */
async function resealInto(
  client: pg.Client,
  tables: MovedTable[],
  { keyring, sealedColumns }: ExportSource,
  key: ReturnType<typeof newTransferKey>,
) {
  await client.query('create temp table resealed (context text primary key, sealed text not null) on commit drop')
  let unreadable = 0
  for (const [name, column] of sealedColumns) {
    const table = tables.find((moved) => moved.name === name)
    if (!table) continue
    const value = pg.escapeIdentifier(column)
    const { rows } = await client.query<{ context: string; sealed: string }>(
      `select ${contextSql(table, column)} as context, ${value} as sealed
       from ${quotedName(table)} where ${value} is not null and ${table.condition}`,
    )
    const opened = rows.flatMap(({ context, sealed }) => {
      try {
        return [{ context, sealed: seal({ current: () => key }, unseal(keyring, sealed, context), context) }]
      } catch {
        unreadable++
        return []
      }
    })
    for (let from = 0; from < opened.length; from += BATCH)
      await client.query('insert into resealed select * from json_to_recordset($1) as r(context text, sealed text)', [
        JSON.stringify(opened.slice(from, from + BATCH)),
      ])
  }
  return unreadable
}

async function sizeOfRows(client: pg.Client, tables: MovedTable[]) {
  let bytes = 0
  for (const table of tables) {
    const { rows } = await client.query<{ bytes: string }>(
      `select coalesce(sum(pg_column_size(t)), 0)::text as bytes from ${quotedName(table)} t where ${table.condition}`,
    )
    bytes += Number(rows[0]?.bytes ?? 0)
  }
  return bytes
}
