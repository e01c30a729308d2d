import { sql } from 'kysely'
import { exportRows } from '../../../lib/export.ts'
import { ownWorkspaces } from '../../workspaces/members/own-workspaces.ts'

export const postVersions = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('post_version')
    .innerJoin('post', 'post.id', 'post_version.post_id')
    .select(['post_version.id', 'post.workspace_id', 'post_id', 'number', 'source', 'post_version.created_at'])
    .select(sql<object>`post_version.content`.as('content'))
    .where('post_version.user_id', '=', user_id)
    .where('post.workspace_id', 'in', ownWorkspaces(user_id))
    .where('post.deleted_at', 'is', null)
    .where('post_version.id', '>', after)
    .orderBy('post_version.id')
    .limit(limit)
    .execute(),
)
