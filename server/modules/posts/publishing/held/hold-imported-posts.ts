import { audit, system } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { ImportStep } from '../../../../lib/lifecycle.ts'
import { enqueuePublish } from '../../record/publish-queue.ts'
import { failInterrupted } from '../due-posts.ts'
import { holdPosts } from './late-posts.ts'

const INTERRUPTED =
  'The workspace was moved from another installation while this post was being published there. It may have been published.'

/**
 * Posts of a workspace from another installation. Those that were due meanwhile are held as late, and those that were being
 * published there fail: only a person can find out whether they went out. The others keep their times.
 */
export const holdImportedPosts: ImportStep = async ({ clock }, tx, workspace_id) => {
  const now = clock.now()
  const posts = await tx
    .selectFrom('post')
    .select(['id', 'status', 'scheduled_at'])
    .where('workspace_id', '=', workspace_id)
    .where('status', 'in', ['scheduled', 'publishing'])
    .where('deleted_at', 'is', null)
    .where('held', 'is', null)
    .orderBy('id')
    .execute()
  const interrupted = posts.filter(({ status }) => status === 'publishing')
  for (const { id } of interrupted) {
    await failInterrupted(tx, { id, workspace_id }, INTERRUPTED, now)
    await audit(tx, system(workspace_id), 'post.updated', id, { fields: ['targets'] })
  }
  const scheduled = posts.filter(({ status }) => status === 'scheduled')
  const isDue = ({ scheduled_at }: (typeof posts)[number]) => scheduled_at === null || scheduled_at <= now
  const late = scheduled.filter(isDue).map(({ id }) => id)
  await holdPosts(tx, workspace_id, late, now)
  const later = scheduled.filter((post) => !isDue(post))
  for (const { id, scheduled_at } of later) if (scheduled_at) await enqueueTargets(tx, id, scheduled_at)
  return { scheduled_posts: later.length, late_posts: late.length, interrupted_posts: interrupted.length }
}

async function enqueueTargets(tx: Tx, post_id: string, runAt: Date) {
  const targets = await tx
    .selectFrom('post_target')
    .select(['id', 'account_id'])
    .where('post_id', '=', post_id)
    .where('status', '=', 'pending')
    .execute()
  for (const target of targets) await enqueuePublish(tx, target, runAt)
}
