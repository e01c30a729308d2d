import type { Db } from '../../../lib/db/database.ts'

/** Owners and admins of a workspace who are verified and not banned: the recipients of mails about money. */
export const listBillingContacts = (db: Db, workspace_id: string) =>
  db
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
    .select([
      'user.id',
      'user.email',
      'user.name',
      'user.locale',
      'user.timezone',
      'workspace.name as workspace_name',
      'workspace.slug',
    ])
    .where('workspace.id', '=', workspace_id)
    .where('workspace.deleted_at', 'is', null)
    .where('workspace_member.role', 'in', ['owner', 'admin'])
    .where('user.email_verified', '=', true)
    .where('user.banned_at', 'is', null)
    .orderBy('user.id')
    .execute()
