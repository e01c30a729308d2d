import { type RawBuilder, sql } from 'kysely'

/**
 * Condition: a user may see the subject of `notification_event e` at this time. The rights of a member and the subject
 * may have changed since the user was told.
 */
export const mayRead = (user_id: RawBuilder<unknown>) => sql<boolean>`(
  exists (
    select from workspace_member reader join workspace w on w.id = reader.workspace_id
    where reader.workspace_id = e.workspace_id and reader.user_id = ${user_id} and w.deleted_at is null
      and reader.role::text = any(e.reader_roles))
  and (e.subject_type <> 'post' or exists (select from post p where p.id = e.subject_id and p.deleted_at is null)))`
