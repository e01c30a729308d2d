import type { Static } from 'typebox'
import type { FieldError } from '../../../../errors.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { mapInTurns } from '../../../../lib/runtime/concurrency/map-in-turns.ts'
import { createReadyPosts } from '../../authoring/create-posts.ts'
import { byMember, type ReadyPost } from '../../authoring/insert-posts.ts'
import { findMedia, type MediaById, missingMedia } from '../../record/post-media.ts'
import type { NewPost } from '../../record/posts.schema.ts'
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
  if (planned.length === 0) return []
  const checked = await checkAll(tx, caller.workspace_id, planned, now)
  const ready = checked.flatMap((post) => ('errors' in post ? [] : [post]))
  const posts = await createReadyPosts(tx, caller, ready, { now, entry, actor_id: caller.user_id })
  const ids = new Map(ready.map((post, index) => [post, posts[index]?.id]))
  return checked.map((post) => {
    if ('errors' in post) return post
    const id = ids.get(post)
    if (id === undefined) throw new Error('A post of an import was not created')
    return { id }
  })
}

/** Each of the posts as it can be written, or the problems that keep it from that. */
async function checkAll(tx: Tx, workspace_id: string, planned: readonly PlannedPost[], now: Date) {
  const posts = planned.map(({ input, review_at }) => ({ input, review_at, targets: requestedTargets(input) ?? [] }))
  const named = new Set(posts.flatMap(({ targets }) => targets.map(({ account_id }) => account_id)))
  const accounts = await readCheckedAccounts(tx, workspace_id, [...named], { lock: true })
  const files = { media_ids: posts.flatMap(({ input }) => input.media_ids ?? []), thread: null, targets: [] }
  const { media } = await findMedia(tx, workspace_id, files)
  return mapInTurns(posts, ({ input, review_at, targets }): ReadyPost | { errors: FieldError[] } => {
    const missing = missingMedia({ media_ids: input.media_ids ?? [], thread: null, targets: [] }, media)
    const draft = draftRecord(input, { requested: targets, accounts })
    const { refused, unfit } = checkPost(input, { ...draft, media, missing }, now)
    const time = input.scheduled_at ? new Date(input.scheduled_at) : null
    // A draft may have what keeps it from being scheduled.
    const isDraft = time === null && review_at === undefined
    const errors = isDraft ? refused : [...refused, ...unfit]
    if (errors.length > 0) return { errors }
    return {
      ...draft,
      media: mediaOf(draft.texts.media_ids, media),
      labels: input.labels ?? [],
      warnings: isDraft ? unfit.map(({ code: _, ...warning }) => warning) : [],
      ...{ time, queued_for: null, is_idea: input.is_idea ?? false, isImported: true },
      origin: review_at === undefined ? byMember : { ...byMember, review: 'pending', review_scheduled_at: review_at },
    }
  })
}

const mediaOf = (ids: readonly string[], media: MediaById): MediaById =>
  new Map(
    ids.flatMap((id) => {
      const file = media.get(id)
      return file ? [[id, file] as const] : []
    }),
  )
