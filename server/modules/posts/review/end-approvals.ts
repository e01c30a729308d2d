import { sql } from 'kysely'
import { audit } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { losesApproval } from '../post-media.ts'
import { postEvents } from '../posts.events.ts'
import { changedBy, validateAndRead } from '../posts.ts'
import { removePublishJobs } from '../publishing/publish-queue.ts'
import { updatePostQuota } from '../quota.ts'
import { reopenTargets } from '../targets.ts'

/** Puts approved posts with a file in review again, because readers would see another file than the approver saw. */
export async function endApprovals(tx: Tx, caller: Member, media_id: string, now: Date) {
  const approved = await tx
    .selectFrom('post')
    .innerJoin('post_media', 'post_media.post_id', 'post.id')
    .select(['post.id', 'post.status', 'post.scheduled_at'])
    .select(sql<string | null>`counted_in::text`.as('counted_in'))
    .where('post_media.media_id', '=', media_id)
    .where('post.deleted_at', 'is', null)
    .where(losesApproval)
    .orderBy('post.id')
    .forUpdate('post')
    .execute()
  for (const { id, ...before } of approved) {
    await removePublishJobs(tx, id)
    await tx
      .updateTable('post')
      .set({
        status: 'draft',
        scheduled_at: null,
        review: 'pending',
        review_scheduled_at: before.status === 'failed' ? null : before.scheduled_at,
        counted_in: null,
        ...changedBy(caller, now),
      })
      .where('id', '=', id)
      .execute()
    await reopenTargets(tx, id, now)
    const post = await validateAndRead(tx, caller.workspace_id, id)
    await emit(tx, postEvents['post.updated'], caller.workspace_id, { post, change: 'edited', by: doneBy(caller) }, now)
    await emit(tx, postEvents['post.review.requested'], caller.workspace_id, { post, by: doneBy(caller) }, now)
    await audit(tx, caller, 'post.review_requested', id)
    await updatePostQuota(tx, { workspace_id: caller.workspace_id, before, time: null, now })
  }
}
