import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { User } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import type { InvalidationBus } from '../../../lib/runtime/caches/invalidation-bus.ts'
import { checkLocale, checkTimeZone } from '../locale.ts'
import type { ChangeMe } from './me.schema.ts'

export async function readMe(db: Db, caller: User) {
  const me = await db
    .selectFrom('user')
    .leftJoin('workspace', (join) =>
      join.onRef('workspace.id', '=', 'user.workspace_id').on('workspace.deleted_at', 'is', null),
    )
    .select([
      'user.id',
      'user.email',
      'user.name',
      'user.locale',
      'user.timezone',
      'user.is_instance_admin',
      'user.two_factor_enabled',
      'user.mail_post_failures',
      // Null for a deleted workspace. If it is restored, it is the current one again.
      'workspace.id as workspace_id',
      'user.created_at',
      'user.version',
    ])
    .where('user.id', '=', caller.user_id)
    .executeTakeFirst()
  if (!me) throw notFound()
  return me
}

/** Turns the mails about failed posts of a user on or off. */
export const setMailPostFailures = (tx: Tx, user_id: string, mail_post_failures: boolean) =>
  tx
    .updateTable('user')
    .set({ mail_post_failures, updated_at: sql`now()` })
    .where('id', '=', user_id)
    .where('mail_post_failures', '<>', mail_post_failures)
    .execute()

/** Gives a user another version, after a change of settings that another module keeps. */
export const touchUser = (tx: Tx, user_id: string) =>
  tx.updateTable('user').set({ version: sql`version + 1`, updated_at: sql`now()` }).where('id', '=', user_id).execute()

export const changeMe = (
  { db, invalidationBus }: { db: Db; invalidationBus: InvalidationBus },
  caller: User,
  { locale, ...input }: Static<typeof ChangeMe>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    if (input.timezone) checkTimeZone(input.timezone)
    const change = {
      ...input,
      ...(locale && { locale: checkLocale(locale) }),
      ...(input.workspace_id && { workspace_id: input.workspace_id.toLowerCase() }),
    }
    const before = await tx
      .selectFrom('user')
      .select(['name', 'locale', 'timezone', 'mail_post_failures', 'workspace_id', 'version'])
      .where('id', '=', caller.user_id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!before) throw notFound()
    ifMatch(before.version)
    if (change.workspace_id) {
      const member = await tx
        .selectFrom('workspace_member')
        .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
        .select('workspace_member.role')
        .where('workspace_member.workspace_id', '=', change.workspace_id)
        .where('workspace_member.user_id', '=', caller.user_id)
        .where('workspace.deleted_at', 'is', null)
        .executeTakeFirst()
      if (!member) throw invalid('/workspace_id', 'You are not a member of a workspace with this id.')
    }
    await tx
      .updateTable('user')
      .set({ ...change, updated_at: sql`now()` })
      .where('id', '=', caller.user_id)
      .execute()
    if (change.workspace_id && change.workspace_id !== before.workspace_id) {
      await invalidationBus.invalidate(tx, 'access')
    }
    const details = changedFields(before, change, Object.keys(change))
    await audit(tx, { ...caller, workspace_id: null }, 'user.updated', caller.user_id, details)
    return readMe(tx, caller)
  })
