import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, invalidTransition, notFound, problem } from '../../../errors.ts'
import { audit, system } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, prepared, type Tx } from '../../../lib/db/database.ts'
import type { PostReview } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit, PAYLOAD_LIMIT } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { distinctLabels } from '../../../lib/text.ts'
import { doneBy } from '../../auth/event-actor.ts'
import type { AccountLimits } from '../../networks/capabilities.ts'
import { actingUser, notify } from '../../notifications/notify.ts'
import { bindEarlierApproval, keepsApproval } from '../approval/approval.ts'
import { selectShownMedia, shownMedia, writePostMedia } from '../record/post-media.ts'
import { postEvents } from '../record/posts.events.ts'
import type { ChangePost, NewPost, StoredPart, Target } from '../record/posts.schema.ts'
import { enqueuePublish, removePublishJobs } from '../record/publish-queue.ts'
import { quotaMonth, uncounted, updatePostQuota } from '../record/quota.ts'
import { requestedTime } from '../record/scheduled-time.ts'
import { targetWarning } from '../record/target-warning.ts'
import { publishingProblems } from '../validation/problems.ts'
import { byMember, insertPost, type PostOrigin } from './insert-post.ts'
import {
  type AccountsField,
  accountsFieldOf,
  removeOtherTargets,
  reopenTargets,
  requestedTargets,
  storedIds,
  storedThread,
  writeTargets,
} from './targets.ts'

type TargetRecord = Static<typeof Target>

/** Selects posts with their targets, one row each, so that a page is one query. Excludes deleted posts. */
export const selectPosts = (db: Db) =>
  db
    .selectFrom('post')
    .where('post.deleted_at', 'is', null)
    .select([
      'post.id',
      'post.workspace_id',
      'post.content',
      'post.media_ids',
      selectShownMedia.as('media'),
      sql<StoredPart[]>`post.thread`.as('thread'),
      'post.first_comment',
      'post.labels',
      'post.warnings',
      'post.status',
      'post.scheduled_at',
      'post.held',
      'post.review',
      'post.review_reason',
      'post.review_scheduled_at',
      'post.published_at',
      'post.recurring_post_id',
      'post.author_id',
      'post.updated_by_id',
      'post.created_at',
      'post.updated_at',
      'post.version',
      sql<(TargetRecord & { account_status: string; account_limits: AccountLimits })[]>`coalesce((
        select json_agg(json_build_object(
          'id', t.id, 'account_id', t.account_id, 'network', a.network, 'handle', a.handle, 'account_status', case when a.status = 'connected' and a.paused_by is not null then 'paused' else a.status::text end,
          'account_limits', a.limits, 'content', t.content, 'media_ids', t.media_ids, 'thread', t.thread, 'first_comment', t.first_comment,
          'needs_resolution', t.needs_resolution, 'published_parts', t.published_parts, 'options', t.options, 'status', t.status, 'warning', ${targetWarning}, 'external_id', t.external_id, 'url', t.url,
          'error_code', t.error_code, 'error_message', t.error_message, 'attempts', t.attempts,
          'published_at', to_char(t.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) order by t.position)
        from post_target t join account a on a.id = t.account_id where t.post_id = post.id
      ), '[]')`.as('targets'),
    ])

export const selectPost = (db: Db, input: { id: string; workspace_id: string }) =>
  selectPosts(db).where('post.id', '=', input.id).where('post.workspace_id', '=', input.workspace_id)

const findPost = prepared(selectPost)

export async function readPost(db: Db, { workspace_id }: { workspace_id: string }, id: string) {
  const [row] = await findPost(db, { id, workspace_id })
  if (!row) throw notFound()
  return row
}

/** Throws for a post whose events would be too large. Leaves 1600 bytes per target for what publishing adds. */
export function assertFitsEvents(post: object) {
  if (Buffer.byteLength(JSON.stringify(post)) > PAYLOAD_LIMIT - 80_000)
    throw invalid('/content', 'The text and its variants for single accounts are too large.', 'too_large')
}

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

/**
 * Locks a post for a change. Authors can change only their own. Deleted posts are not found, unless deleted at
 * `orDeletedSince` or later.
 */
export async function lockPost(tx: Tx, caller: Member, id: string, orDeletedSince?: Date) {
  const post = await lockPostOf(tx, caller, id, orDeletedSince)
  if (!atLeast(caller.role, 'editor') && post.author_id !== caller.user_id)
    throw problem('forbidden_role', { detail: 'Authors can change only their own posts.' })
  return post
}

/** The same for a caller who is no member, such as a client. */
export async function lockPostOf(
  tx: Tx,
  { workspace_id }: { workspace_id: string },
  id: string,
  orDeletedSince?: Date,
) {
  const post = await tx
    .selectFrom('post')
    .select(['id', 'status', 'scheduled_at', 'author_id', 'deleted_at', 'version', 'unpublishing_until'])
    .select(['review', 'review_scheduled_at'])
    .select(sql<string | null>`counted_in::text`.as('counted_in'))
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where((where) =>
      where.or([
        where('deleted_at', 'is', null),
        ...(orDeletedSince ? [where('deleted_at', '>=', orDeletedSince)] : []),
      ]),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!post) throw notFound()
  return post
}

type InReview = { id: string; workspace_id: string; status: string }

/**
 * Lets a post wait for an approval, which then gives it the planned time. `cameDue`: its time comes before anybody was
 * asked, as opposed to one that is to be published at once.
 */
export async function putInReview(
  tx: Tx,
  { id, workspace_id, status }: InReview,
  { planned, now, cameDue = false }: { planned: Date | null; now: Date; cameDue?: boolean },
) {
  await removePublishJobs(tx, id)
  await tx
    .updateTable('post')
    .set({
      // What is on some networks already is no draft.
      ...(status !== 'partially_published' && { status: 'draft', scheduled_at: null, counted_in: null }),
      review: 'pending',
      review_reason: null,
      review_scheduled_at: planned,
      review_missed_for: planned && planned <= now && !cameDue ? planned : null,
      review_missed_mail: false,
      updated_at: nextUpdatedAt(now),
    })
    .where('id', '=', id)
    .execute()
  return readPost(tx, { workspace_id }, id)
}

/** `caller`: null when no member asked, but a policy did. */
export async function announceReview(
  tx: Tx,
  post: Awaited<ReturnType<typeof readPost>>,
  caller: Member | null,
  now: Date,
) {
  const by = caller && doneBy(caller)
  await emit(tx, postEvents['post.review.requested'], post.workspace_id, { post, by }, now)
  await audit(tx, caller ?? system(post.workspace_id), 'post.review_requested', post.id)
  await notifyApprovers(tx, post, { actor_id: actingUser(caller), now })
}

/** Tells those who can approve a post that it waits for them. */
export const notifyApprovers = (
  tx: Tx,
  { id, workspace_id, content, version }: { id: string; workspace_id: string; content: string; version: number },
  { actor_id, now }: { actor_id: string | null; now: Date },
) =>
  notify(
    tx,
    { kind: 'review.requested', workspace_id, subject: { id, name: content }, actor_id, cause: String(version) },
    now,
  )

/** Whether the post is a draft that nothing may schedule or publish before it is approved. */
export const isUnapproved = ({ review }: { review: PostReview }) => review === 'pending' || review === 'rejected'

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

/** A change that a member asked for, as opposed to one by publishing. */
export const changedBy = (caller: Member, now: Date) => ({
  updated_by_id: caller.user_id,
  updated_at: nextUpdatedAt(now),
})
