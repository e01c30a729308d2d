import { type RawBuilder, sql } from 'kysely'

/**
 * Condition: a user may see the subject of `notification_event e` at this time. The rights of a member and the subject
 * may have changed since the user was told. What belongs to no workspace is for instance admins.
 */
export const mayRead = (user_id: RawBuilder<unknown>) => sql<boolean>`(
  case when e.workspace_id is null
    then exists (select from "user" u where u.id = ${user_id} and u.is_instance_admin and u.banned_at is null)
    else exists (
      select from workspace_member reader join workspace w on w.id = reader.workspace_id
      where reader.workspace_id = e.workspace_id and reader.user_id = ${user_id} and w.deleted_at is null
        and reader.role::text = any(e.reader_roles))
  end
  and (e.subject_type <> 'post' or exists (select from post p where p.id = e.subject_id and p.deleted_at is null)))`
