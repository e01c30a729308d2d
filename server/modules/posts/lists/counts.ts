import { type RawBuilder, sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import type { Deps } from '../../../lib/deps.ts'

const FAILED_FOR_MS = 7 * DAY
export const MAX_COUNTED = 100

export const counted = (rows: RawBuilder<unknown>) =>
  sql<number>`(select count(*)::int from (${rows} limit ${sql.lit(MAX_COUNTED)}) as counted)`

/**
 * Counts what needs attention in a workspace. `id`: its id, or the column that has it. The indexes `post_failed`,
 * `post_target_untried`, `post_review` and `post_held` serve it.
 */
export function attention(id: RawBuilder<string>, now: Date) {
  const posts = sql`select from post where post.workspace_id = ${id} and post.deleted_at is null`
  return {
    failed: counted(sql`${posts} and status in ('failed', 'partially_published')
      and scheduled_at > ${new Date(now.getTime() - FAILED_FOR_MS)}`),
    blocked: counted(sql`select distinct post.id from account
      join post_target as t on t.account_id = account.id and t.status = 'pending' and t.attempts = 0
      join post on post.id = t.post_id and post.status = 'scheduled' and post.deleted_at is null
      where account.workspace_id = ${id} and account.status = 'disconnected' and account.deleted_at is null`),
    in_review: counted(sql`${posts} and review = 'pending'`),
    // One that waits because its queue is paused needs no decision.
    held: counted(sql`${posts} and held in ('late', 'agents_stopped')`),
    stopped: counted(sql`${posts} and held = 'agents_stopped'`),
  }
}

export async function countPosts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace_id }: { workspace_id: string },
) {
  const { failed, blocked, in_review, held, stopped } = attention(sql`${workspace_id}`, clock.now())
  const { rows } = await sql<{ failed: number; blocked: number; in_review: number; held: number; stopped: number }>`
    select ${failed} as failed, ${blocked} as blocked, ${in_review} as in_review, ${held} as held,
      ${stopped} as stopped`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL returned no row')
  return rows[0]
}
