import type { Tx } from '../../../lib/db/database.ts'
import { monthOf } from '../../usage/month.ts'
import { assertWithinLimit, release, reserve, reserveBoth } from '../../usage/quotas.ts'
import { postsPerMonth, scheduledPosts } from './posts.meters.ts'

/**
 * A post counts once, in the month in which it is first scheduled or published (`counted_in`). It is released if it
 * becomes a draft again or is deleted, with nothing published.
 */
type QuotaState = { counted_in: string | null; status: string; scheduled_at: Date | null }
/** Quota state of new and deleted posts. */
export const uncounted: QuotaState = { counted_in: null, status: 'draft', scheduled_at: null }

/** Month in which a post to be published counts. */
export const quotaMonth = ({ counted_in }: QuotaState, now: Date) => counted_in ?? monthOf(now)

/**
 * Charges a post to the quota if `time` is set, or else releases it. Throws if the plan has none left. Concurrent calls
 * of a workspace wait for each other, so call it last before the commit.
 */
export async function updatePostQuota(
  tx: Tx,
  { workspace_id, before, time, now }: { workspace_id: string; before: QuotaState; time: Date | null; now: Date },
) {
  const waited = before.status === 'scheduled' && before.scheduled_at !== null && before.scheduled_at > now
  const waits = time !== null && time > now && !waited
  const here = { workspace_id, now }
  if (time && !before.counted_in)
    await (waits ? reserveBoth(tx, postsPerMonth, scheduledPosts, here) : reserve(tx, postsPerMonth, here))
  else if (waits) await assertWithinLimit(tx, scheduledPosts, here)
  if (!time && before.counted_in) await release(tx, postsPerMonth, { workspace_id, month: before.counted_in })
}

/** Charges new posts that are published at these times. Also the last statement of a transaction. */
export async function reservePosts(
  tx: Tx,
  { workspace_id, times, now }: { workspace_id: string; times: Date[]; now: Date },
) {
  const waiting = times.filter((time) => time > now).length
  const due = times.length - waiting
  if (due > 0) await reserve(tx, postsPerMonth, { workspace_id, amount: due, now })
  if (waiting > 0) await reserveBoth(tx, postsPerMonth, scheduledPosts, { workspace_id, amount: waiting, now })
}

/** Releases posts that go uncounted, in the order of their months. Also the last statements of a transaction. */
export async function releasePosts(tx: Tx, workspace_id: string, posts: readonly { counted_in: string | null }[]) {
  const counts = new Map<string, number>()
  for (const { counted_in } of posts) if (counted_in) counts.set(counted_in, (counts.get(counted_in) ?? 0) + 1)
  for (const [month, amount] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
    await release(tx, postsPerMonth, { workspace_id, amount, month })
}
