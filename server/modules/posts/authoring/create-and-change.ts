import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { invalidTransition, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { distinctLabels } from '../../../lib/text.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { bindEarlierApproval, keepsApproval } from '../approval/approval.ts'
import { announceReview, isUnapproved, putInReview } from '../approval/put-in-review.ts'
import { changedBy, lockPost } from '../record/lock-post.ts'
import { shownMedia, writePostMedia } from '../record/post-media.ts'
import { assertFitsEvents, postEvents } from '../record/posts.events.ts'
import type { ChangePost, NewPost } from '../record/posts.schema.ts'
import { enqueuePublish, removePublishJobs } from '../record/publish-queue.ts'
import { quotaMonth, uncounted, updatePostQuota } from '../record/quota.ts'
import { readPost } from '../record/select-posts.ts'
import { publishingProblems } from '../validation/problems.ts'
import {
  type AccountsField,
  accountsFieldOf,
  requestedTargets,
  storedIds,
  storedThread,
} from '../validation/requested-targets.ts'
import { byMember, insertPost, type PostOrigin } from './insert-post.ts'
import { requestedTime } from './requested-time.ts'
import { removeOtherTargets, reopenTargets, writeTargets } from './targets.ts'

/** Finishes every change of a post: validates it, checks its size and returns its current record. */
export async function validateAndRead(tx: Tx, workspace_id: string, id: string, listed: AccountsField = 'targets') {
  const read = await readPost(tx, { workspace_id }, id)
  const media = await writePostMedia(tx, workspace_id, read)
  const post = { ...read, media: shownMedia(media) }
  const problems = publishingProblems({ ...post, media }, listed)
  if (problems.length && post.status !== 'draft') throw problem('validation_failed', { errors: problems })
  assertFitsEvents(post)
  // Stored, because counting the characters of every draft at each read would slow down all others.
  const warnings = problems.map(({ code: _, ...warning }) => warning)
  if (!isDeepStrictEqual(warnings, read.warnings))
    await tx
      .updateTable('post')
      .set({ warnings: JSON.stringify(warnings) })
      .where('id', '=', id)
      .execute()
  return { ...post, warnings }
}

export const createPost = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  input: Static<typeof NewPost>,
  origin: PostOrigin = byMember,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { content, media_ids = [], thread = [], first_comment = null, labels = [] } = input
    const targets = requestedTargets(input) ?? []
    const { time: planned = null, queued_for } = await requestedTime(tx, caller, input, { targets, now })
    const id = await insertPost(tx, {
      workspace_id: caller.workspace_id,
      author_id: caller.user_id,
      content,
      media_ids: storedIds(media_ids),
      thread: JSON.stringify(storedThread(thread)),
      first_comment,
      labels: distinctLabels(labels),
      status: planned ? 'scheduled' : 'draft',
      scheduled_at: planned,
      queued_for: queued_for ?? null,
      counted_in: planned && quotaMonth(uncounted, now),
      ...origin,
      now,
    })
    await writeTargets(tx, caller.workspace_id, id, targets, accountsFieldOf(input))
    const valid = await validateAndRead(tx, caller.workspace_id, id, accountsFieldOf(input))
    const waits = planned !== null && !(await keepsApproval(tx, valid))
    const post = waits ? await putInReview(tx, valid, { planned, now }) : valid
    const time = waits ? null : planned
    if (time) for (const target of post.targets) await enqueuePublish(tx, target, time)
    await emit(tx, postEvents['post.created'], caller.workspace_id, { post, by: doneBy(caller) }, now)
    await audit(tx, caller, 'post.created', id, { status: post.status })
    if (post.review === 'pending') await announceReview(tx, post, caller, now)
    await updatePostQuota(tx, { workspace_id: caller.workspace_id, before: uncounted, time, now })
    return post
  })

export const changePost = (
  { db, clock }: Deps,
  caller: Member,
  id: string,
  input: Static<typeof ChangePost>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    ifMatch(before.version)
    if (!['draft', 'scheduled', 'failed'].includes(before.status))
      throw invalidTransition(before.status, 'change a post')
    const { content, media_ids, thread, first_comment, labels } = input
    const targets = requestedTargets(input)
    const changes = {
      ...(content !== undefined && { content }),
      ...(media_ids !== undefined && { media_ids: storedIds(media_ids) }),
      ...(thread !== undefined && { thread: storedThread(thread) }),
      ...(first_comment !== undefined && { first_comment }),
    }
    const { time: requested, queued_for } = await requestedTime(tx, caller, input, { targets, now, post_id: id })
    const kept = before.status === 'failed' ? null : before.scheduled_at
    const planned = requested === undefined ? kept : requested
    const scheduled = isUnapproved(before) ? null : planned

    if (before.review === 'approved') await bindEarlierApproval(tx, id)
    await removePublishJobs(tx, id)
    await tx
      .updateTable('post')
      .set({
        ...changes,
        ...(changes.thread && { thread: JSON.stringify(changes.thread) }),
        ...(labels !== undefined && { labels: distinctLabels(labels) }),
        // A changed failed post is scheduled, or a draft without a time.
        status: scheduled ? 'scheduled' : 'draft',
        scheduled_at: scheduled,
        ...(queued_for && { queued_for }),
        ...(isUnapproved(before) && requested !== undefined && { review_scheduled_at: requested }),
        counted_in: scheduled && quotaMonth(before, now),
        ...changedBy(caller, now),
      })
      .where('id', '=', id)
      .execute()
    if (targets) {
      await writeTargets(tx, caller.workspace_id, id, targets, accountsFieldOf(input))
      await removeOtherTargets(tx, id, targets, accountsFieldOf(input))
    }
    await reopenTargets(tx, id, now)
    const valid = await validateAndRead(tx, caller.workspace_id, id, accountsFieldOf(input))
    const asks = (scheduled !== null || before.review === 'approved') && !(await keepsApproval(tx, valid))
    const post = asks ? await putInReview(tx, valid, { planned, now }) : valid
    const time = asks ? null : scheduled
    if (time && !post.held) for (const target of post.targets) await enqueuePublish(tx, target, time)
    await emit(tx, postEvents['post.updated'], caller.workspace_id, { post, change: 'edited', by: doneBy(caller) }, now)
    await audit(tx, caller, 'post.updated', id, { fields: Object.keys(input) })
    if (asks) await announceReview(tx, post, caller, now)
    await updatePostQuota(tx, { workspace_id: caller.workspace_id, before, time, now })
    return post
  })
