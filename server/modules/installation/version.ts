import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Db } from '../../lib/db/database.ts'
import { migrationNames } from '../../lib/db/migrations.ts'

const checkout = fileURLToPath(new URL('../../../', import.meta.url))

/** The commit of the checkout; null without Git, as in an image. */
async function readCommit() {
  // Otherwise Git would find a repository around this folder.
  if (!existsSync(`${checkout}.git`)) return null
  // A service often runs as another user than the owner of the checkout, whose repositories Git does not trust.
  const args = ['-c', 'safe.directory=*', '-C', checkout, 'rev-parse', 'HEAD']
  return promisify(execFile)('git', args).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}

/** Read when the process starts: the checkout may be updated under it. */
const commit = readCommit()

const numberOf = (migration: string | null | undefined) => Number.parseInt(migration ?? '0', 10)

/** Versions of this process. `schema`: the number of its newest migration. */
export const runningVersion = async () => ({
  version: packageJson.version,
  commit: await commit,
  schema: numberOf((await migrationNames()).at(-1)),
  node: process.versions.node,
})

export async function databaseVersion(db: Db) {
  const { rows } = await sql<{ postgres: string; migration: string | null }>`
    select split_part(current_setting('server_version'), ' ', 1) as postgres,
      (select max(name) from migration) as migration`.execute(db)
  return { postgres: rows[0]?.postgres ?? '', database_schema: numberOf(rows[0]?.migration) }
}

export const describeVersion = async (db: Db) => ({ ...(await runningVersion()), ...(await databaseVersion(db)) })
