import { sql } from 'kysely'
import { nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import { release } from '../../usage/quotas.ts'
import { postsPerMonth } from '../record/posts.meters.ts'

/** Turns scheduled posts of a workspace into drafts, and frees their quota until they are scheduled again. */
export async function unschedulePosts(tx: Tx, workspace_id: string, now: Date) {
  const { rows } = await sql<{ month: string | null; posts: number }>`
    with unscheduled as (
      update post set status = 'draft', scheduled_at = null, counted_in = null,
        updated_at = ${nextUpdatedAt(now)}
      where workspace_id = ${workspace_id} and status = 'scheduled' and deleted_at is null
      returning old.counted_in
    ) select counted_in::text as month, count(*)::int as posts from unscheduled group by 1 order by 1`.execute(tx)
  return {
    details: { unscheduled_posts: rows.reduce((sum, { posts }) => sum + posts, 0) },
    finish: async () => {
      for (const { month, posts } of rows)
        if (month !== null) await release(tx, postsPerMonth, { workspace_id, amount: posts, month })
    },
  }
}

export const erasePosts = (tx: Tx, workspace_id: string) =>
  tx.deleteFrom('post').where('workspace_id', '=', workspace_id).execute()
