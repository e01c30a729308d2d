import type { Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Kind } from '../../notifications/kinds.ts'
import { actingUser, changeDetail, deleteNotifications, findNotified, notify } from '../../notifications/notify.ts'
import { mentionedIn, withNames } from './mentions.ts'

type NotifiedComment = {
  post: { id: string; workspace_id: string; content: string; author_id: string | null }
  id: string
  discussion_id: string
  body: string
  names: ReadonlyMap<string, string>
  caller: Member
  now: Date
}

const about = ({ post, body, names, caller }: NotifiedComment) => ({
  workspace_id: post.workspace_id,
  subject: { id: post.id, name: post.content },
  detail: withNames(body, names),
  actor_id: actingUser(caller),
})

const kindsOfComments = ['comment.mentioned', 'comment.created'] as const

const causeOf = (post_id: string, id: string, kinds: readonly Kind[] = kindsOfComments) => ({
  kinds,
  subject_id: post_id,
  cause: id,
})

/**
 * Notifies members whom a comment mentions, each once however often it is edited. `version`: that of an edit, which
 * mentions others than before.
 */
export async function notifyMentioned(
  tx: Tx,
  notified: NotifiedComment,
  user_ids: readonly string[],
  version?: number,
) {
  const known =
    version === undefined ? [] : await findNotified(tx, causeOf(notified.post.id, notified.id, ['comment.mentioned']))
  const others = user_ids.filter((id) => !known.includes(id))
  if (others.length === 0) return
  const cause = version === undefined ? notified.id : `${notified.id}:${version}`
  await notify(tx, { kind: 'comment.mentioned', ...about(notified), to: { user_ids: others }, cause }, notified.now)
}

/** Notifies the author of the post and those who wrote in the discussion, except those whom the comment mentions. */
export async function notifyOfComment(tx: Tx, notified: NotifiedComment) {
  const { post, id, discussion_id, body, now } = notified
  const writers = await tx
    .selectFrom('post_comment')
    .select('author_id')
    .distinct()
    .where((where) => where.or([where('id', '=', discussion_id), where('parent_id', '=', discussion_id)]))
    .where('id', '<>', id)
    .execute()
  const mentioned = mentionedIn(body)
  const participants = new Set([post.author_id, ...writers.map(({ author_id }) => author_id)])
  const user_ids = [...participants].filter((user_id) => user_id !== null && !mentioned.includes(user_id))
  if (user_ids.length === 0) return
  await notify(tx, { kind: 'comment.created', ...about(notified), to: { user_ids }, cause: id }, now)
}

/** Writes the edited text into the notifications of a comment. */
export const changeCommentNotifications = (tx: Tx, { post, id, body, names }: NotifiedComment) =>
  changeDetail(tx, causeOf(post.id, id), withNames(body, names))

/** Deletes the notifications of a comment, because they have its text. */
export const deleteCommentNotifications = (tx: Tx, post_id: string, id: string) =>
  deleteNotifications(tx, causeOf(post_id, id))
