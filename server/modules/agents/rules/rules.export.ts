import { exportRows } from '../../../lib/export.ts'
import { ownWorkspaces } from '../../workspaces/members/own-workspaces.ts'

/** Rules of agents that the user wrote, and that were learned from rejections by the user. */
export const agentRules = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('agent_rule')
    .select(['id', 'workspace_id', 'agent_id', 'text', 'is_enabled', 'reason', 'post_id', 'created_at', 'updated_at'])
    .where('created_by_id', '=', user_id)
    .where('workspace_id', 'in', ownWorkspaces(user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
