import { notFound } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'

/** Posts of all workspaces. */
export const selectPlayground = (db: Db) =>
  db
    .selectFrom('playground_post')
    .innerJoin('account', 'account.id', 'playground_post.account_id')
    .select([
      'playground_post.id',
      'playground_post.account_id',
      'account.name as account_name',
      'account.handle',
      'playground_post.content',
      'playground_post.media_ids',
      'playground_post.reply_to_id',
      'playground_post.created_at',
    ])

export async function readPlaygroundPost(db: Db, caller: Member, id: string) {
  const post = await selectPlayground(db)
    .where('playground_post.id', '=', id)
    .where('playground_post.workspace_id', '=', caller.workspace_id)
    .executeTakeFirst()
  if (!post) throw notFound()
  return post
}

export const erasePlaygroundPosts = (tx: Tx, workspace_id: string) =>
  tx.deleteFrom('playground_post').where('workspace_id', '=', workspace_id).execute()
