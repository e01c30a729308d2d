import { audit } from '../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'

/** Pauses the public gigs that a former member owns in the workspace: nobody else could serve their orders. */
export async function pauseGigsOfMember({ clock }: Pick<Deps, 'clock'>, tx: Tx, caller: Member, user_id: string) {
  const paused = await tx
    .updateTable('gig')
    .set({ status: 'paused', updated_at: nextUpdatedAt(clock.now()) })
    .where('workspace_id', '=', caller.workspace_id)
    .where('owner_id', '=', user_id)
    .where('status', '=', 'published')
    .returning('id')
    .execute()
  for (const { id } of paused)
    await audit(tx, caller, 'gig.updated', id, { before: { status: 'published' }, after: { status: 'paused' } })
}
