import { sql } from 'kysely'
import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { invalid, invalidTransition, limitExceeded, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { doneBy } from '../../auth/event-actor.ts'
import {
  changeCommentNotifications,
  deleteCommentNotifications,
  notifyMentioned,
  notifyOfComment,
} from './comment-notifications.ts'
import { commentEvents } from './comments.events.ts'
import type { Comment, CommentChanges, commentParams, NewComment } from './comments.schema.ts'
import { checkMentions, mentionedIn, namesOfMembers, storedBody } from './mentions.ts'

const MAX_COMMENTS = 500
const EDITABLE_MS = 15 * MINUTE

type Params = Static<typeof commentParams>
type Workspace = Pick<Member, 'workspace_id'>
type Context = Pick<Deps, 'db' | 'clock'>

type Person = { id: string; name: string } | null
const person = (table: string) =>
  sql<Person>`case when ${sql.ref(`${table}.id`)} is not null
    then json_build_object('id', ${sql.ref(`${table}.id`)}, 'name', ${sql.ref(`${table}.name`)}) end`

const select = (db: Db, workspace_id: string, post_id: string) =>
  db
    .selectFrom('post_comment')
    .innerJoin('post', 'post.id', 'post_comment.post_id')
    .leftJoin('user as writer', 'writer.id', 'post_comment.author_id')
    .leftJoin('user as resolver', 'resolver.id', 'post_comment.resolved_by_id')
    .select(['post_comment.id', 'post_comment.post_id', 'post_comment.parent_id', 'post_comment.body'])
    .select(['post_comment.resolved_at', 'post_comment.edited_at', 'post_comment.created_at'])
    .select(['post_comment.updated_at', 'post_comment.version'])
    .select([person('writer').as('author'), person('resolver').as('resolved_by')])
    .where('post_comment.workspace_id', '=', workspace_id)
    .where('post_comment.post_id', '=', post_id)
    .where('post.deleted_at', 'is', null)

async function withMentions<Row extends { body: string | null }>(db: Db, workspace_id: string, rows: readonly Row[]) {
  const names = await namesOfMembers(db, workspace_id, [...new Set(rows.flatMap(({ body }) => mentionedIn(body)))])
  return rows.map((row) => ({
    ...row,
    mentions: mentionedIn(row.body).flatMap((id) => {
      const name = names.get(id)
      return name === undefined ? [] : [{ id, name }]
    }),
  }))
}

/** Lists the comments on a post, newest first. */
export async function listComments(db: Db, { workspace_id }: Workspace, post_id: string, input: PageInput) {
  const post = await db
    .selectFrom('post')
    .select('id')
    .where('id', '=', post_id)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!post) throw notFound()
  const { data, next_cursor } = await page(select(db, workspace_id, post_id), 'post_comment.id', input)
  return { data: await withMentions(db, workspace_id, data), next_cursor }
}

export async function readComment(
  db: Db,
  { workspace_id }: Workspace,
  { id, comment_id }: Params,
): Promise<Static<typeof Comment>> {
  const row = await select(db, workspace_id, id).where('post_comment.id', '=', comment_id).executeTakeFirst()
  const [comment] = row ? await withMentions(db, workspace_id, [row]) : []
  if (!comment) throw notFound()
  return comment
}

/** Locks a post for a change of its comments: they are counted, and a deletion looks for replies. */
async function lockPostForComments(tx: Tx, { workspace_id }: Workspace, id: string) {
  const post = await tx
    .selectFrom('post')
    .select(['id', 'content', 'author_id', 'workspace_id'])
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!post) throw notFound()
  return post
}

async function lockComment(tx: Tx, caller: Workspace, { id, comment_id }: Params) {
  const post = await lockPostForComments(tx, caller, id)
  const comment = await tx
    .selectFrom('post_comment')
    .select(['id', 'parent_id', 'author_id', 'body', 'resolved_at', 'created_at', 'version'])
    .where('id', '=', comment_id)
    .where('post_id', '=', id)
    .where('workspace_id', '=', caller.workspace_id)
    .forUpdate()
    .executeTakeFirst()
  if (!comment) throw notFound()
  return { post, comment }
}

const eventOf = {
  created: commentEvents['post.comment.created'],
  changed: commentEvents['post.comment.changed'],
  deleted: commentEvents['post.comment.deleted'],
  resolved: commentEvents['post.comment.resolved'],
  reopened: commentEvents['post.comment.reopened'],
}

/** Emits the event of a change, with the comment as it is now, and writes its audit entry, which has no text. */
async function record(tx: Tx, caller: Member, params: Params, happened: keyof typeof eventOf, now: Date) {
  const comment = await readComment(tx, caller, params)
  await emit(tx, eventOf[happened], caller.workspace_id, { comment, by: doneBy(caller) }, now)
  await audit(tx, caller, `post.comment_${happened}`, params.id, { comment_id: params.comment_id })
  return comment
}

/** Comments on a post, or replies. A reply reopens its discussion, so that nobody overlooks it. */
export const createComment = (
  { db, clock }: Context,
  caller: Member,
  post_id: string,
  input: Static<typeof NewComment>,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { workspace_id, user_id } = caller
    const post = await lockPostForComments(tx, caller, post_id)
    const body = storedBody(input.body)
    const names = await checkMentions(tx, workspace_id, mentionedIn(body))
    const parent = input.parent_id ? await readParent(tx, caller, { id: post_id, comment_id: input.parent_id }) : null
    const { count } = await tx
      .selectFrom('post_comment')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('post_id', '=', post_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_COMMENTS)
      throw limitExceeded('comments', MAX_COMMENTS, count, `A post can have at most ${MAX_COMMENTS} comments.`)
    const id = await newId(tx)
    await tx
      .insertInto('post_comment')
      .values({
        ...{ id, workspace_id, post_id, body, author_id: user_id, created_at: now, updated_at: now },
        parent_id: parent?.id ?? null,
      })
      .execute()
    if (parent?.resolved_at) await setResolved(tx, caller, { id: post_id, comment_id: parent.id }, null, now)
    const comment = await record(tx, caller, { id: post_id, comment_id: id }, 'created', now)
    const notified = { post, id, discussion_id: parent?.id ?? id, body, names, caller, now }
    await notifyMentioned(tx, notified, [...names.keys()])
    await notifyOfComment(tx, notified)
    return comment
  })

async function readParent(tx: Tx, caller: Workspace, { id, comment_id }: Params) {
  const parent = await select(tx, caller.workspace_id, id).where('post_comment.id', '=', comment_id).executeTakeFirst()
  if (!parent || parent.body === null)
    throw invalid('/parent_id', {
      en: 'There is no such comment on this post.',
      tr: 'Bu gönderide böyle bir yorum yok.',
    })
  if (parent.parent_id)
    throw invalid('/parent_id', { en: 'A reply cannot be replied to.', tr: 'Bir yanıta yanıt verilemez.' })
  return parent
}

export const changeComment = (
  { db, clock }: Context,
  caller: Member,
  params: Params,
  input: Static<typeof CommentChanges>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { post, comment: before } = await lockComment(tx, caller, params)
    ifMatch(before.version)
    if (before.body === null) throw notFound()
    if (before.author_id !== caller.user_id)
      throw problem('forbidden_role', { detail: 'Members can edit only their own comments.' })
    if (now.getTime() - before.created_at.getTime() > EDITABLE_MS) throw problem('comment_edit_too_late')
    const body = storedBody(input.body)
    if (body === before.body) return readComment(tx, caller, params)
    const known = mentionedIn(before.body)
    const added = mentionedIn(body).filter((id) => !known.includes(id))
    await checkMentions(tx, caller.workspace_id, added)
    const names = await namesOfMembers(tx, caller.workspace_id, mentionedIn(body))
    await tx
      .updateTable('post_comment')
      .set({ body, edited_at: now, updated_at: nextUpdatedAt(now) })
      .where('id', '=', params.comment_id)
      .execute()
    const comment = await record(tx, caller, params, 'changed', now)
    const notified = { post, id: before.id, discussion_id: before.parent_id ?? before.id, body, names, caller, now }
    await changeCommentNotifications(tx, notified)
    await notifyMentioned(tx, notified, added, comment.version)
    return comment
  })

/** Deletes a comment. One with replies stays without its text and author until the last reply is deleted. */
export const deleteComment = ({ db, clock }: Context, caller: Member, params: Params) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { post, comment } = await lockComment(tx, caller, params)
    if (comment.body === null) throw notFound()
    if (comment.author_id !== caller.user_id && !atLeast(caller.role, 'editor'))
      throw problem('forbidden_role', { detail: 'Authors can delete only their own comments.' })
    await record(tx, caller, params, 'deleted', now)
    if (await hasReplies(tx, comment.id))
      await tx
        .updateTable('post_comment')
        .set({ body: null, author_id: null, edited_at: null, updated_at: nextUpdatedAt(now) })
        .where('id', '=', comment.id)
        .execute()
    else await tx.deleteFrom('post_comment').where('id', '=', comment.id).execute()
    const { parent_id } = comment
    if (parent_id && !(await hasReplies(tx, parent_id)))
      await tx.deleteFrom('post_comment').where('id', '=', parent_id).where('body', 'is', null).execute()
    await deleteCommentNotifications(tx, post.id, comment.id)
  })

async function hasReplies(tx: Tx, id: string) {
  const reply = await tx.selectFrom('post_comment').select('id').where('parent_id', '=', id).limit(1).executeTakeFirst()
  return reply !== undefined
}

async function setResolved(tx: Tx, caller: Member, params: Params, resolved_at: Date | null, now: Date) {
  await tx
    .updateTable('post_comment')
    .set({ resolved_at, resolved_by_id: resolved_at && caller.user_id, updated_at: nextUpdatedAt(now) })
    .where('id', '=', params.comment_id)
    .execute()
  return record(tx, caller, params, resolved_at ? 'resolved' : 'reopened', now)
}

const settleDiscussion =
  (isResolved: boolean) =>
  ({ db, clock }: Context, caller: Member, params: Params) =>
    inTransaction(db, async (tx) => {
      const now = clock.now()
      const { comment } = await lockComment(tx, caller, params)
      if (comment.parent_id) throw invalidTransition('reply', `${isResolved ? 'resolve' : 'reopen'} a discussion`)
      if ((comment.resolved_at !== null) === isResolved) return readComment(tx, caller, params)
      return setResolved(tx, caller, params, isResolved ? now : null, now)
    })

/** Resolves a discussion by its first comment. */
export const resolveDiscussion = settleDiscussion(true)
export const reopenDiscussion = settleDiscussion(false)
