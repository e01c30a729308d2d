import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalidTransition, notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { settlePost } from '../publishing/publish-outcome.ts'
import { publishedParts, type StepEntry } from '../publishing/step-journal.ts'
import { changedBy, lockPost } from '../record/lock-post.ts'
import { postEvents } from '../record/posts.events.ts'
import type { ResolveTarget } from '../record/posts.schema.ts'
import { enqueuePublish, removePublishJobsOf } from '../record/publish-queue.ts'
import { readPost } from '../record/select-posts.ts'

/**
 * Stores what a person found out about a post whose response was lost. What is published goes on with the steps after
 * it; what is not can be retried.
 */
export const resolveTarget = (
  { db, clock }: Deps,
  caller: Member,
  { id, target_id }: { id: string; target_id: string },
  { published, url }: Static<typeof ResolveTarget>,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    const target = await readTarget(tx, id, target_id)
    if (!target) throw notFound()
    if (!target.needs_resolution || (target.status !== 'unconfirmed' && target.status !== 'failed'))
      throw invalidTransition(target.status, 'resolve a target')
    const steps = published ? completeSteps(target.steps, now) : begunStepsRemoved(target.steps)
    await tx
      .updateTable('post_target')
      .set({
        steps: JSON.stringify(steps),
        published_parts: publishedParts(steps),
        needs_resolution: false,
        // A worker that still waits for a response must not overwrite this.
        attempt_id: null,
        ...(published
          ? {
              status: 'pending',
              attempts: 0,
              attempted_at: now,
              error_code: null,
              error_message: null,
              url: url ?? null,
            }
          : { status: 'failed', error_code: 'not_published', error_message: NOT_PUBLISHED }),
      })
      .where('id', '=', target_id)
      .execute()
    await tx.updateTable('post').set(changedBy(caller, now)).where('id', '=', id).execute()
    // It waited for the end of the day in which a lost response is looked up.
    await removePublishJobsOf(tx, [target_id])
    if (published) {
      await tx.updateTable('post').set({ status: 'publishing' }).where('id', '=', id).execute()
      await enqueuePublish(tx, { id: target_id, account_id: target.account_id })
    } else if (before.status === 'publishing')
      await settlePost(tx, { post_id: id, workspace_id: caller.workspace_id }, now)
    const post = await readPost(tx, caller, id)
    await emit(
      tx,
      postEvents['post.updated'],
      caller.workspace_id,
      { post, change: 'target_resolved', by: doneBy(caller) },
      now,
    )
    await audit(tx, caller, 'post.target_resolved', id, { target_id, published })
    return post
  })

const NOT_PUBLISHED = 'A member found that the post is not on the network. It can be retried.'

const readTarget = (tx: Tx, post_id: string, id: string) =>
  tx
    .selectFrom('post_target')
    .select(['status', 'account_id', 'needs_resolution', sql<StepEntry[]>`steps`.as('steps')])
    .where('post_id', '=', post_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** A step that a person confirmed has no result: the next attempt asks the network for it, if it can be asked. */
const completeSteps = (steps: readonly StepEntry[], now: Date): StepEntry[] =>
  steps.map(({ name, state, part, begun_at, intent, result = null }) => ({
    name,
    state: 'done',
    ...(state === 'done' ? { begun_at } : { begun_at: now.toISOString(), sent_at: begun_at }),
    ...(part !== undefined && { part }),
    ...(intent !== undefined && { intent }),
    result,
  }))

const begunStepsRemoved = (steps: readonly StepEntry[]) => steps.filter(({ state }) => state === 'done')
