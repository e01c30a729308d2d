import { prepared, type Tx } from '../../../lib/db/database.ts'
import type { PostReview, PostStatus } from '../../../lib/db/database-types.ts'

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

type PostRow = PostOrigin & {
  workspace_id: string
  author_id: string
  content: string
  media_ids: string[]
  thread: string
  first_comment: string | null
  labels: string[]
  warnings: string
  status: PostStatus
  is_idea: boolean
  scheduled_at: Date | null
  queued_for: Date | null
  counted_in: string | null
  now: Date
}
const insertPostRow = prepared((db, row: PostRow) =>
  db
    .insertInto('post')
    .values({
      workspace_id: row.workspace_id,
      author_id: row.author_id,
      content: row.content,
      media_ids: row.media_ids,
      thread: row.thread,
      first_comment: row.first_comment,
      labels: row.labels,
      warnings: row.warnings,
      status: row.status,
      is_idea: row.is_idea,
      scheduled_at: row.scheduled_at,
      queued_for: row.queued_for,
      counted_in: row.counted_in,
      agent_run_id: row.agent_run_id,
      agent_position: row.agent_position,
      recurring_post_id: row.recurring_post_id,
      review: row.review,
      review_scheduled_at: row.review_scheduled_at,
      created_at: row.now,
      updated_at: row.now,
    })
    .returning('id'),
)

/** Writes a new post without its targets. Returns its id. */
export async function insertPost(tx: Tx, row: PostRow) {
  const [post] = await insertPostRow(tx, row)
  if (!post) throw new Error('PostgreSQL returned no row')
  return post.id
}
