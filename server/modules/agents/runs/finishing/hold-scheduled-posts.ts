import { sql } from 'kysely'
import type { Actor } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import { holdStoppedPosts } from '../../../posts/publishing/held/stopped-posts.ts'

type Stopped = { workspace_id: string; ids: readonly string[]; actor: Actor; now: Date }

/**
 * Holds the posts that these agents scheduled by themselves and that neither are published nor were
 * changed by a member. The agents must be locked and
 * their runs canceled, so that no run schedules another one afterwards.
 */
export async function holdScheduledPosts(tx: Tx, { workspace_id, ids, actor, now }: Stopped) {
  if (ids.length === 0) return 0
  const posts = await tx
    .selectFrom('post')
    .innerJoin('agent_run', 'agent_run.id', 'post.agent_run_id')
    .select('post.id')
    .where('agent_run.agent_id', 'in', ids)
    .where('post.workspace_id', '=', workspace_id)
    .where('post.status', 'in', ['scheduled', 'publishing'])
    // A member who changed, published or released a post has decided about it.
    .where('post.updated_by_id', 'is', null)
    .where(sql<boolean>`agent_run.config ->> 'autonomy_level' = 'auto'`)
    .execute()
  return holdStoppedPosts(tx, { workspace_id, ids: posts.map(({ id }) => id), actor, now })
}
