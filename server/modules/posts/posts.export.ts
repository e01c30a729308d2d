import { exportRows } from '../../lib/export.ts'
import { ownWorkspaces } from '../workspaces/members/own-workspaces.ts'

export const posts = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('post')
    .select(['id', 'workspace_id', 'content', 'labels', 'status', 'is_idea', 'scheduled_at', 'published_at'])
    .select(['created_at', 'updated_at'])
    .where('author_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .where('workspace_id', 'in', ownWorkspaces(user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
