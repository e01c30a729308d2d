import type { Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { readPlanInForce } from '../../usage/plan-in-force.ts'
import { readActingMember } from '../../workspaces/members/acting-member.ts'
import { accountsOf } from './agent-record.ts'
import type { LockedRun } from './lock-run.ts'
import type { RunReason } from './run-status.ts'

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
  const member = await readActingMember(tx, { user_id: agent.acts_for_id, workspace_id: agent.workspace_id }, 'editor')
  if (!member) return 'owner_gone'
  const plan = await readPlanInForce(tx, agent.workspace_id)
  if (plan.billing_enabled && !plan.entitlements.includes('ai.agents')) return 'outside_plan'
  if ((await accountsOf(tx, agent.id)).length === 0) return 'no_accounts'
  return member
}
