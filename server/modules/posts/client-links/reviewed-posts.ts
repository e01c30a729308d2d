import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Language } from '../../../lib/language.ts'
import { listNetworks } from '../../networks/networks.ts'
import { readApprovals, waitsForClient } from '../approval/approval.ts'
import { hasOnlyItsAccounts, isInScope } from '../approval/client-link-scope.ts'
import { countClientComments } from '../comments/read-comments.ts'
import { selectPosts } from '../record/select-posts.ts'
import { type ClientReview, MAX_POSTS, type ReviewedPost } from './client-review.schema.ts'
import type { OpenLink } from './client-session.ts'

type Link = Pick<OpenLink, 'id' | 'workspace_id'>

/** Posts that may be shown: those that wait, and those that were decided by this link and are still as they were then. */
const candidates = (db: Db, { id, workspace_id }: Link) =>
  selectPosts(db)
    .innerJoin('client_link', 'client_link.workspace_id', 'post.workspace_id')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('review_decision')
          .select(['decision', 'reason'])
          .whereRef('review_decision.post_id', '=', 'post.id')
          .where('client_link_id', '=', id)
          .where(sql<boolean>`content_hash = post_content_hash(post.id)`)
          .orderBy('review_decision.id', 'desc')
          .limit(1)
          .as('decided'),
      (on) => on.onTrue(),
    )
    .select(['decided.decision', 'decided.reason'])
    .select(isInScope.as('is_in_scope'))
    .where('client_link.id', '=', id)
    .where('post.workspace_id', '=', workspace_id)
    .where('post.is_idea', '=', false)
    .where(hasOnlyItsAccounts)
    .where((where) =>
      where.or([where('decided.decision', 'is not', null), where.and([where('review', '=', 'pending'), isInScope])]),
    )
    // Posts that wait come first under the limit.
    .orderBy(sql`post.review = 'pending'`, 'desc')
    .orderBy(sql`coalesce(post.review_scheduled_at, post.scheduled_at)`)
    .orderBy('post.id')

/**
 * Reads what a link shows of its posts, or of some of them. A post waits only when the team has approved it in all other
 * steps. Contents and their hashes belong together in a snapshot, or while the posts are locked.
 */
async function readShown(db: Db, link: Link, only?: { post_id: string } | { media_id: string }) {
  const all = candidates(db, link)
  const rows = await (only === undefined
    ? all
    : 'post_id' in only
      ? all.where('post.id', '=', only.post_id)
      : all.where('post.id', 'in', (of) =>
          of.selectFrom('post_media').select('post_id').where('media_id', '=', only.media_id),
        )
  )
    .limit(MAX_POSTS)
    .execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const approvals = await readApprovals(db, link.workspace_id, ids)
  return rows.flatMap((post) => {
    const approval = approvals.get(post.id)
    if (!approval) return []
    const waits = post.review === 'pending' && post.is_in_scope && waitsForClient(approval)
    if (!waits && post.decision === null) return []
    return { post, content_hash: approval.content_hash, waits }
  })
}

/** The posts that wait for the client of a link, in the order of their times. */
export const listWaitingPosts = async (db: Db, link: Link) =>
  (await readShown(db, link))
    .filter(({ waits }) => waits)
    .toSorted(byTime)
    .map(({ post, content_hash }) => ({
      ...{ id: post.id, content: post.content, content_hash },
      scheduled_at: timeOf(post),
    }))

/** Whether a link shows a file: one of a post that it shows. */
export const showsMedia = async (db: Db, link: Link, media_id: string) =>
  (await readShown(db, link, { media_id })).some(({ post }) => filesOf(targetsOf(post)).has(media_id))

/** The post as the link shows it; undefined for any other post. */
export async function findReviewedPost(db: Db, link: Link, post_id: string) {
  const [shown] = await readShown(db, link, { post_id })
  if (!shown) return
  const [post] = await toReviewed(db, [shown])
  return post
}

type Shown = Awaited<ReturnType<typeof readShown>>[number]

/** The post as it goes out on each account. */
const targetsOf = ({ targets, ...post }: Shown['post']) =>
  targets.map((target) => ({
    account_id: target.account_id,
    content: target.content ?? post.content,
    media_ids: target.media_ids ?? post.media_ids,
    thread: target.thread ?? post.thread,
    first_comment: target.first_comment ?? post.first_comment,
    options: target.options,
  }))

const filesOf = (targets: ReturnType<typeof targetsOf>) =>
  new Set(targets.flatMap(({ media_ids, thread }) => [...media_ids, ...thread.flatMap((part) => part.media_ids)]))

const timeOf = ({ review_scheduled_at, scheduled_at }: Shown['post']) => review_scheduled_at ?? scheduled_at

/** Posts without a time come last. */
const byTime = ({ post: a }: Shown, { post: b }: Shown) =>
  (timeOf(a)?.getTime() ?? Infinity) - (timeOf(b)?.getTime() ?? Infinity) || a.id.localeCompare(b.id)

async function toReviewed(db: Db, shown: Shown[]): Promise<Static<typeof ReviewedPost>[]> {
  const ids = shown.map(({ post }) => post.id)
  const files =
    ids.length === 0
      ? []
      : await db
          .selectFrom('post_media')
          .innerJoin('media', 'media.id', 'post_media.media_id')
          .select(['post_media.post_id', 'media.id', 'media.kind', 'media.mime', 'media.width', 'media.height'])
          .select(['media.duration_s', 'media.alt'])
          .select(sql<string | null>`case when kind = 'document' then name end`.as('name'))
          .select(sql<boolean>`thumbnail_bytes is not null`.as('has_thumbnail'))
          .where('post_media.post_id', 'in', ids)
          .where('media.deleted_at', 'is', null)
          .execute()
  const comments = await countClientComments(db, ids)
  return shown.toSorted(byTime).map(({ post, content_hash, waits }) => {
    const targets = targetsOf(post)
    const used = filesOf(targets)
    return {
      id: post.id,
      content_version: content_hash,
      state: waits ? 'waiting' : post.decision === 'approved' ? 'approved' : 'change_requested',
      reason: waits ? null : post.reason,
      scheduled_at: timeOf(post),
      comments: comments.get(post.id) ?? 0,
      targets,
      media: files.filter(({ post_id, id }) => post_id === post.id && used.has(id)),
    }
  })
}

/** Everything that a link shows, in one snapshot. */
export function readClientReview(deps: Deps, link: OpenLink, language: Language): Promise<Static<typeof ClientReview>> {
  const { workspace_id, name, starts_on, ends_on, timezone, may_decide, expires_at } = link
  return deps.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const posts = await toReviewed(tx, await readShown(tx, link))
      const ids = [...new Set(posts.flatMap(({ targets }) => targets.map(({ account_id }) => account_id)))]
      const accounts =
        ids.length === 0
          ? []
          : await tx
              .selectFrom('account')
              .select(['id', 'network', 'name', 'handle', sql<boolean>`avatar is not null`.as('has_avatar')])
              .where('workspace_id', '=', workspace_id)
              .where('id', 'in', ids)
              .execute()
      const networks = (await listNetworks({ ...deps, db: tx }, link, language)).filter(({ id }) =>
        accounts.some(({ network }) => network === id),
      )
      return {
        workspace: { name: link.workspace_name, has_picture: link.picture_id !== null },
        ...{ name, starts_on, ends_on, timezone, may_decide, expires_at, accounts, networks, posts },
        gets_mails: link.client_email !== null && may_decide ? link.mails_stopped_at === null : null,
      }
    })
}
