import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const migrationFolder = new URL('../../../migrations/', import.meta.url)

export const checksumsFile = new URL('checksums.json', migrationFolder)

export type Migration = {
  name: string
  sql: string
  checksum: string
  /** Whether it takes away what former versions use. */
  contracts: boolean
}

/** Content of `migrations/checksums.json`, in which `npm run generate` adds new migrations. */
export type LandedMigrations = {
  checksums: Record<string, string>
  /** Former names of migrations, with the present ones. */
  renamed: Record<string, string>
  /** Checksums of the former texts of migrations that were edited after they landed. */
  edited: Record<string, string[]>
}

/**
 * First line of a migration that takes away what former versions use, such as a column. All other migrations only add
 * ("expand, then contract"), so that nodes of the former version go on during an update.
 */
const CONTRACT = '-- contract\n'

export const migrationNames = () => sqlFilesIn(migrationFolder)

/** Reads a migration with the SHA-256 of its text. Line endings do not count, because Git changes them on Windows. */
export async function readMigration(name: string, folder = migrationFolder): Promise<Migration> {
  const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
  return {
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    contracts: sql.startsWith(CONTRACT),
  }
}

export const readMigrations = async () => Promise.all((await migrationNames()).map((name) => readMigration(name)))

export const readLandedMigrations = async (): Promise<LandedMigrations> =>
  JSON.parse(await readFile(checksumsFile, 'utf8'))

/**
 * Reads the repairs by the names of their migrations. A repair brings a database that ran a former text of the migration
 * to what the present text makes, and changes nothing in any other database. It runs before later migrations, which need
 * what it adds.
 */
export async function readRepairs() {
  const folder = new URL('repairs/', migrationFolder)
  const names = await sqlFilesIn(folder)
  return new Map(await Promise.all(names.map(async (name) => [name, (await readMigration(name, folder)).sql] as const)))
}

const sqlFilesIn = async (folder: URL) => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
