import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { type FieldError, invalidTransition, problem } from '../../../errors.ts'
import { auditEach } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emitEach } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { distinctLabels } from '../../../lib/text.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { bindEarlierApproval, keepsApproval } from '../approval/approval.ts'
import { announceReview, isUnapproved, putInReview } from '../approval/put-in-review.ts'
import { changedBy, lockPost } from '../record/lock-post.ts'
import { findMedia, type MediaById, shownMedia, writePostMedia } from '../record/post-media.ts'
import { assertFitsEvents, postEvents } from '../record/posts.events.ts'
import type { ChangePost, NewPost } from '../record/posts.schema.ts'
import { enqueuePublishes, removePublishJobs } from '../record/publish-queue.ts'
import { endQueueHold } from '../record/queue-hold.ts'
import { quotaMonth, updatePostQuota } from '../record/quota.ts'
import { readPost } from '../record/select-posts.ts'
import { publishingProblems } from '../validation/problems.ts'
import { type Draft, optionProblemsOf, readPostDraft, unfitness } from '../validation/read-draft.ts'
import { requestedTargets, withGroupedAccounts } from '../validation/requested-targets.ts'
import { createReadyPosts } from './create-posts.ts'
import { byMember, type PostOrigin } from './insert-posts.ts'
import { isAnyQueuePaused, lockQueuesOf, requestedTime } from './requested-time.ts'
import {
  refuseToRemove,
  refuseUnresolved,
  removeOtherTargets,
  reopenTargets,
  unknownAccount,
  writeTargets,
} from './targets.ts'

/**
 * The problems of a post as the warnings that are stored with it: counting the characters of every draft at each read
 * would slow down all others. Throws them if the post is not a draft.
 */
function acceptedWarnings(problems: FieldError[], status: string) {
  if (problems.length && status !== 'draft') throw problem('validation_failed', { errors: problems })
  return problems.map(({ code: _, ...warning }) => warning)
}

/** Throws for accounts that do not exist, and for options that their networks do not accept. */
function refuseTargets({ targets, requested, listed }: Draft) {
  if (requested.length === 0) return
  const unknown = targets.findIndex(({ account }) => !account)
  if (unknown >= 0) throw unknownAccount(listed, unknown)
  const errors = optionProblemsOf({ targets }).flat()
  if (errors.length) throw problem('validation_failed', { errors })
}

/**
 * Throws for files that do not exist, and for what keeps a post that is not a draft from being published. Nothing of an
 * idea is checked.
 */
function validateDraft(draft: Draft, { status, is_idea }: { status: string; is_idea: boolean }) {
  if (draft.missing.length > 0) throw problem('validation_failed', { errors: draft.missing })
  return is_idea ? [] : acceptedWarnings(unfitness(draft), status)
}

type Warnings = Awaited<ReturnType<typeof readPost>>['warnings']

/**
 * Reads the record of a post that was written. Throws if its events would be too large. `before`: the warnings stored
 * before this change, with which the size is measured.
 */
async function readWritten(
  tx: Tx,
  { workspace_id }: Pick<Member, 'workspace_id'>,
  { id, media, warnings, before }: { id: string; media: MediaById; warnings: Warnings; before: Warnings },
) {
  const post = { ...(await readPost(tx, { workspace_id }, id)), media: shownMedia(media) }
  assertFitsEvents({ ...post, warnings: before })
  return { ...post, warnings }
}

/** Finishes a change of the state of a stored post: validates it, checks its size and returns its current record. */
export async function validateAndRead(tx: Tx, workspace_id: string, id: string) {
  const read = await readPost(tx, { workspace_id }, id)
  const { media, missing } = await findMedia(tx, workspace_id, read)
  if (missing.length > 0) throw problem('validation_failed', { errors: missing })
  await writePostMedia(tx, read, media)
  const post = { ...read, media: shownMedia(media) }
  const warnings = acceptedWarnings(publishingProblems({ ...post, media }, 'targets'), post.status)
  assertFitsEvents(post)
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
  given: Static<typeof NewPost>,
  origin: PostOrigin = byMember,
  details: { copied_from?: { workspace_id: string; post_id: string } } = {},
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const input = await withGroupedAccounts(tx, caller, given)
    const targets = requestedTargets(input) ?? []
    const { time: planned = null, queued_for } = await requestedTime(tx, caller, input, { targets, now })
    const status = planned ? 'scheduled' : 'draft'
    const { is_idea = false } = input
    const draft = await readPostDraft(tx, caller.workspace_id, input, { requested: targets, lock: true })
    refuseTargets(draft)
    const ready = {
      ...draft,
      labels: input.labels ?? [],
      warnings: validateDraft(draft, { status, is_idea }),
      time: planned,
      is_idea,
      queued_for: queued_for ?? null,
      origin,
    }
    const [post] = await createReadyPosts(tx, caller, [ready], { now, details })
    if (!post) throw new Error('PostgreSQL returned no row')
    return post
  })

export const changePost = (
  { db, clock }: Deps,
  caller: Member,
  id: string,
  input: Static<typeof ChangePost>,
  ifMatch: IfMatch,
  details: { restored_number?: number } = {},
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const change = await applyChange(tx, caller, id, input, { now, ifMatch, details })
    await finishChanges(tx, caller, [change], now)
    return change.post
  })

type Change = Awaited<ReturnType<typeof applyChange>>

/** Writes the jobs, events and audit entries of changes, each in one statement, and charges the quota last. */
export async function finishChanges(tx: Tx, caller: Member, changes: readonly Change[], now: Date) {
  await enqueuePublishes(
    tx,
    changes.flatMap(({ post, due }) =>
      due && !post.held ? post.targets.map(({ id, account_id }) => ({ id, account_id, runAt: due })) : [],
    ),
  )
  const events = changes.map(({ post }) => ({ post, change: 'edited' as const, by: doneBy(caller) }))
  await emitEach(tx, postEvents['post.updated'], caller.workspace_id, events, now)
  await auditEach(
    tx,
    caller,
    'post.updated',
    changes.map(({ post, details }) => ({ target_id: post.id, details })),
  )
  for (const { post, asks } of changes) if (asks) await announceReview(tx, post, caller, now)
  // Concurrent calls of a workspace wait for each other from here on.
  for (const { before, due } of changes)
    await updatePostQuota(tx, { workspace_id: caller.workspace_id, before, time: due, now })
}

/** Changes a post. The caller finishes it with `finishChanges`. */
export async function applyChange(
  tx: Tx,
  caller: Member,
  id: string,
  input: Static<typeof ChangePost>,
  { now, ifMatch, details }: { now: Date; ifMatch?: IfMatch; details?: { restored_number?: number } },
) {
  const targets = requestedTargets(input)
  if (input.queue || targets) await lockQueuesOf(tx, caller, id, { queue: input.queue, targets })
  const before = await lockPost(tx, caller, id)
  ifMatch?.(before.version)
  if (!['draft', 'scheduled', 'failed'].includes(before.status)) throw invalidTransition(before.status, 'change a post')
  if (input.is_idea && isUnapproved(before)) throw invalidTransition(before.review, 'turn a post into an idea')
  const stored = await readPost(tx, caller, id)
  const waits = stored.held === 'queue_paused'
  const hasPassed = stored.scheduled_at !== null && stored.scheduled_at <= now
  // With other accounts it may wait no longer, and its slot has passed.
  const isMissed = waits && targets !== undefined && hasPassed && !(await isAnyQueuePaused(tx, targets))
  const timed: typeof input =
    isMissed && input.scheduled_at === undefined && !input.is_idea ? { ...input, queue: 'next' } : input
  const { time, queued_for } = await requestedTime(tx, caller, timed, { targets, now, post_id: id })
  const requested = input.is_idea ? null : time
  const kept = before.status === 'failed' ? null : before.scheduled_at
  const planned = requested === undefined ? kept : requested
  const scheduled = isUnapproved(before) ? null : planned
  // A changed failed post is scheduled, or a draft without a time.
  const status = scheduled ? 'scheduled' : 'draft'
  const is_idea = !scheduled && (input.is_idea ?? before.is_idea)
  const draft = await readPostDraft(tx, caller.workspace_id, input, { requested: targets, stored, lock: true })
  refuseTargets(draft)
  if (targets) await refuseToRemove(tx, stored, targets, draft.listed)
  await refuseUnresolved(tx, id)
  const warnings = validateDraft(draft, { status, is_idea })

  const { content, media_ids, thread, first_comment } = draft.texts
  if (before.review === 'approved') await bindEarlierApproval(tx, id)
  await removePublishJobs(tx, [id])
  await tx
    .updateTable('post')
    .set({
      ...(input.content !== undefined && { content }),
      ...(input.media_ids !== undefined && { media_ids }),
      ...(input.thread !== undefined && { thread: JSON.stringify(thread) }),
      ...(input.first_comment !== undefined && { first_comment }),
      ...(input.labels !== undefined && { labels: distinctLabels(input.labels) }),
      warnings: JSON.stringify(warnings),
      status,
      is_idea,
      // An idea that becomes a post again is approved anew.
      ...(is_idea && { review: 'none' }),
      scheduled_at: scheduled,
      ...(queued_for && { queued_for }),
      ...(isUnapproved(before) && requested !== undefined && { review_scheduled_at: requested }),
      counted_in: scheduled && quotaMonth(before, now),
      ...changedBy(caller, now),
    })
    .where('id', '=', id)
    .execute()
  if (targets) {
    await writeTargets(tx, caller.workspace_id, [{ id, targets, listed: draft.listed }])
    await removeOtherTargets(tx, stored, targets)
    if (waits) await endQueueHold(tx, id)
  }
  await reopenTargets(tx, id, now)
  await writePostMedia(tx, stored, draft.media)
  const valid = await readWritten(tx, caller, { id, media: draft.media, warnings, before: stored.warnings })
  const asks = (scheduled !== null || valid.review === 'approved') && !(await keepsApproval(tx, valid))
  const post = asks ? await putInReview(tx, valid, { planned, now }) : valid
  const due = asks ? null : scheduled
  return { ...{ post, before, asks, due }, details: { fields: Object.keys(input), ...details } }
}
