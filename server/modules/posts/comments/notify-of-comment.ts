import type { Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Kind } from '../../notifications/kinds.ts'
import { actingUser, changeDetail, deleteNotifications, findTold, notify } from '../../notifications/notify.ts'
import { mentionedIn, withNames } from './mentions.ts'

type Said = {
  post: { id: string; workspace_id: string; content: string; author_id: string | null }
  id: string
  discussion_id: string
  body: string
  names: ReadonlyMap<string, string>
  caller: Member
  now: Date
}

const about = ({ post, body, names, caller }: Said) => ({
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
 * Tells members that a comment mentions them, each once however often it is edited. `version`: that of an edit, which
 * mentions others than before.
 */
export async function notifyMentioned(tx: Tx, said: Said, user_ids: readonly string[], version?: number) {
  const told = version === undefined ? [] : await findTold(tx, causeOf(said.post.id, said.id, ['comment.mentioned']))
  const untold = user_ids.filter((id) => !told.includes(id))
  if (untold.length === 0) return
  const cause = version === undefined ? said.id : `${said.id}:${version}`
  await notify(tx, { kind: 'comment.mentioned', ...about(said), to: { user_ids: untold }, cause }, said.now)
}

/** Tells the author of the post and those who wrote in the discussion. Those whom the comment mentions are told so already. */
export async function notifyOfComment(tx: Tx, said: Said) {
  const { post, id, discussion_id, body, now } = said
  const writers = await tx
    .selectFrom('post_comment')
    .select('author_id')
    .distinct()
    .where((where) => where.or([where('id', '=', discussion_id), where('parent_id', '=', discussion_id)]))
    .where('id', '<>', id)
    .execute()
  const mentioned = mentionedIn(body)
  const told = new Set([post.author_id, ...writers.map(({ author_id }) => author_id)])
  const user_ids = [...told].filter((user_id) => user_id !== null && !mentioned.includes(user_id))
  if (user_ids.length === 0) return
  await notify(tx, { kind: 'comment.created', ...about(said), to: { user_ids }, cause: id }, now)
}

/** Shows the edited text in what was told before. */
export const changeNotified = (tx: Tx, { post, id, body, names }: Said) =>
  changeDetail(tx, causeOf(post.id, id), withNames(body, names))

/** Deletes what was told of a comment, because it has the text of the comment. */
export const forgetComment = (tx: Tx, post_id: string, id: string) => deleteNotifications(tx, causeOf(post_id, id))
