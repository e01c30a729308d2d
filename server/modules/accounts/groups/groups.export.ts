import { exportRows } from '../../../lib/export.ts'
import { ownWorkspaces } from '../../workspaces/members/own-workspaces.ts'

export const accountGroups = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('account_group')
    .select(['id', 'workspace_id', 'name', 'created_at', 'updated_at'])
    .where('created_by', '=', user_id)
    .where('workspace_id', 'in', ownWorkspaces(user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
