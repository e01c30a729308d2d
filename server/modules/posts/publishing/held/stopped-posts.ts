import { sql } from 'kysely'
import { type Actor, audit } from '../../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../../lib/db/database.ts'
import { emit } from '../../../../lib/events/emit.ts'
import { postEvents } from '../../record/posts.events.ts'
import { removePublishJobs, removePublishJobsOf } from '../../record/publish-queue.ts'
import { readPost } from '../../record/select-posts.ts'
import { settlePost } from '../publish-outcome.ts'

/** Whether a step began that readers would see. */
const hasSentStep = sql<boolean>`jsonb_path_exists(steps,
  '$[*] ? ((exists (@.part) || @.name like_regex "^(post|share) ") && !(@.is_limited == true))')`

/**
 * Whether readers can see what was sent of a target, or soon will. Files that were prepared at a network do not count,
 * nor what a network refused for its rate limit. A target that failed for certain was not sent.
 */
const isSent = sql<boolean>`(published_parts > 0 or case status
  when 'failed' then needs_resolution or error_code is not distinct from 'unconfirmed'
  when 'published' then true
  when 'unconfirmed' then true
  else ${hasSentStep} end)`

const STOPPED = 'The agent that scheduled the post was stopped before this attempt. Retry to publish the post now.'

type Stopped = { workspace_id: string; ids: readonly string[]; actor: Actor; now: Date }

/**
 * Holds posts that nobody decided to publish. Of a post that is being published, what was not sent yet is not sent any
 * more: all of it is held, or its other accounts fail. An account on which it failed before is tried again with the others
 * when it is released. Returns how many posts are held.
 */
export async function holdStoppedPosts(tx: Tx, { workspace_id, ids, actor, now }: Stopped) {
  if (ids.length === 0) return 0
  // Every change of a target locks its post first, so each attempt has begun before this, or finds the post held.
  const posts = await tx
    .selectFrom('post')
    .select(['id', 'status'])
    .where('id', 'in', ids)
    .where('workspace_id', '=', workspace_id)
    .where('status', 'in', ['scheduled', 'publishing'])
    .where('review', '=', 'none')
    .where('deleted_at', 'is', null)
    .where('held', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  let held = 0
  for (const { id, status } of posts) {
    const sent = status === 'publishing' && (await stopTargets(tx, id))
    if (sent) await settlePost(tx, { post_id: id, workspace_id }, now)
    else {
      await holdPost(tx, { id, workspace_id, actor, now })
      held++
    }
  }
  return held
}

/** Ends what was not sent of a post. Returns whether something was: then the rest fails, and can be retried. */
async function stopTargets(tx: Tx, post_id: string) {
  const targets = await tx
    .selectFrom('post_target')
    .select(['id', 'status', isSent.as('is_sent')])
    .where('post_id', '=', post_id)
    .forUpdate()
    .execute()
  const isAnySent = targets.some(({ is_sent }) => is_sent)
  // Beside an account that was reached, one that failed keeps its reason.
  const unsent = targets
    .filter(({ is_sent, status }) => !is_sent && !(isAnySent && status === 'failed'))
    .map(({ id }) => id)
  if (unsent.length === 0) return true
  await removePublishJobsOf(tx, unsent)
  await tx
    .updateTable('post_target')
    .set({
      // The attempt that is under way finds that it was overtaken, and sends nothing.
      attempt_id: null,
      ...(isAnySent
        ? { status: 'failed', error_code: 'agents_stopped', error_message: STOPPED }
        : { status: 'pending', attempts: 0, error_code: null, error_message: null }),
    })
    .where('id', 'in', unsent)
    .execute()
  return isAnySent
}

async function holdPost(
  tx: Tx,
  { id, workspace_id, actor, now }: { id: string; workspace_id: string; actor: Actor; now: Date },
) {
  await removePublishJobs(tx, [id])
  await tx
    .updateTable('post')
    .set({ status: 'scheduled', held: 'agents_stopped', updated_at: nextUpdatedAt(now) })
    .where('id', '=', id)
    .execute()
  const post = await readPost(tx, { workspace_id }, id)
  await emit(tx, postEvents['post.held'], workspace_id, { post }, now)
  await audit(tx, actor, 'post.held', id, { reason: 'agents_stopped', scheduled_at: post.scheduled_at })
}
