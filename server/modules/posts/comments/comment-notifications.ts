import type { Tx } from '../../../lib/db/database.ts'
import type { Kind } from '../../notifications/kinds.ts'
import { changeDetail, deleteNotifications, findNotified, notify } from '../../notifications/notify.ts'
import { mentionedIn, withNames } from './mentions.ts'

/** The client of a link, and the name that the person gave. */
export type Client = { name: string; client_link: { id: string; name: string; created_by: string | null } }

type NotifiedComment = {
  post: { id: string; workspace_id: string; content: string; author_id: string | null }
  id: string
  discussion_id: string
  body: string
  names: ReadonlyMap<string, string>
  /** The member who acted by hand, who is not notified. */
  actor_id: string | null
  client?: Client | null
  now: Date
}

const about = ({ post, body, names, actor_id, client }: NotifiedComment) => ({
  workspace_id: post.workspace_id,
  subject: { id: post.id, name: post.content },
  detail: `${client ? `${client.name} (${client.client_link.name}): ` : ''}${withNames(body, names)}`,
  actor_id,
})

const kindsOfComments = ['comment.mentioned', 'comment.created', 'comment.from_client'] as const

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

/**
 * Notifies the author of the post and those who wrote in the discussion, except those whom the comment mentions. Of a
 * comment by a client, also the member who created the link: a post may have no author any more.
 */
export async function notifyOfComment(tx: Tx, notified: NotifiedComment) {
  const { post, id, discussion_id, body, client, now } = notified
  const writers = await tx
    .selectFrom('post_comment')
    .select('author_id')
    .distinct()
    .where((where) => where.or([where('id', '=', discussion_id), where('parent_id', '=', discussion_id)]))
    .where('id', '<>', id)
    .execute()
  const mentioned = mentionedIn(body)
  const participants = new Set([
    post.author_id,
    ...writers.map(({ author_id }) => author_id),
    ...(client ? [client.client_link.created_by] : []),
  ])
  const user_ids = [...participants].filter((user_id) => user_id !== null && !mentioned.includes(user_id))
  if (user_ids.length === 0) return
  const kind = client ? 'comment.from_client' : 'comment.created'
  await notify(tx, { kind, ...about(notified), to: { user_ids }, cause: id }, now)
}

/** Writes the edited text into the notifications of a comment. */
export const changeCommentNotifications = (tx: Tx, { post, id, body, names }: NotifiedComment) =>
  changeDetail(tx, causeOf(post.id, id), withNames(body, names))

/** Deletes the notifications of a comment, because they have its text. */
export const deleteCommentNotifications = (tx: Tx, post_id: string, id: string) =>
  deleteNotifications(tx, causeOf(post_id, id))
