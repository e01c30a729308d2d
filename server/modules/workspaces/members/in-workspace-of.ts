import { sql } from 'kysely'
import type { User } from '../../../lib/http/access.ts'

/**
 * Whether the workspace in this column is one of the caller, for images that a page loads by their URL alone: it cannot
 * name a workspace there. A token that is bound to a workspace reaches no other.
 */
export const inWorkspaceOf = ({ user_id, token }: User, column: `${string}.workspace_id`) => {
  const bound_to = token?.membership?.workspace_id ?? null
  return sql<boolean>`exists (
    select from workspace_member as member join workspace on workspace.id = member.workspace_id
    where member.workspace_id = ${sql.ref(column)} and member.user_id = ${user_id} and workspace.deleted_at is null
      and (${bound_to}::uuid is null or member.workspace_id = ${bound_to}))`
}
