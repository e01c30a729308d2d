import { sql } from 'kysely'
import { DAY } from '../../../../../shared/time.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { learnRule, type Rejection } from '../../rules/learn-rule.ts'

type Reviewed = {
  post_id: string
  review: 'approved' | 'rejected' | 'expired'
  reason: string | null
  /** The person who decided, if the post is rejected. */
  by?: Pick<Rejection, 'actor' | 'client_name'>
  now: Date
}

/**
 * Notes what was decided on a post of an agent, or that nobody will decide. Its run is completed with the last decision,
 * and the agent learns from the reason of a rejection.
 */
export async function noteReview(tx: Tx, { post_id, review, reason, by, now }: Reviewed) {
  const item = await tx
    .selectFrom('agent_item')
    .innerJoin('agent_run', 'agent_run.id', 'agent_item.run_id')
    .select(['run_id', 'agent_id', 'workspace_id'])
    .where('post_id', '=', post_id)
    .executeTakeFirst()
  if (!item) return
  // The agent before the run, as in `lockRun`.
  if (by) await tx.selectFrom('agent').select('id').where('id', '=', item.agent_id).forNoKeyUpdate().execute()
  // Two last decisions at once would each see the other post waiting.
  await tx.selectFrom('agent_run').select('id').where('id', '=', item.run_id).forNoKeyUpdate().execute()
  const noted = tx
    .updateTable('agent_item')
    .set({ status: review, reason, updated_at: now })
    .where('post_id', '=', post_id)
  // A member may have decided until the lock was there.
  await (review === 'expired' ? noted.where('status', '=', 'pending') : noted).execute()
  if (by && reason !== null) await learnRule(tx, item, { post_id, reason, ...by, now })
  await sql`update agent_run set status = 'completed'
    where id = ${item.run_id} and status = 'awaiting_review'
      and not exists (select from agent_item i where i.run_id = agent_run.id and i.status = 'pending')`.execute(tx)
}

/** Time in which members decide on a post of an agent. */
const REVIEW_MS = 7 * DAY
/** Posts that one transaction ends. */
const BATCH = 100

/**
 * Completes runs whose posts wait for a decision for too long. The posts stay in review: members can still decide on
 * them.
 */
export async function expireReviews({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock.now()
  const before = new Date(now.getTime() - REVIEW_MS)
  for (;;) {
    const posts = await db
      .selectFrom('agent_item')
      .select('post_id')
      .where('status', '=', 'pending')
      .where('updated_at', '<', before)
      .where('post_id', 'is not', null)
      .limit(BATCH)
      .execute()
    for (const { post_id } of posts)
      if (post_id !== null)
        await inTransaction(db, (tx) => noteReview(tx, { post_id, review: 'expired', reason: 'not_decided', now }))
    if (posts.length < BATCH) return
  }
}
