import { sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Comment, commentParams } from './comments.schema.ts'
import { mentionedIn, namesOfMembers } from './mentions.ts'

export type Params = Static<typeof commentParams>
export type Workspace = Pick<Member, 'workspace_id'>

type Person = { id: string; name: string } | null
const audience = sql<'team' | 'client'>`post_comment.audience`
type Client = Static<typeof Comment>['client']
const client = sql<Client>`case when post_comment.client_link_id is not null
    then json_build_object('name', post_comment.writer_name, 'client_link',
      json_build_object('id', post_comment.client_link_id, 'name', post_comment.client_name)) end`
const person = (table: string) =>
  sql<Person>`case when ${sql.ref(`${table}.id`)} is not null
    then json_build_object('id', ${sql.ref(`${table}.id`)}, 'name', ${sql.ref(`${table}.name`)}) end`

export const selectComments = (db: Db, workspace_id: string, post_id: string) =>
  db
    .selectFrom('post_comment')
    .innerJoin('post', 'post.id', 'post_comment.post_id')
    .leftJoin('user as writer', 'writer.id', 'post_comment.author_id')
    .leftJoin('user as resolver', 'resolver.id', 'post_comment.resolved_by_id')
    .select(['post_comment.id', 'post_comment.post_id', 'post_comment.parent_id', 'post_comment.body'])
    .select([audience.as('audience'), client.as('client')])
    .select(['post_comment.resolved_at', 'post_comment.edited_at', 'post_comment.created_at'])
    .select(['post_comment.updated_at', 'post_comment.version'])
    .select([person('writer').as('author'), person('resolver').as('resolved_by')])
    .where('post_comment.workspace_id', '=', workspace_id)
    .where('post_comment.post_id', '=', post_id)
    .where('post.deleted_at', 'is', null)

/** Adds the members whom each of the comments mentions. */
export async function withMentions<Row extends { body: string | null }>(
  db: Db,
  workspace_id: string,
  rows: readonly Row[],
) {
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
  const { data, next_cursor } = await page(selectComments(db, workspace_id, post_id), 'post_comment.id', input)
  return { data: await withMentions(db, workspace_id, data), next_cursor }
}

export async function readComment(
  db: Db,
  { workspace_id }: Workspace,
  { id, comment_id }: Params,
): Promise<Static<typeof Comment>> {
  const row = await selectComments(db, workspace_id, id).where('post_comment.id', '=', comment_id).executeTakeFirst()
  const [comment] = row ? await withMentions(db, workspace_id, [row]) : []
  if (!comment) throw notFound()
  return comment
}

/** Counts the comments of each post that clients read. */
export async function countClientComments(db: Db, post_ids: readonly string[]) {
  if (post_ids.length === 0) return new Map<string, number>()
  const rows = await db
    .selectFrom('post_comment')
    .select(['post_id', sql<number>`count(*)::int`.as('count')])
    .where('post_id', 'in', post_ids)
    .where('audience', '=', 'client')
    .where('body', 'is not', null)
    .groupBy('post_id')
    .execute()
  return new Map(rows.map(({ post_id, count }) => [post_id, count]))
}
