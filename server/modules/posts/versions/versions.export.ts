import { sql } from 'kysely'
import { exportRows } from '../../../lib/export.ts'
import { ownWorkspaces } from '../../workspaces/members/own-workspaces.ts'
import { postHistory } from './versions.ts'

export const postVersions = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom(postHistory)
    .innerJoin('post', 'post.id', 'version.post_id')
    .select(['version.id', 'post.workspace_id', 'post_id', 'number', 'source', 'version.created_at'])
    .select(sql<object>`version.content`.as('content'))
    .where('version.user_id', '=', user_id)
    .where('post.workspace_id', 'in', ownWorkspaces(user_id))
    .where('post.deleted_at', 'is', null)
    .where('version.id', '>', after)
    .orderBy('version.id')
    .limit(limit)
    .execute(),
)
