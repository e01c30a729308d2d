import { sql } from 'kysely'
import { prepared, type Tx } from '../../../lib/db/database.ts'
import type { PostReview } from '../../../lib/db/database-types.ts'
import type { Member } from '../../../lib/http/access.ts'
import { distinctLabels } from '../../../lib/text.ts'
import { insertPostMedia, type MediaById } from '../record/post-media.ts'
import { quotaMonth, uncounted } from '../record/quota.ts'
import type { Draft } from '../validation/read-draft.ts'
import { writeTargets } from './targets.ts'

/**
 * The run of an agent that wrote a post, the place of the post there, and its review. A run has one post at each. Or the
 * recurring post of which it is an occurrence.
 */
export type PostOrigin = {
  agent_run_id: string | null
  agent_position: number | null
  recurring_post_id: string | null
  review: PostReview
  review_scheduled_at: Date | null
}
export const byMember: PostOrigin = {
  agent_run_id: null,
  agent_position: null,
  recurring_post_id: null,
  review: 'none',
  review_scheduled_at: null,
}

/** A post that was checked and can be written. `time`: it is scheduled for then; null: a draft. */
export type ReadyPost = Pick<Draft, 'texts' | 'requested' | 'listed'> & {
  media: MediaById
  labels: readonly string[]
  warnings: { pointer: string; message: string; translations?: { tr: string } }[]
  time: Date | null
  is_idea: boolean
  queued_for: Date | null
  origin: PostOrigin
  isImported?: boolean
}

/** What the history shows as the source of the first version, which is not written before the post changes. */
const sourceOf = ({ origin, isImported }: ReadyPost, { token }: Member) =>
  origin.agent_run_id
    ? 'agent'
    : origin.recurring_post_id
      ? 'recurring_post'
      : isImported
        ? 'import'
        : token
          ? 'api'
          : 'console'

/** Writes new posts with their targets and files. Returns their ids, in the order of the posts. */
export async function insertPosts(tx: Tx, caller: Member, posts: readonly ReadyPost[], now: Date) {
  const { workspace_id, user_id, token } = caller
  const records = posts.map((post) => ({
    ...{ ...post.texts, ...post.origin, warnings: post.warnings, labels: distinctLabels(post.labels) },
    status: post.time ? 'scheduled' : 'draft',
    is_idea: post.is_idea,
    scheduled_at: post.time,
    queued_for: post.queued_for,
    counted_in: post.time && quotaMonth(uncounted, now),
    created_from: sourceOf(post, caller),
  }))
  const shared = { workspace_id, author_id: user_id, created_by_token: token?.id ?? null, now }
  const rows = await insertRows(tx, { ...shared, records: JSON.stringify(records) })
  // Ids grow in the order in which the rows were listed.
  const ids = rows.map(({ id }) => id).sort()
  const written = posts.map((post, index) => ({ ...post, id: ids[index] ?? '' }))
  await writeTargets(
    tx,
    workspace_id,
    written.map(({ id, requested, listed }) => ({ id, targets: requested, listed })),
  )
  await insertPostMedia(
    tx,
    written.flatMap(({ id: post_id, media }) => [...media.keys()].map((media_id) => ({ media_id, post_id }))),
  )
  return ids
}

type Rows = { workspace_id: string; author_id: string; created_by_token: string | null; now: Date; records: string }

/** `records`: JSON of the other columns. */
const insertRows = prepared(
  (_, { workspace_id, author_id, created_by_token, now, records }: Rows) => sql<{ id: string }>`
    insert into post (id, workspace_id, author_id, content, media_ids, thread, first_comment, labels, warnings, status, is_idea,
      scheduled_at, queued_for, counted_in, agent_run_id, agent_position, recurring_post_id, review, review_scheduled_at,
      created_from, created_by_token, created_at, updated_at)
    select uuidv7(), ${workspace_id}::uuid, ${author_id}::uuid, content, media_ids, thread, first_comment, labels, warnings,
      status, is_idea, scheduled_at, queued_for, counted_in, agent_run_id, agent_position, recurring_post_id, review,
      review_scheduled_at, created_from, ${created_by_token}::uuid, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${records}::json) as listed (content text, media_ids uuid[], thread jsonb, first_comment text,
      labels text[], warnings jsonb, status post_status, is_idea boolean, scheduled_at timestamptz, queued_for timestamptz, counted_in date,
      agent_run_id uuid, agent_position int, recurring_post_id uuid, review post_review, review_scheduled_at timestamptz,
      created_from text)
    returning id`,
)
