import { sql } from 'kysely'

/**
 * The ids of the workspaces of a user, as a subquery. An export of what a user wrote is limited to them: what is in
 * workspaces that the user has left belongs to the others.
 */
export const ownWorkspaces = (user_id: string) => sql<string>`(
  select workspace.id from workspace_member as member join workspace on workspace.id = member.workspace_id
  where member.user_id = ${user_id} and workspace.deleted_at is null)`
