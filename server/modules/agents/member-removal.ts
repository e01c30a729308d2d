import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { deactivate } from './activation.ts'

/** Disables the agents that act for a former member: they have no rights any more. */
export async function disableAgentsOfMember(deps: Pick<Deps, 'clock'>, tx: Tx, caller: Member, user_id: string) {
  const agents = await tx
    .selectFrom('agent')
    .select('id')
    .where('workspace_id', '=', caller.workspace_id)
    .where('acts_for_id', '=', user_id)
    .execute()
  const ids = agents.map(({ id }) => id)
  await deactivate(deps, tx, caller, ids, 'owner_gone')
}
