import { sql } from 'kysely'
import type { Actor } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import { holdStoppedPosts } from '../../../posts/publishing/held/stopped-posts.ts'

type Stopped = { workspace_id: string; ids: readonly string[]; actor: Actor; now: Date }

/** Posts that one transaction holds. */
export const HELD_BATCH = 100

const scheduledPosts = (tx: Tx, { workspace_id, ids }: Pick<Stopped, 'workspace_id' | 'ids'>) =>
  tx
    .selectFrom('post')
    .innerJoin('agent_run', 'agent_run.id', 'post.agent_run_id')
    .select('post.id')
    .where('agent_run.agent_id', 'in', ids)
    .where('post.workspace_id', '=', workspace_id)
    .where('post.status', 'in', ['scheduled', 'publishing'])
    // A member who changed, published or released a post has decided about it.
    .where('post.updated_by_id', 'is', null)
    .where(sql<boolean>`agent_run.config ->> 'autonomy_level' = 'auto'`)
    .orderBy('post.id')

/**
 * Holds the posts that these agents scheduled by themselves and that neither are published nor were changed by a member.
 * The agents must be disabled and their runs canceled, so that no run schedules another one afterwards.
 */
export async function holdScheduledPosts(tx: Tx, { workspace_id, ids, actor, now }: Stopped) {
  if (ids.length === 0) return 0
  const posts = await scheduledPosts(tx, { workspace_id, ids }).execute()
  return holdStoppedPosts(tx, { workspace_id, ids: posts.map(({ id }) => id), actor, now })
}

/** Holds the next of them after the post `after`. `last`: the last one that it looked at, if there may be more. */
export async function holdScheduledBatch(
  tx: Tx,
  { workspace_id, ids, actor, now, after }: Stopped & { after: string | undefined },
) {
  if (ids.length === 0) return { held: 0, last: undefined }
  let query = scheduledPosts(tx, { workspace_id, ids }).limit(HELD_BATCH)
  if (after !== undefined) query = query.where('post.id', '>', after)
  const posts = await query.execute()
  const held = await holdStoppedPosts(tx, { workspace_id, ids: posts.map(({ id }) => id), actor, now })
  return { held, last: posts[HELD_BATCH - 1]?.id }
}
