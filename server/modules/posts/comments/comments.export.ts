import { exportRows } from '../../../lib/export.ts'

export const postComments = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('post_comment')
    .select(['id', 'workspace_id', 'post_id', 'parent_id', 'body', 'created_at', 'updated_at'])
    .where('author_id', '=', user_id)
    .where('body', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
