import { sql } from 'kysely'
import type { TestApp } from '../app.ts'

/** Tables that every node writes on its own. */
const noise = new Set(['keyring', 'migration', 'worker_node'])

/**
 * Returns fingerprints of all stored data, by table. They are equal if nothing has changed, apart from when a session
 * or token was last used.
 */
export async function stateOf({ deps: { db } }: TestApp): Promise<Record<string, string>> {
  const { rows: names } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
  const parts = names
    .filter(({ name }) => !noise.has(name))
    .map(
      ({ name }) => sql`select ${name}::text as name, md5(coalesce(string_agg(row, '|' order by row), '')) as hash
        from (select (to_jsonb(t) - '{seen_at,last_used_at}'::text[])::text as row from ${sql.table(name)} t) rows`,
    )
  const jobs = sql`select 'jobs' as name, md5(coalesce(string_agg(id::text, '|' order by id), '')) as hash
    from graphile_worker._private_jobs`
  const { rows } = await sql<{ name: string; hash: string }>`${sql.join([...parts, jobs], sql` union all `)}`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}
