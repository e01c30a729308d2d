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
  const { db, pulse } = deps
  const { user_id } = caller
  const hash = await checkPassword(deps, caller, password)
  await inTransaction(db, async (tx) => {
    if (caller.is_instance_admin) await lockSetUp(tx)
    // Workspaces before the user, and in one order, as whatever changes their members does.
    const locked = await tx
      .selectFrom('workspace')
      .select(['id', 'name', 'deleted_at'])
      .where('id', 'in', (of) =>
        of.selectFrom('workspace_member').select('workspace_id').where('user_id', '=', user_id),
      )
      .orderBy('id')
      .forUpdate()
      .execute()
    const user = await lockUserWithPassword(tx, caller, hash)
    const owners = await tx
      .selectFrom('workspace_member')
      .select(['workspace_id', 'user_id'])
      .where('role', '=', 'owner')
      .where('workspace_id', 'in', (of) =>
        of.selectFrom('workspace_member').select('workspace_id').where('user_id', '=', user_id),
      )
      .execute()
    const owned = owners.filter((owner) => owner.user_id === user_id).map(({ workspace_id }) => workspace_id)
    // One that came along before the user was locked: `inTransaction` begins again for this code.
    if (owned.some((id) => !locked.some((workspace) => workspace.id === id)))
      throw Object.assign(new Error('A workspace was joined meanwhile'), { code: '40001' })
    const alone = locked.filter(
      ({ id, deleted_at }) =>
        !deleted_at &&
        owned.includes(id) &&
        !owners.some((owner) => owner.workspace_id === id && owner.user_id !== user_id),
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
    await audit(tx, { ...caller, workspace_id: null }, 'user.deleted', user_id)
    await sql`select blank_audit_entries(null, ${user_id}::uuid)`.execute(tx)
    await tx.deleteFrom('mail').where('to_address', '=', user.email).execute()
    await tx.deleteFrom('verification').where('value', '=', user_id).execute()
    await tx.deleteFrom('user').where('id', '=', user_id).execute()
    for (const kind of ['session', 'token', 'member'] as const) await pulse.announce(tx, kind)
  })
}
