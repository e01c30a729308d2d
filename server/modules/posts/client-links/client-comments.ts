import type { Static } from 'typebox'
import { notFound, problem } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Origin } from '../../../lib/http/access.ts'
import { createClientComment } from '../comments/comments.ts'
import { withNames } from '../comments/mentions.ts'
import { selectComments, withMentions } from '../comments/read-comments.ts'
import type { ClientComment, NewClientComment } from './client-review.schema.ts'
import { lockLink, type OpenLink } from './client-session.ts'
import { findReviewedPost } from './reviewed-posts.ts'

type Read = Awaited<ReturnType<typeof withMentions<Awaited<ReturnType<typeof readRows>>['data'][number]>>>[number]

const readRows = (db: Db, { workspace_id }: OpenLink, post_id: string, input: PageInput) =>
  page(
    selectComments(db, workspace_id, post_id).where('post_comment.audience', '=', 'client'),
    'post_comment.id',
    input,
  )

/** Nothing of a member but the name. */
/** Without the version: clients change no comments. */
const toClientComment = ({
  mentions,
  author,
  client,
  body,
  version: _,
  ...comment
}: Read): Static<typeof ClientComment> => ({
  ...comment,
  body: body && withNames(body, new Map(mentions.map(({ id, name }) => [id, name]))),
  written_by: body === null ? null : client ? 'client' : 'team',
  name: client?.name ?? author?.name ?? null,
})

async function checkShown(db: Db, link: OpenLink, post_id: string) {
  if (!(await findReviewedPost(db, link, post_id))) throw notFound()
}

/** Lists the comments that the client of a link reads on a post that the link shows, newest first. */
export async function listClientComments({ db }: Pick<Deps, 'db'>, link: OpenLink, post_id: string, input: PageInput) {
  await checkShown(db, link, post_id)
  const { data, next_cursor } = await readRows(db, link, post_id, input)
  return { data: (await withMentions(db, link.workspace_id, data)).map(toClientComment), next_cursor }
}

/** Comments on a post as the client of a link, for its team. */
export async function commentAsClient(
  deps: Deps,
  origin: Origin,
  link: OpenLink,
  post_id: string,
  { name, ...input }: Static<typeof NewClientComment>,
) {
  const { workspace_id } = link
  if (!link.may_decide) throw problem('not_an_approver', { detail: 'This link is for looking only.' })
  const actor = { ...origin, user_id: null, workspace_id, client_link_id: link.id }
  const client = { name: name.trim(), client_link: link }
  const comment = await createClientComment(deps, { workspace_id, actor, client }, post_id, input, async (tx) => {
    await lockLink(tx, link, deps.clock.now())
    await checkShown(tx, link, post_id)
  })
  return toClientComment({ ...comment, mentions: [] })
}
