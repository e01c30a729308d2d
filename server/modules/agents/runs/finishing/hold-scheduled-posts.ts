import { sql } from 'kysely'
import { type Actor, system } from '../../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { addJob } from '../../../../lib/runtime/jobs.ts'
import { holdStoppedPosts } from '../../../posts/publishing/held/stopped-posts.ts'

declare module '../../../../lib/runtime/jobs.ts' {
  interface Jobs {
    'hold-agent-posts': Stopped
  }
}

type Stopped = { workspace_id: string; ids: readonly string[] }

/** Posts that one transaction holds. */
export const HELD_BATCH = 100

/**
 * Stops the posts that these agents scheduled by themselves and that neither are published nor were changed by a member:
 * none is begun to be published from the commit on. A job holds them, from `runAt` on if a request does it before. The
 * agents must be disabled and their runs canceled, so that no run schedules another one afterwards.
 */
export async function stopScheduledPosts(tx: Tx, { workspace_id, ids, runAt }: Stopped & { runAt?: Date }) {
  if (ids.length === 0) return
  const { numUpdatedRows } = await tx
    .updateTable('agent_run')
    .set({ is_stopped: true })
    .where('agent_id', 'in', ids)
    .where('is_stopped', '=', false)
    .where(sql<boolean>`config ->> 'autonomy_level' = 'auto'`)
    .where('id', 'in', (query) =>
      query
        .selectFrom('post')
        .select('agent_run_id')
        .where('workspace_id', '=', workspace_id)
        .where('status', 'in', ['scheduled', 'publishing'])
        // A member who changed, published or released a post has decided about it.
        .where('updated_by_id', 'is', null)
        .where('agent_run_id', 'is not', null),
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0) await addJob(tx, 'hold-agent-posts', { workspace_id, ids }, runAt ? { runAt } : {})
}

type Batch = { workspace_id: string; run_ids: readonly string[]; actor: Actor; now: Date; after: string | undefined }

/** Holds the next of the stopped posts after the post `after`. `last`: the last one that it looked at, if there may be more. */
async function holdBatch(tx: Tx, { workspace_id, run_ids, actor, now, after }: Batch) {
  let query = tx
    .selectFrom('post')
    .innerJoin('agent_run', 'agent_run.id', 'post.agent_run_id')
    .select('post.id')
    .where(isOneOf(run_ids))
    .where('agent_run.is_stopped', '=', true)
    .where('post.workspace_id', '=', workspace_id)
    .where('post.status', 'in', ['scheduled', 'publishing'])
    .where('post.updated_by_id', 'is', null)
    .orderBy('post.id')
    .limit(HELD_BATCH)
  if (after !== undefined) query = query.where('post.id', '>', after)
  const posts = await query.execute()
  const held = await holdStoppedPosts(tx, { workspace_id, ids: posts.map(({ id }) => id), actor, now })
  return { held, last: posts[HELD_BATCH - 1]?.id }
}

const isOneOf = (run_ids: readonly string[]) => sql<boolean>`agent_run.id = any(${run_ids}::uuid[])`

/**
 * Holds the posts that `stopScheduledPosts` stopped, in batches. Their runs are not stopped from then on: what a member
 * decides about a post is forgotten with the member, and would not count. Returns how many are held. Can be repeated.
 */
export async function holdScheduledPosts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace_id, ids, actor = system(workspace_id) }: Stopped & { actor?: Actor },
) {
  let count = 0
  let after: string | undefined
  if (ids.length === 0) return count
  // One that is stopped later has its own job.
  const runs = await db
    .selectFrom('agent_run')
    .select('id')
    .where('agent_id', 'in', ids)
    .where('is_stopped', '=', true)
    .execute()
  const run_ids = runs.map(({ id }) => id)
  if (run_ids.length === 0) return count
  do {
    const batch = { workspace_id, run_ids, actor, now: clock.now(), after }
    const { held, last } = await inTransaction(db, (tx) => holdBatch(tx, batch))
    count += held
    after = last
  } while (after !== undefined)
  await db.updateTable('agent_run').set({ is_stopped: false }).where(isOneOf(run_ids)).execute()
  return count
}
