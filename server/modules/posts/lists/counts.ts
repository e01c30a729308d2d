import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import type { Deps } from '../../../lib/deps.ts'

const FAILED_FOR_MS = 7 * DAY
const MAX_COUNTED = 100

/** Counts what needs attention. The indexes `post_failed`, `post_target_untried`, `post_review` and `post_held` serve it. */
export async function countPosts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace_id }: { workspace_id: string },
) {
  const { rows } = await sql<{ failed: number; blocked: number; in_review: number; held: number; stopped: number }>`
    with failed as (
      select from post where workspace_id = ${workspace_id} and status in ('failed', 'partially_published')
        and deleted_at is null and scheduled_at > ${new Date(clock.now().getTime() - FAILED_FOR_MS)}
      limit ${MAX_COUNTED}
    ), blocked as (
      select distinct post.id from account
        join post_target as t on t.account_id = account.id and t.status = 'pending' and t.attempts = 0
        join post on post.id = t.post_id and post.status = 'scheduled' and post.deleted_at is null
      where account.workspace_id = ${workspace_id} and account.status = 'disconnected' and account.deleted_at is null
      limit ${MAX_COUNTED}
    ), in_review as (
      select from post where workspace_id = ${workspace_id} and review = 'pending' and deleted_at is null
      limit ${MAX_COUNTED}
    ), held as (
      select from post where workspace_id = ${workspace_id} and held is not null and deleted_at is null
      limit ${MAX_COUNTED}
    ), stopped as (
      select from post where workspace_id = ${workspace_id} and held = 'agents_stopped' and deleted_at is null
      limit ${MAX_COUNTED}
    )
    select (select count(*)::int from failed) as failed, (select count(*)::int from blocked) as blocked,
      (select count(*)::int from in_review) as in_review,
      (select count(*)::int from held) as held, (select count(*)::int from stopped) as stopped`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL returned no row')
  return rows[0]
}
