import { exportRows } from '../../lib/export.ts'

export const media = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('media')
    .select(['id', 'workspace_id', 'kind', 'mime', 'bytes', 'name', 'alt', 'labels', 'sha256', 'created_at'])
    .where('uploaded_by_id', '=', user_id)
    .where('deleted_at', 'is', null)
    // Files in workspaces that the user has left belong to the others.
    .where('workspace_id', 'in', (of) =>
      of
        .selectFrom('workspace_member')
        .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
        .select('workspace.id')
        .where('workspace_member.user_id', '=', user_id)
        .where('workspace.deleted_at', 'is', null),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
