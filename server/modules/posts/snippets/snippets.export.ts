import { exportRows } from '../../../lib/export.ts'
import { ownWorkspaces } from '../../workspaces/members/own-workspaces.ts'

export const snippets = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('snippet')
    .select(['id', 'workspace_id', 'name', 'content', 'kind', 'labels', 'first_comment', 'created_at', 'updated_at'])
    .where('created_by', '=', user_id)
    .where('workspace_id', 'in', ownWorkspaces(user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
