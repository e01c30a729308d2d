import { sql } from 'kysely'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { HeldWork } from '../../../lib/lifecycle.ts'
import { type Reading, secondsSince } from '../../../lib/runtime/installation-metrics.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { excerpt } from '../record/excerpt.ts'
import { changedBy } from '../record/lock-post.ts'
import { postEvents } from '../record/posts.events.ts'
import { removePublishJobs } from '../record/publish-queue.ts'
import { updatePostQuota } from '../record/quota.ts'
import { readPost } from '../record/select-posts.ts'
import { settlePost } from './publish-outcome.ts'
import { selectDuePosts } from './select-due-posts.ts'
import { hasUnsettled } from './step-journal.ts'

/** Lists the posts of all workspaces whose time has passed, with the first characters of their texts. */
export const listDuePosts = (db: Db, now: Date) =>
  selectDuePosts(db, now)
    .innerJoin('workspace', 'workspace.id', 'post.workspace_id')
    .select(['post.id', 'post.workspace_id', 'workspace.name as workspace_name'])
    .select(sql<Date>`post.scheduled_at`.as('scheduled_at'))
    .select(excerpt)
    .select(
      sql<string[]>`array(select distinct network::text from post_target join account on account.id = account_id
        where post_id = post.id order by 1)`.as('networks'),
    )

/**
 * Posts whose time has passed. A scheduled one becomes a draft. One that was being published fails on the accounts where
 * that had not ended, because only a person can find out whether it did.
 */
export const heldPosts: HeldWork = {
  count: async (db, { now }) => {
    const { count } = await selectDuePosts(db, now)
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow()
    return count
  },
  drop: async ({ db }, { now, caller, except }) => {
    const due = await selectDuePosts(db, now).select(['post.id', 'post.workspace_id']).execute()
    let count = 0
    for (const { id, workspace_id } of due.filter((post) => !except.includes(post.id)))
      if (await unschedule(db, { ...caller, workspace_id, role: 'owner' }, id, now)) count++
    return count
  },
}

const CUT_OFF =
  'The installation was restored from a backup of a time when this post was being published. It may have been published.'

/** Fails a post on the accounts where its publishing had not ended. */
export async function failInterrupted(
  tx: Tx,
  { id, workspace_id }: { id: string; workspace_id: string },
  error_message: string,
  now: Date,
) {
  await tx
    .updateTable('post_target')
    .set({
      status: 'failed',
      error_code: 'unconfirmed',
      error_message,
      needs_resolution: hasUnsettled('post_target.steps'),
    })
    .where('post_id', '=', id)
    .where('status', 'in', ['pending', 'publishing', 'unconfirmed'])
    .execute()
  await settlePost(tx, { post_id: id, workspace_id }, now)
}

const unschedule = (db: Db, caller: Member, id: string, now: Date) =>
  inTransaction(db, async (tx) => {
    const before = await selectDuePosts(tx, now)
      .select(['post.status', 'post.scheduled_at', sql<string | null>`post.counted_in::text`.as('counted_in')])
      .where('post.id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) return false
    await removePublishJobs(tx, [id])
    if (before.status === 'publishing') {
      await failInterrupted(tx, { id, workspace_id: caller.workspace_id }, CUT_OFF, now)
      await audit(tx, caller, 'post.updated', id, { fields: ['targets'] })
      return true
    }
    await tx
      .updateTable('post')
      .set({ status: 'draft', scheduled_at: null, counted_in: null, ...changedBy(caller, now) })
      .where('id', '=', id)
      .execute()
    const post = await readPost(tx, caller, id)
    await emit(tx, postEvents['post.updated'], caller.workspace_id, { post, change: 'edited', by: doneBy(caller) }, now)
    await audit(tx, caller, 'post.updated', id, { fields: ['scheduled_at'] })
    await updatePostQuota(tx, { workspace_id: caller.workspace_id, before, time: null, now })
    return true
  })

/** Also counts posts that wait for a limit of their network. */
export const overduePosts: Reading = {
  query: sql`
    select count(*) as posts_overdue, ${secondsSince(sql`min(scheduled_at)`)} as posts_oldest_overdue_seconds
    from post where status in ('scheduled', 'publishing') and deleted_at is null and held is null
      and scheduled_at < now() - interval '1 minute'`,
  gauges: {
    posts_overdue: 'Posts whose scheduled time passed more than a minute ago, and that are not published.',
    posts_oldest_overdue_seconds: 'Time since the scheduled time of the oldest of them.',
  },
}
