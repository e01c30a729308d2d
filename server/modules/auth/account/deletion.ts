import { sql } from 'kysely'
import { invalidTransition, problem } from '../../../errors.ts'
import { audit, blankAuditEntries } from '../../../lib/db/audit.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { lockSetUp } from '../instance-admin.ts'
import { checkPassword, lockUserWithPassword } from '../sign-in/passwords.ts'

/**
 * Deletes a user: the row with all that depends on it, mails, and personal data in their audit entries. Refused if a
 * workspace would have no owner, or the instance no admin.
 */
export async function deleteMe(deps: Deps, caller: User, password: string) {
  const { db, clock, invalidationBus, lifecycle } = deps
  const { user_id } = caller
  const hash = await checkPassword(deps, caller, password)
  await inTransaction(db, async (tx) => {
    if (caller.is_instance_admin) await lockSetUp(tx)
    // Locks workspaces before the user, ordered by id, like all changes of members. Rows that only refer to a workspace
    // can still be written.
    const locked = await tx
      .selectFrom('workspace')
      .select(['id', 'name', 'deleted_at'])
      .where('id', 'in', (of) =>
        of.selectFrom('workspace_member').select('workspace_id').where('user_id', '=', user_id),
      )
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const user = await lockUserWithPassword(tx, caller, hash)
    const memberships = await tx
      .selectFrom('workspace_member as own')
      .select((columns) => [
        'own.workspace_id',
        'own.role',
        columns
          .exists(
            columns
              .selectFrom('workspace_member as other')
              .innerJoin('user', 'user.id', 'other.user_id')
              .select('other.user_id')
              .whereRef('other.workspace_id', '=', 'own.workspace_id')
              .where('other.user_id', '!=', user_id)
              .where('other.role', '=', 'owner')
              .where('user.banned_at', 'is', null),
          )
          .as('has_other_owner'),
      ])
      .where('own.user_id', '=', user_id)
      .orderBy('own.workspace_id')
      .execute()
    const found = memberships.map((own) => ({ own, workspace: locked.find(({ id }) => id === own.workspace_id) }))
    // A workspace joined before the user was locked. `inTransaction` retries on this code.
    if (found.some(({ workspace }) => !workspace))
      throw Object.assign(new Error('A workspace was joined meanwhile'), { code: '40001' })
    const alone = found.flatMap(({ own: { role, has_other_owner }, workspace }) =>
      workspace && !workspace.deleted_at && role === 'owner' && !has_other_owner ? [workspace] : [],
    )
    if (alone.length > 0) {
      const names = alone.slice(0, 10).map(({ name }) => `“${name}”`)
      throw problem('last_owner', {
        detail: `You are the only owner of ${names.join(', ')}. Make another member an owner, or delete the workspace.`,
        extra: { workspace_ids: alone.slice(0, 100).map(({ id }) => id) },
      })
    }
    if (user.is_instance_admin) {
      const other = await tx
        .selectFrom('user')
        .select('id')
        .where(sql<boolean>`is_instance_admin`)
        .where('banned_at', 'is', null)
        .where('id', '<>', user_id)
        .executeTakeFirst()
      if (!other) throw invalidTransition('last_instance_admin', 'delete your user account')
    }
    for (const step of lifecycle.onUserDeleted) await step(tx, caller, clock.now())
    // Takes seconds for a user with 100,000 entries. Others wait only if they change members.
    await sql`set local statement_timeout = 0`.execute(tx)
    await blankAuditEntries(tx, { actor_id: user_id })
    // Without IP address and user agent, which were just removed from all other entries.
    for (const { workspace_id, role } of memberships)
      await audit(tx, { user_id, workspace_id }, 'member.left', user_id, { before: { role } })
    await audit(tx, { user_id }, 'user.deleted', user_id)
    for (const step of lifecycle.onUserErased) await step(tx, user.email)
    await tx.deleteFrom('verification').where('value', '=', user_id).execute()
    await tx.deleteFrom('user').where('id', '=', user_id).execute()
    await invalidationBus.invalidate(tx, 'access')
  })
}
