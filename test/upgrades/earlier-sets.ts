import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { type LandedMigrations, type Migration, readMigration } from '../../server/lib/db/migrations.ts'

/** The migrations that a commit had, in their order. */
export type MigrationSet = { commit: string; migrations: Migration[] }

/** Reads `sets.txt`. */
export async function earlierSets({ renamed }: LandedMigrations): Promise<MigrationSet[]> {
  const lines = (await readFile(new URL('sets.txt', import.meta.url), 'utf8')).split('\n')
  const had = new Map<string, Migration>()
  const sets: MigrationSet[] = []
  for (const line of lines.filter((candidate) => candidate !== '' && !candidate.startsWith('#'))) {
    const [commit = '', ...changes] = line.split(' ')
    for (const change of changes) {
      const [, removed, stem, checksum] = /^(-?)([^@]+)@?(.*)$/.exec(change) ?? []
      const name = `${stem}.sql`
      if (removed) had.delete(name)
      else had.set(name, { ...(await readText(renamed[name] ?? name, checksum)), name })
    }
    sets.push({ commit, migrations: [...had.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) })
  }
  return sets
}

const formerTexts = new URL('former/', import.meta.url)

const readText = (name: string, checksum: string | undefined) =>
  checksum ? readMigration(name.replace('.sql', `.${checksum}.sql`), formerTexts) : readMigration(name)

/**
 * Applies what is pending of a set, as versions without checksums did: by name alone, up to the first that fails.
 * Returns whether all succeeded.
 */
export async function applyAsBefore(client: pg.Client, { migrations }: MigrationSet) {
  await client.query(
    'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string }>('select name from migration')
  const applied = new Set(rows.map((row) => row.name))
  for (const { name, sql } of migrations.filter((migration) => !applied.has(migration.name))) {
    try {
      await client.query('begin')
      await client.query(sql)
      await client.query('insert into migration (name) values ($1)', [name])
      await client.query('commit')
    } catch {
      await client.query('rollback')
      return false
    }
  }
  return true
}
