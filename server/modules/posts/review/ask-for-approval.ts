import { sql } from 'kysely'
import { FIRST_ID, inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { announceReview, askForApproval, lockForReview, putInReview } from '../approval/put-in-review.ts'
import { validateAndRead } from '../authoring/create-and-change.ts'
import { refuseUnresolved, reopenTargets } from '../authoring/targets.ts'
import { losesApproval } from '../record/post-media.ts'
import { postEvents } from '../record/posts.events.ts'
import { updatePostQuota } from '../record/quota.ts'

/** Posts that one transaction asks about. */
const BATCH = 100

/** `actor_id`: the member who changed the policy. Jobs of the version before do not name one. */
export type PolicyChange = { workspace_id: string; actor_id?: string | null }

/** Asks for the approval of all scheduled posts of a workspace that need one since a policy changed. */
export async function askForApprovals({ db, clock }: Deps, { workspace_id, actor_id = null }: PolicyChange) {
  let after = FIRST_ID
  for (;;) {
    const posts = await db
      .selectFrom('post')
      .select('id')
      .where('workspace_id', '=', workspace_id)
      .where('status', '=', 'scheduled')
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`not post_is_approved(id)`)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    for (const { id } of posts)
      await inTransaction(db, (tx) => askForApproval(tx, { id, workspace_id, actor_id }, clock.now()))
    const last = posts.at(-1)
    if (!last || posts.length < BATCH) return
    after = last.id
  }
}

/** Puts approved posts with a file in review again, because readers would see another file than the approver saw. */
export async function endApprovals(tx: Tx, caller: Member, media_id: string, now: Date) {
  const { workspace_id } = caller
  const withFile = tx.selectFrom('post_media').select('post_id').where('media_id', '=', media_id)
  const approved = await lockForReview(tx, workspace_id).where('post.id', 'in', withFile).where(losesApproval).execute()
  for (const { id, ...before } of approved) {
    const isFailed = before.status === 'failed'
    await putInReview(
      tx,
      { id, workspace_id, status: before.status },
      {
        planned: isFailed ? null : before.scheduled_at,
        now,
      },
    )
    await refuseUnresolved(tx, id)
    await reopenTargets(tx, id, now)
    const post = await validateAndRead(tx, workspace_id, id)
    await emit(tx, postEvents['post.updated'], workspace_id, { post, change: 'edited', by: doneBy(caller) }, now)
    await announceReview(tx, post, caller, now)
    await updatePostQuota(tx, { workspace_id, before, time: null, now })
  }
  // An approver who looks at the former file must not approve this one: `If-Match` tells.
  await tx
    .updateTable('post')
    .set({ updated_at: nextUpdatedAt(now) })
    .where('id', 'in', withFile)
    .where('review', '=', 'pending')
    .execute()
}
