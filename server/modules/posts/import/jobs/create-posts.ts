import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { FieldError } from '../../../../errors.ts'
import { audit } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import { emitEach } from '../../../../lib/events/emit.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { distinctLabels } from '../../../../lib/text.ts'
import { doneBy } from '../../../auth/event-actor.ts'
import { announceReview, putInReview } from '../../approval/put-in-review.ts'
import { findMedia, missingMedia } from '../../record/post-media.ts'
import { postEvents } from '../../record/posts.events.ts'
import type { NewPost } from '../../record/posts.schema.ts'
import { enqueuePublishes } from '../../record/publish-queue.ts'
import { quotaMonth, reservePosts, uncounted } from '../../record/quota.ts'
import { selectPosts } from '../../record/select-posts.ts'
import { draftRecord, readCheckedAccounts } from '../../validation/read-draft.ts'
import { requestedTargets } from '../../validation/requested-targets.ts'
import { checkPost } from '../../validation/validate-post.ts'

/** A post of a batch: with a time or as a draft, never one for now or for the queue. */
type BatchPost = Omit<Static<typeof NewPost>, 'publish_now' | 'queue'>

/** `review_at`: the post is put in review, and this is its planned time. */
export type PlannedPost = { input: BatchPost; review_at?: Date | null }

/** Outcome of a post of a batch: its id, or the problems that kept it from being created. */
type Created = { id: string } | { errors: FieldError[] }

/**
 * Creates posts as `createPost` does each, with the statements of one. `entry`: the audit entry for all of them. Throws
 * `limit_exceeded` for all when the plan has not enough left.
 */
export async function createPosts(
  tx: Tx,
  caller: Member,
  planned: readonly PlannedPost[],
  { now, entry }: { now: Date; entry: { action: string; target_id: string; details: Record<string, unknown> } },
): Promise<Created[]> {
  const { workspace_id } = caller
  const checked = await checkAll(tx, workspace_id, planned, now)
  const fit = checked.filter((post) => post.errors.length === 0)
  const ids = await insertAll(tx, caller, fit, now)
  const idOf = new Map(fit.map((post, index) => [post, ids[index] ?? '']))
  const results = checked.map((post): Created => {
    const id = idOf.get(post)
    return id === undefined ? { errors: post.errors } : { id }
  })
  if (fit.length === 0) return results

  const timed = fit.flatMap((post) => (post.time ? [{ id: idOf.get(post) ?? '', time: post.time }] : []))
  const waiting = new Set(
    await unapproved(
      tx,
      timed.map(({ id }) => id),
    ),
  )
  for (const { id, time } of timed)
    if (waiting.has(id)) await putInReview(tx, { id, workspace_id, status: 'scheduled' }, { planned: time, now })
  const rows = await selectPosts(tx).where(sql<boolean>`post.id = any(${ids}::uuid[])`).orderBy('post.id').execute()
  const timeOf = new Map(timed.flatMap(({ id, time }) => (waiting.has(id) ? [] : [[id, time] as const])))
  await enqueuePublishes(
    tx,
    rows.flatMap(({ id, targets }) => {
      const runAt = timeOf.get(id)
      return runAt ? targets.map((target) => ({ id: target.id, account_id: target.account_id, runAt })) : []
    }),
  )
  const by = doneBy(caller)
  await emitEach(
    tx,
    postEvents['post.created'],
    workspace_id,
    rows.map((post) => ({ post, by })),
    now,
  )
  await audit(tx, caller, entry.action, entry.target_id, { ...entry.details, post_ids: ids })
  for (const post of rows) if (post.review === 'pending') await announceReview(tx, post, caller, now)
  await reservePosts(tx, { workspace_id, times: [...timeOf.values()], now })
  return results
}

async function checkAll(tx: Tx, workspace_id: string, planned: readonly PlannedPost[], now: Date) {
  const posts = planned.map(({ input, review_at }) => ({ input, review_at, targets: requestedTargets(input) ?? [] }))
  const named = new Set(posts.flatMap(({ targets }) => targets.map(({ account_id }) => account_id)))
  const accounts = await readCheckedAccounts(tx, workspace_id, [...named], { lock: true })
  const files = { media_ids: posts.flatMap(({ input }) => input.media_ids ?? []), thread: null, targets: [] }
  const { media } = await findMedia(tx, workspace_id, files)
  return posts.map(({ input, review_at, targets }) => {
    const missing = missingMedia({ media_ids: input.media_ids ?? [], thread: null, targets: [] }, media)
    const draft = draftRecord(input, { requested: targets, accounts })
    const { refused, unfit } = checkPost(input, { ...draft, media, missing }, now)
    const time = input.scheduled_at ? new Date(input.scheduled_at) : null
    // A draft may have what keeps it from being scheduled.
    const isDraft = time === null && review_at === undefined
    return {
      ...{ input, texts: draft.texts, targets, time, review_at },
      errors: isDraft ? refused : [...refused, ...unfit],
      warnings: isDraft ? unfit.map(({ code: _, ...warning }) => warning) : [],
    }
  })
}

type CheckedPost = Awaited<ReturnType<typeof checkAll>>[number]

/** Writes the rows of posts with their targets and files. Returns their ids, in the order of the posts. */
async function insertAll(tx: Tx, { workspace_id, user_id }: Member, posts: readonly CheckedPost[], now: Date) {
  if (posts.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select uuidv7() as id from generate_series(1, ${posts.length}::int) order by id`.execute(tx)
  const ids = rows.map(({ id }) => id)
  const records = posts.map(({ texts, input, time, review_at, warnings }, index) => ({
    ...{ id: ids[index], ...texts, labels: distinctLabels(input.labels ?? []), warnings },
    status: time ? 'scheduled' : 'draft',
    is_idea: input.is_idea ?? false,
    scheduled_at: time,
    counted_in: time && quotaMonth(uncounted, now),
    review: review_at === undefined ? 'none' : 'pending',
    review_scheduled_at: review_at ?? null,
  }))
  await sql`insert into post (id, workspace_id, author_id, content, media_ids, thread, first_comment, labels, warnings,
      status, is_idea, scheduled_at, counted_in, review, review_scheduled_at, created_at, updated_at)
    select id, ${workspace_id}::uuid, ${user_id}::uuid, content, media_ids, thread, first_comment, labels, warnings,
      status, is_idea, scheduled_at, counted_in, review, review_scheduled_at, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(records)}::json) as listed (id uuid, content text, media_ids uuid[], thread jsonb,
      first_comment text, labels text[], warnings jsonb, status post_status, is_idea boolean, scheduled_at timestamptz, counted_in date,
      review post_review, review_scheduled_at timestamptz)`.execute(tx)
  const targets = posts.flatMap((post, index) =>
    post.targets.map((target, position) => ({ ...target, position, post_id: ids[index] })),
  )
  const { numAffectedRows } = await sql`
    insert into post_target (post_id, account_id, content, media_ids, thread, first_comment, options, position)
    select post_id, account_id, content, media_ids, thread, first_comment, options, position
    from json_to_recordset(${JSON.stringify(targets)}::json) as listed (post_id uuid, account_id uuid, content text,
      media_ids uuid[], thread jsonb, first_comment text, options jsonb, position int)
    join account on account.id = account_id and workspace_id = ${workspace_id}::uuid and deleted_at is null`.execute(tx)
  if (Number(numAffectedRows) !== targets.length) throw new Error('An account was removed meanwhile')
  const uses = posts.flatMap(({ texts }, index) =>
    texts.media_ids.map((media_id) => ({ media_id, post_id: ids[index] })),
  )
  if (uses.length > 0)
    await sql`insert into post_media (media_id, post_id) select media_id, post_id
      from json_to_recordset(${JSON.stringify(uses)}::json) as listed (media_id uuid, post_id uuid)`.execute(tx)
  return ids
}

/** The posts among these that a policy holds until they are approved. */
async function unapproved(tx: Tx, ids: string[]) {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::uuid[]) as id where not post_is_approved(id)`.execute(tx)
  return rows.map(({ id }) => id)
}
