import { exportRows } from '../../lib/export.ts'
import { ownWorkspaces } from '../workspaces/members/own-workspaces.ts'

export const media = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('media')
    .select(['id', 'workspace_id', 'kind', 'mime', 'bytes', 'name', 'alt', 'labels', 'sha256', 'created_at'])
    .where('uploaded_by_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .where('workspace_id', 'in', ownWorkspaces(user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
