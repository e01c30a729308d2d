import type { Static } from 'typebox'
import { notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { atLeast, type Role } from '../../../lib/http/roles.ts'
import { revokeInvitationsOf } from './invitation-revocation.ts'
import type { ChangeMember } from './members.schema.ts'

export const listMembers = (db: Db, { workspace_id }: { workspace_id: string }) =>
  db
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select([
      'user.id',
      'user.name',
      'user.email',
      'user.two_factor_enabled',
      'workspace_member.role',
      'workspace_member.created_at',
      'workspace_member.version',
    ])
    .where('workspace_member.workspace_id', '=', workspace_id)

export async function readMember(db: Db, workspace: { workspace_id: string }, user_id: string) {
  const member = await listMembers(db, workspace).where('user.id', '=', user_id).executeTakeFirst()
  if (!member) throw notFound()
  return member
}

/**
 * Locks a workspace against other changes of its members, including removals of a person. Transactions that only refer
 * to the workspace are not blocked.
 */
export async function lockWorkspace(tx: Tx, id: string) {
  const workspace = await tx
    .selectFrom('workspace')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!workspace) throw notFound()
  return workspace
}

/** Locks the caller's workspace. Then checks the role again: it may have changed while waiting for the lock. */
export async function lockWorkspaceAs(tx: Tx, { workspace_id, user_id }: Member, wanted: Role) {
  const workspace = await lockWorkspace(tx, workspace_id)
  const own = await findRole(tx, workspace_id, user_id)
  if (!own) throw notFound()
  if (!atLeast(own, wanted))
    throw problem('forbidden_role', { detail: `This requires the role ${wanted}; yours is ${own}.` })
  return { workspace, own }
}

export async function findRole(tx: Tx, workspace_id: string, user_id: string) {
  const member = await tx
    .selectFrom('workspace_member')
    .select('role')
    .where('workspace_id', '=', workspace_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return member?.role
}

/** Throws unless there is another owner who is not banned. The workspace must be locked. */
async function assertOtherOwner(tx: Tx, workspace_id: string, user_id: string) {
  const other = await tx
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select('user_id')
    .where('workspace_member.workspace_id', '=', workspace_id)
    .where('user_id', '!=', user_id)
    .where('role', '=', 'owner')
    .where('banned_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw problem('last_owner', { detail: 'Make another member an owner first.' })
}

const ownersOnly = (what: string) => problem('forbidden_role', { detail: `Only owners can ${what}.` })

/** Checks that `own` may invite a person with this role, or give the role to a member. */
export function checkGrant(own: Role, role: Role) {
  if (role === 'owner' && own !== 'owner') throw ownersOnly('make owners')
}

export const changeMember = (
  deps: Deps,
  caller: Member,
  id: string,
  { role }: Static<typeof ChangeMember>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const { own } = await lockWorkspaceAs(tx, caller, 'admin')
    checkGrant(own, role)
    const before = await readMember(tx, caller, id)
    if (before.role === 'owner' && own !== 'owner') throw ownersOnly('change the role of an owner')
    ifMatch(before.version)
    if (before.role === role) return before
    if (before.role === 'owner') await assertOtherOwner(tx, caller.workspace_id, before.id)
    await tx
      .updateTable('workspace_member')
      .set({ role })
      .where('workspace_id', '=', caller.workspace_id)
      .where('user_id', '=', before.id)
      .execute()
    await deps.invalidationBus.invalidate(tx, 'access')
    await audit(tx, caller, 'member.role_changed', before.id, { before: { role: before.role }, after: { role } })
    for (const step of deps.lifecycle.onRoleChanged) await step(deps, tx, caller, before.id, role)
    await revokeInvitationsOf(deps, tx, caller, { user_id: before.id, role })
    return readMember(tx, caller, before.id)
  })

/**
 * Removes a member, or lets the caller leave. Revokes the member's pending invitations here, and ends what other modules
 * keep for the member by `onMemberRemoved` of `server/lifecycle.ts`: tokens, client links, agents, gigs, notifications.
 */
export const removeMember = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const { workspace_id, user_id } = caller
    const leaves = id.toLowerCase() === user_id
    const { own } = await lockWorkspaceAs(tx, caller, leaves ? 'viewer' : 'admin')
    const { id: gone, role } = await readMember(tx, caller, id)
    if (role === 'owner' && own !== 'owner') throw ownersOnly('remove owners')
    if (role === 'owner') await assertOtherOwner(tx, workspace_id, gone)
    await tx
      .deleteFrom('workspace_member')
      .where('workspace_id', '=', workspace_id)
      .where('user_id', '=', gone)
      .execute()
    await deps.invalidationBus.invalidate(tx, 'access')
    await audit(tx, caller, leaves ? 'member.left' : 'member.removed', gone, { before: { role } })
    for (const step of deps.lifecycle.onMemberRemoved) await step(deps, tx, caller, gone)
    await revokeInvitationsOf(deps, tx, caller, { user_id: gone })
  })
