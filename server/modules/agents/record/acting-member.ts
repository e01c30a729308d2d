import type { Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { readPlanInForce } from '../../usage/plan-in-force.ts'
import { accountsOf } from './agent-record.ts'
import type { LockedRun } from './lock-run.ts'
import type { RunReason } from './run-status.ts'

/** The member for whom an agent acts, with the role of this moment. */
async function readMember(tx: Tx, { acts_for_id, workspace_id }: LockedRun['agent']): Promise<Member | undefined> {
  const member = await tx
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select(['user.id as user_id', 'user.email', 'workspace_member.role'])
    .where('workspace_member.workspace_id', '=', workspace_id)
    .where('user.id', '=', acts_for_id)
    .where('user.banned_at', 'is', null)
    .executeTakeFirst()
  if (!member || !atLeast(member.role, 'editor')) return
  return {
    ...member,
    workspace_id,
    is_instance_admin: false,
    session_id: null,
    token: null,
    ip: null,
    user_agent: null,
  }
}

/** The member who writes, or why nobody may. Read before each post, because rights can end during a run. */
export async function actingMember(tx: Tx, { agent, run }: LockedRun): Promise<Member | RunReason> {
  const workspace = await tx
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', agent.workspace_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!workspace) return 'workspace_deleted'
  if (run.trigger === 'schedule' && !agent.is_active) return 'disabled'
  const member = await readMember(tx, agent)
  if (!member) return 'owner_gone'
  const plan = await readPlanInForce(tx, agent.workspace_id)
  if (plan.billing_enabled && !plan.entitlements.includes('ai.agents')) return 'outside_plan'
  if ((await accountsOf(tx, agent.id)).length === 0) return 'no_accounts'
  return member
}
