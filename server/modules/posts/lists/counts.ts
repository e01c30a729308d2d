import { sql } from 'kysely'
import type { Deps } from '../../../lib/deps.ts'

const FAILED_FOR_MS = 7 * 24 * 3600_000
const MAX_FAILED_COUNTED = 100

/** Counts what needs attention. The partial index `post_failed` serves it. */
export async function countPosts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace_id }: { workspace_id: string },
) {
  const { rows } = await sql<{ failed: number }>`select count(*)::int as failed from (
    select from post where workspace_id = ${workspace_id} and status in ('failed', 'partially_published')
      and deleted_at is null and scheduled_at > ${new Date(clock.now().getTime() - FAILED_FOR_MS)}
    limit ${MAX_FAILED_COUNTED}) failed`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL returned no row')
  return rows[0]
}
