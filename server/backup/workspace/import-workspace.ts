import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import type { Keyring } from '../../lib/crypto/crypto.ts'
import { reEncrypt, type SealedColumn } from '../../lib/crypto/re-encrypt.ts'
import { audit, system } from '../../lib/db/audit.ts'
import type { ConnectionConfig, Tx } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import type { Deps } from '../../lib/deps.ts'
import { codeOf } from '../../lib/error-code.ts'
import { StartError } from '../../lib/runtime/start-error.ts'
import { findOrCreatePeople } from '../../modules/auth/users/find-or-create.ts'
import {
  announceImport,
  forgetFolder,
  isAnnounced,
  keepFolder,
  type NewFolder,
} from '../../modules/media/storage/erasure.ts'
import type { Manifest } from '../backup.ts'
import { BackupError } from '../backup-error.ts'
import type { BackupInfo } from '../backup-file.ts'
import {
  type CopiedTable,
  columnsOf,
  connectWithoutLimits,
  fullName,
  oneConnection,
  quotedName,
  writeTable,
} from '../database-copy.ts'
import { readArchive, readBackup } from '../read-backup.ts'
import { explainFailure } from '../restore.ts'
import type { BackupFile } from '../targets/target.ts'
import type { Progress } from '../write-archive.ts'
import { people } from './export-workspace.ts'
import { readTransferKey, withTransferKey } from './transfer-key.ts'
import { type MovedTable, movedTables, readCatalog } from './workspace-tables.ts'

/** Folder of DATA_DIR for files on their way to the storage. */
const TEMPORARY = 'import-'

type Target = Pick<Deps, 'db' | 'clock' | 'storage' | 'lifecycle' | 'invalidationBus'> & {
  connection: ConnectionConfig
  keyring: Keyring
  sealedColumns: SealedColumn[]
  /** For files on their way to the storage. */
  dataDir: string
  passphrase: string
  onProgress: Progress
  signal?: AbortSignal | undefined
}

/** Content of an import, and how much of it waits for a choice of the members. */
type ImportedWorkspace = {
  info: BackupInfo
  manifest: Manifest
  workspace: { id: string; name: string; slug: string }
  members: number
  /** Addresses of members that had an account here, and of those that had none. */
  existing: string[]
  created: string[]
  held: Record<string, number>
}

/**
 * Imports a workspace beside others, whether Meydan runs or not. It keeps its ids, and nothing of it is published or
 * sent before somebody chooses: see `onWorkspaceImported`. Rows are first copied into temporary tables, and into the
 * real ones at the end, in the transaction that holds the workspace. Nothing is left of an import that fails.
 */
export async function importWorkspace(file: Pick<BackupFile, 'open'>, target: Target): Promise<ImportedWorkspace> {
  const { connection, storage, dataDir, passphrase, onProgress, signal, db } = target
  const client = await connectWithoutLimits(connection)
  let temporary: string | undefined
  let announced: NewFolder | undefined
  let id = ''
  let committing = false
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.workspaceImport,
    ])
    if (!rows[0]?.locked) throw new StartError('Another import into this installation is running.')
    // Removes the folders of imports whose process has died.
    for (const name of await readdir(dataDir))
      if (name.startsWith(TEMPORARY)) await rm(join(dataDir, name), { recursive: true, force: true })
    temporary = await mkdtemp(join(dataDir, TEMPORARY))
    const local = join(temporary, 'file')
    let tables: MovedTable[] = []
    let key = ''
    return await oneConnection(client)
      .transaction()
      .execute((tx) =>
        readArchive(
          { file, passphrase, onProgress, signal },
          async (info) => {
            id = await refuseOther(client, info)
          },
          (entries, info) =>
            readBackup(entries, info, {
              database: async (copy, secret, contents) => {
                tables = movedTables(await readCatalog(client), id)
                key = secret
                refuseTables(copy.tables, [people, ...tables])
                const counts = await stage(client, [people, ...tables], contents)
                await refuseConflicts(client, id)
                announced = await announce(target, id)
                return counts
              },
              file: async (name, content) => {
                if (!name.startsWith(`${id}/`))
                  throw new BackupError('damaged', `The file has a file of another workspace: ${name}`)
                await pipeline(content, createWriteStream(local))
                await storage.moveIn(local, name, 'application/octet-stream')
                // A connection without traffic is closed by many networks.
                await client.query('select')
              },
              end: async (info, manifest) => {
                await refuseStrangers(client, tables, id)
                const found = await bringPeople(client, tx, tables)
                await insertRows(client, tables)
                await reseal(tx, target, key)
                const held = await hold(tx, target, id)
                const workspace = await readImported(client, id)
                if (announced && !(await keepFolder(tx, announced)))
                  throw new StartError('The files of this import were erased, because it took too long.')
                await target.invalidationBus.invalidate(tx, 'access')
                await audit(tx, system(id), 'workspace.imported', id, {
                  ...{ exported_at: info.created_at, meydan: info.meydan },
                  ...{ members: found.members, files: manifest.files, ...held },
                })
                committing = true
                return { info, manifest, workspace, ...found, held }
              },
            }),
        ),
      )
  } catch (error) {
    // The response to the commit may have been lost.
    if (committing && (await exists(connection, id))) throw error
    if (announced) {
      // Otherwise a job erases them.
      const folder = announced
      await storage
        .erase(id)
        .then(() => forgetFolder(db, folder))
        .catch(() => undefined)
    }
    throw await explainFailure(explainConflict(error), client, 'imported')
  } finally {
    if (temporary) await rm(temporary, { recursive: true, force: true })
    await client.end()
  }
}

/** Returns the id of the workspace in a file that fits this installation. */
async function refuseOther(client: pg.Client, { workspace, meydan, migrations }: BackupInfo) {
  if (workspace === undefined)
    throw new StartError('This is a backup of a whole installation. Restore it with `meydan restore`.')
  const { rows } = await client.query<{ name: string }>('select name from migration')
  const own = rows.map(({ name }) => name)
  const [unknown] = migrations.filter((name) => !own.includes(name))
  if (unknown !== undefined)
    throw new StartError(
      `This workspace was exported by a newer Meydan (${meydan}, ${unknown}). Update this installation first.`,
    )
  const [missing] = own.filter((name) => !migrations.includes(name))
  if (missing !== undefined)
    throw new StartError(
      `This workspace was exported by an older Meydan (${meydan}, without ${missing}). Update that installation, and export it again.`,
    )
  return workspace
}

/** Only tables of workspaces may be written. */
function refuseTables(found: CopiedTable[], expected: CopiedTable[]) {
  const shape = (tables: CopiedTable[]) => JSON.stringify(tables.map((table) => [fullName(table), table.columns]))
  if (shape(found) !== shape(expected)) throw new BackupError('damaged', 'The file has other tables than a workspace.')
}

const stagingName = ({ name }: { name: string }) => pg.escapeIdentifier(`import_${name}`)

/** Copies the rows into temporary tables without constraints. Returns how many each has. */
async function stage(
  client: pg.Client,
  tables: CopiedTable[],
  contents: AsyncIterable<{ table: CopiedTable; content: AsyncIterable<Buffer> }>,
) {
  for (const table of tables)
    await client.query(
      `create temp table ${stagingName(table)} on commit drop as select ${columnsOf(table)} from ${quotedName(table)} with no data`,
    )
  const counts: Manifest['rows'] = {}
  for await (const { table, content } of contents)
    counts[fullName(table)] = await writeTable(
      client,
      { ...table, schema: 'pg_temp', name: `import_${table.name}` },
      content,
    )
  for (const table of tables) await client.query(`analyze ${stagingName(table)}`)
  return counts
}

/** Refuses early what the constraints would refuse at the end. */
async function refuseConflicts(client: pg.Client, id: string) {
  const { rows } = await client.query<{ constraint: string }>(
    `select case when workspace.id = new.id then 'workspace_pkey' when workspace.slug = new.slug then 'workspace_slug_key'
      else 'workspace_name_key' end as constraint
     from import_workspace new join workspace
       on workspace.id = new.id or workspace.slug = new.slug or name_key(workspace.name) = name_key(new.name)
     where new.id = $1 order by workspace.id = new.id desc limit 1`,
    [id],
  )
  if (rows[0]) throw new StartError(conflicts[rows[0].constraint] ?? rows[0].constraint)
}

const conflicts: Record<string, string> = {
  workspace_pkey: 'This workspace is here already. A deleted one is erased after 30 days.',
  workspace_slug_key: 'Another workspace here has this slug. Change it, or export this one again with another slug.',
  workspace_name_key: 'Another workspace here has this name. Rename it, or export this one again with another name.',
  workspace_name_skeleton_key:
    'Another workspace here has a name that looks the same. Rename it, or export this one again with another name.',
}

function explainConflict(error: unknown) {
  if (!(error instanceof pg.DatabaseError) || codeOf(error) !== '23505') return error
  const { constraint = '', table = '' } = error
  return new StartError(
    conflicts[constraint] ?? `A part of this workspace is here already, in the table ${table}. Nothing was imported.`,
    { cause: error },
  )
}

/** Announces what is about to be stored, so that nothing is left of an import whose process dies. */
async function announce(target: Target, id: string) {
  const { db, storage } = target
  const [stored] = await Array.fromAsync(storage.list(id))
  // Otherwise they are those of an installation with the same storage, maybe of the one that exported the workspace.
  if (stored && !(await isAnnounced(db, id)))
    throw new StartError(
      `The storage has files of this workspace already (${stored.key}). Two installations cannot share a storage.`,
    )
  const folder = await announceImport(target, id)
  if (stored) await storage.erase(id)
  return folder
}

/** Refuses rows that belong to another workspace, or refer to rows that the file does not have. */
async function refuseStrangers(client: pg.Client, tables: MovedTable[], id: string) {
  const moved = new Set(tables.map(({ name }) => name))
  const refuse = async (table: string, condition: string, values: string[] = []) => {
    const { rowCount } = await client.query(`select from ${table} as t where ${condition} limit 1`, values)
    if (rowCount) throw new BackupError('damaged', `The file has rows of another workspace, in ${table}.`)
  }
  await refuse(stagingName({ name: 'workspace' }), 'id <> $1 or deleted_at is not null', [id])
  // No foreign key names these files.
  const isForeign = (column: string) => `exists (select from media where media.id = t.${column})`
  await refuse(stagingName({ name: 'post_media' }), isForeign('media_id'))
  await refuse(stagingName({ name: 'workspace' }), isForeign('picture_id'))
  for (const table of tables)
    for (const { columns, to, toColumns } of table.keys.filter((key) => moved.has(key.to))) {
      const known = columns.map((column) => `t.${pg.escapeIdentifier(column)} is not null`).join(' and ')
      const equal = columns
        .map((column, at) => `t.${pg.escapeIdentifier(column)} = r.${pg.escapeIdentifier(toColumns[at] ?? '')}`)
        .join(' and ')
      await refuse(
        stagingName(table),
        `${known} and not exists (select from ${stagingName({ name: to })} r where ${equal})`,
      )
    }
}

/**
 * Replaces people by those with the same address here, and forgets what stays behind: former members, plans, models and
 * recipes.
 */
async function bringPeople(client: pg.Client, tx: Tx, tables: MovedTable[]) {
  const staged = stagingName(people)
  const { rows: members } = await client.query<{
    id: string
    email: string
    name: string
    locale: string
    timezone: string
  }>(`select id, email, name, locale, timezone from ${staged} order by email`)
  const found = await findOrCreatePeople(tx, members)
  await client.query('create temp table import_person (was uuid primary key, id uuid not null) on commit drop')
  await client.query('insert into import_person select * from json_to_recordset($1) as p(was uuid, id uuid)', [
    JSON.stringify(found.map(({ was, id }) => ({ was, id }))),
  ])
  const moved = new Set(tables.map(({ name }) => name))
  for (const table of tables)
    for (const { columns, to } of table.keys.filter((key) => !moved.has(key.to)))
      for (const column of columns.map((name) => pg.escapeIdentifier(name)))
        await client.query(
          to === people.name
            ? `update ${stagingName(table)} t set ${column} = (select id from import_person where was = t.${column}) where ${column} is not null`
            : `update ${stagingName(table)} set ${column} = null where ${column} is not null`,
        )
  await bringNamedPeople(client, found)
  const addresses = (isNew: boolean) => found.filter((person) => person.isNew === isNew).map(({ email }) => email)
  return { members: found.length, existing: addresses(false), created: addresses(true) }
}

/** Columns with ids of people in JSON or in text, which no foreign key names. */
const namedPeople = [
  ['approval_policy', 'steps', 'jsonb'],
  ['post', 'approved_policies', 'jsonb'],
  ['post_comment', 'body', 'text'],
]

/** Replaces people in JSON and in text. An id is random, so it is nowhere else. */
async function bringNamedPeople(client: pg.Client, people: { was: string; id: string }[]) {
  for (const [name = '', column = '', type = ''] of namedPeople)
    for (const { was, id } of people)
      await client.query(
        `update ${stagingName({ name })} set ${column} = replace(${column}::text, $1, $2)::${type}
         where ${column}::text like '%' || $1 || '%'`,
        [was, id],
      )
}

async function insertRows(client: pg.Client, tables: MovedTable[]) {
  for (const table of tables)
    await client.query(
      `insert into ${quotedName(table)} (${columnsOf(table)}) select ${columnsOf(table)} from ${stagingName(table)}`,
    )
}

/** Seals with a key of this installation what is sealed with that of the file. */
function isKnown(keyring: Keyring, id: string) {
  try {
    keyring.byId(id)
    return true
  } catch {
    return false
  }
}

async function reseal(tx: Tx, { keyring, sealedColumns }: Target, secret: string) {
  const key = readTransferKey(secret)
  if (isKnown(keyring, key.id)) throw new BackupError('damaged', 'The file has the key of an installation.')
  for (const column of sealedColumns) await reEncrypt(tx, withTransferKey(keyring, key), column, key.id)
}

async function hold(tx: Tx, target: Target, id: string) {
  const held: Record<string, number> = {}
  for (const step of target.lifecycle.onWorkspaceImported) Object.assign(held, await step(target, tx, id))
  return held
}

async function readImported(client: pg.Client, id: string) {
  const { rows } = await client.query<ImportedWorkspace['workspace']>(
    'select id, name, slug from workspace where id = $1',
    [id],
  )
  if (!rows[0]) throw new BackupError('damaged', 'The file has no workspace.')
  return rows[0]
}

async function exists(connection: ConnectionConfig, id: string) {
  const client = await connectWithoutLimits(connection)
  try {
    return (await client.query('select from workspace where id = $1', [id])).rowCount === 1
  } finally {
    await client.end()
  }
}
