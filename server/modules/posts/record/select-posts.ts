import { sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import { type Db, prepared } from '../../../lib/db/database.ts'
import type { AccountLimits } from '../../networks/capabilities.ts'
import { selectShownMedia } from './post-media.ts'
import type { StoredPart, Target } from './posts.schema.ts'
import { targetWarning } from './target-warning.ts'

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
      'post.is_idea',
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

/** The posts of any workspaces with these ids, in no order. */
export const readPosts = (db: Db, ids: string[]) => findPosts(db, { ids })

const findPosts = prepared((db, { ids }: { ids: string[] }) =>
  selectPosts(db).where('post.id', '=', sql<string>`any(${ids}::uuid[])`),
)

export async function readPost(db: Db, { workspace_id }: { workspace_id: string }, id: string) {
  const [row] = await findPost(db, { id, workspace_id })
  if (!row) throw notFound()
  return row
}
