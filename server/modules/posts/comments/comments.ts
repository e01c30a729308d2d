import { sql } from 'kysely'
import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { invalid, invalidTransition, limitExceeded, notFound, problem } from '../../../errors.ts'
import { type Actor, audit } from '../../../lib/db/audit.ts'
import { inTransaction, newId, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { type By, doneBy } from '../../auth/event-actor.ts'
import { actingUser } from '../../notifications/notify.ts'
import {
  type Client,
  changeCommentNotifications,
  deleteCommentNotifications,
  notifyMentioned,
  notifyOfComment,
} from './comment-notifications.ts'
import { commentEvents } from './comments.events.ts'
import type { CommentChanges, NewComment } from './comments.schema.ts'
import { checkMentions, mentionedIn, namesOfMembers, storedBody, withoutMentions } from './mentions.ts'
import { type Params, readComment, selectComments, type Workspace } from './read-comments.ts'

const MAX_COMMENTS = 500
const EDITABLE_MS = 15 * MINUTE

type Context = Pick<Deps, 'db' | 'clock'>

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

/** A member, or the client of a link, who writes. */
type Writer = {
  workspace_id: string
  actor: Actor
  by: Static<typeof By> | null
  /** The member who acted by hand, who is not notified. */
  actor_id: string | null
  client: Client | null
}

const memberWriter = (caller: Member): Writer => ({
  workspace_id: caller.workspace_id,
  actor: caller,
  by: doneBy(caller),
  actor_id: actingUser(caller),
  client: null,
})

const eventOf = {
  created: commentEvents['post.comment.created'],
  changed: commentEvents['post.comment.changed'],
  deleted: commentEvents['post.comment.deleted'],
  resolved: commentEvents['post.comment.resolved'],
  reopened: commentEvents['post.comment.reopened'],
}

/** Emits the event of a change, with the comment as it is now, and writes its audit entry, which has no text. */
async function record(tx: Tx, writer: Writer, params: Params, happened: keyof typeof eventOf, now: Date) {
  const { workspace_id, by, client, actor } = writer
  const comment = await readComment(tx, writer, params)
  if (happened === 'created' || happened === 'reopened') {
    const client_link = client && { id: client.client_link.id, name: client.client_link.name }
    await emit(tx, eventOf[happened], workspace_id, { comment, by, client_link }, now)
  } else if (by) await emit(tx, eventOf[happened], workspace_id, { comment, by }, now)
  await audit(tx, actor, `post.comment_${happened}`, params.id, { comment_id: params.comment_id })
  return comment
}

/** Comments on a post, or replies. */
export const createComment = (
  { db, clock }: Context,
  caller: Member,
  post_id: string,
  { parent_id = null, audience = 'team', ...input }: Static<typeof NewComment>,
) =>
  inTransaction(db, async (tx) => {
    const post = await lockPostForComments(tx, caller, post_id)
    const body = storedBody(input.body)
    const names = await checkMentions(tx, caller.workspace_id, mentionedIn(body))
    return insertComment(tx, memberWriter(caller), post, { parent_id, audience, body, names, now: clock.now() })
  })

/** Comments on a post that the link of a client shows. `checkShown` throws for any other, while the post is locked. */
export const createClientComment = (
  { db, clock }: Context,
  { workspace_id, client, actor }: Pick<Writer, 'workspace_id' | 'actor'> & { client: Client },
  post_id: string,
  input: { parent_id?: string | null; body: string },
  checkShown: (tx: Tx) => Promise<unknown>,
) =>
  inTransaction(db, async (tx) => {
    const post = await lockPostForComments(tx, { workspace_id }, post_id)
    await checkShown(tx)
    return insertComment(tx, { workspace_id, actor, by: null, actor_id: null, client }, post, {
      parent_id: input.parent_id ?? null,
      audience: 'client',
      body: withoutMentions(input.body),
      names: new Map(),
      now: clock.now(),
    })
  })

type Inserted = {
  parent_id: string | null
  audience: 'team' | 'client'
  body: string
  names: ReadonlyMap<string, string>
  now: Date
}

/** Inserts a comment. A reply reopens its discussion, so that nobody overlooks it. */
async function insertComment(
  tx: Tx,
  writer: Writer,
  post: Awaited<ReturnType<typeof lockPostForComments>>,
  { parent_id, audience, body, names, now }: Inserted,
) {
  const { workspace_id, by, client, actor_id } = writer
  const parent = parent_id ? await readParent(tx, writer, { id: post.id, comment_id: parent_id }, audience) : null
  const { count } = await tx
    .selectFrom('post_comment')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('post_id', '=', post.id)
    .executeTakeFirstOrThrow()
  if (count >= MAX_COMMENTS)
    throw limitExceeded('comments', MAX_COMMENTS, count, `A post can have at most ${MAX_COMMENTS} comments.`)
  const id = await newId(tx)
  await tx
    .insertInto('post_comment')
    .values({
      ...{ id, workspace_id, post_id: post.id, audience, body, created_at: now, updated_at: now },
      author_id: by?.id ?? null,
      parent_id: parent?.id ?? null,
      ...(client && {
        client_link_id: client.client_link.id,
        client_name: client.client_link.name,
        writer_name: client.name,
      }),
    })
    .execute()
  if (parent?.resolved_at) await setResolved(tx, writer, { id: post.id, comment_id: parent.id }, null, now)
  const comment = await record(tx, writer, { id: post.id, comment_id: id }, 'created', now)
  const notified = { post, id, discussion_id: parent?.id ?? id, body, names, actor_id, client, now }
  await notifyMentioned(tx, notified, [...names.keys()])
  await notifyOfComment(tx, notified)
  return comment
}

async function readParent(tx: Tx, { workspace_id, client }: Writer, { id, comment_id }: Params, audience: string) {
  const parent = await selectComments(tx, workspace_id, id).where('post_comment.id', '=', comment_id).executeTakeFirst()
  if (!parent || parent.body === null || (client && parent.audience !== audience))
    throw invalid('/parent_id', {
      en: 'There is no such comment on this post.',
      tr: 'Bu gönderide böyle bir yorum yok.',
    })
  if (parent.parent_id)
    throw invalid('/parent_id', { en: 'A reply cannot be replied to.', tr: 'Bir yanıta yanıt verilemez.' })
  if (parent.audience !== audience)
    throw invalid('/audience', {
      en: `The audience of this discussion is ${parent.audience}. Set it for the reply, too.`,
      tr: `Bu tartışmanın kitlesi ${parent.audience}. Yanıt için de aynısını belirtin.`,
    })
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
    const comment = await record(tx, memberWriter(caller), params, 'changed', now)
    const notified = {
      post,
      id: before.id,
      discussion_id: before.parent_id ?? before.id,
      body,
      names,
      actor_id: actingUser(caller),
      now,
    }
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
    await record(tx, memberWriter(caller), params, 'deleted', now)
    if (await hasReplies(tx, comment.id))
      await tx
        .updateTable('post_comment')
        .set({ body: null, author_id: null, edited_at: null, updated_at: nextUpdatedAt(now) })
        .set({ client_link_id: null, client_name: null, writer_name: null })
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

async function setResolved(tx: Tx, writer: Writer, params: Params, resolved_at: Date | null, now: Date) {
  await tx
    .updateTable('post_comment')
    .set({ resolved_at, resolved_by_id: resolved_at && (writer.by?.id ?? null), updated_at: nextUpdatedAt(now) })
    .where('id', '=', params.comment_id)
    .execute()
  return record(tx, writer, params, resolved_at ? 'resolved' : 'reopened', now)
}

const settleDiscussion =
  (isResolved: boolean) =>
  ({ db, clock }: Context, caller: Member, params: Params) =>
    inTransaction(db, async (tx) => {
      const now = clock.now()
      const { comment } = await lockComment(tx, caller, params)
      if (comment.parent_id) throw invalidTransition('reply', `${isResolved ? 'resolve' : 'reopen'} a discussion`)
      if ((comment.resolved_at !== null) === isResolved) return readComment(tx, caller, params)
      return setResolved(tx, memberWriter(caller), params, isResolved ? now : null, now)
    })

/** Resolves a discussion by its first comment. */
export const resolveDiscussion = settleDiscussion(true)
export const reopenDiscussion = settleDiscussion(false)
