import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { invalidTransition, problem } from '../../errors.ts'
import type { User } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { inTransaction } from '../../lib/database.ts'
import { lockSetUp } from './auth.ts'
import { checkPassword, lockUserWithPassword } from './passwords.ts'

/**
 * Deletes a person: the row with all that hangs on it, mails, and what is personal in their audit entries. Refused while
 * a workspace would be left without an owner, or the instance without an admin.
 */
export async function deleteMe(deps: Deps, caller: User, password: string) {
  const { db, clock, pulse } = deps
  const { user_id } = caller
  const hash = await checkPassword(deps, caller, password)
  await inTransaction(db, async (tx) => {
    if (caller.is_instance_admin) await lockSetUp(tx)
    // Workspaces before the user, and in one order, as whatever changes their members does. What only refers to them
    // goes on meanwhile.
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
    // One that came along before the user was locked: `inTransaction` begins again for this code.
    if (found.some(({ workspace }) => !workspace))
      throw Object.assign(new Error('A workspace was joined meanwhile'), { code: '40001' })
    const alone = found.flatMap(({ own: { role, has_other_owner }, workspace }) =>
      workspace && !workspace.deleted_at && role === 'owner' && !has_other_owner ? [workspace] : [],
    )
    if (alone.length > 0) {
      const names = alone.slice(0, 10).map(({ name }) => `“${name}”`)
      throw problem('last_owner', {
        detail: `You are the only owner of ${names.join(', ')}. Make somebody else an owner, or delete the workspace.`,
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
      if (!other) throw invalidTransition('last_instance_admin', 'delete the account')
    }
    // As when somebody is removed: an invitation does not outlive the authority that it was made with.
    const revoked = await tx
      .updateTable('invitation')
      .set({ state: 'revoked', updated_at: clock.now() })
      .where('invited_by', '=', user_id)
      .where('state', '=', 'pending')
      .returning(['id', 'workspace_id'])
      .execute()
    for (const { id, workspace_id } of revoked) await audit(tx, { ...caller, workspace_id }, 'invitation.revoked', id)
    // Who did a hundred thousand things waits for seconds, and others only where they change members.
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select blank_audit_entries(null, ${user_id}::uuid)`.execute(tx)
    // From nowhere: where they did it from is what was just taken out of all the others.
    for (const { workspace_id, role } of memberships)
      await audit(tx, { user_id, workspace_id }, 'member.left', user_id, { before: { role } })
    await audit(tx, { user_id }, 'user.deleted', user_id)
    await tx.deleteFrom('mail').where('to_address', '=', user.email).execute()
    await tx.deleteFrom('invitation').where('email', '=', user.email).where('state', '!=', 'pending').execute()
    await tx.deleteFrom('verification').where('value', '=', user_id).execute()
    await tx.deleteFrom('user').where('id', '=', user_id).execute()
    await pulse.announce(tx, 'authority')
  })
}
