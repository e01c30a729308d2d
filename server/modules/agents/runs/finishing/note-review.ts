import { sql } from 'kysely'
import type { Tx } from '../../../../lib/db/database.ts'

type Reviewed = { post_id: string; review: 'approved' | 'rejected'; reason: string | null; now: Date }

/** Notes what a member decided on a post of an agent. Its run is completed with the last decision. */
export async function noteReview(tx: Tx, { post_id, review, reason, now }: Reviewed) {
  const item = await tx.selectFrom('agent_item').select('run_id').where('post_id', '=', post_id).executeTakeFirst()
  if (!item) return
  // Two last decisions at once would each see the other post waiting.
  await tx.selectFrom('agent_run').select('id').where('id', '=', item.run_id).forNoKeyUpdate().execute()
  await tx
    .updateTable('agent_item')
    .set({ status: review, reason, updated_at: now })
    .where('post_id', '=', post_id)
    .execute()
  await sql`update agent_run set status = 'completed'
    where id = ${item.run_id} and status = 'awaiting_review'
      and not exists (select from agent_item i where i.run_id = agent_run.id and i.status = 'pending')`.execute(tx)
}
