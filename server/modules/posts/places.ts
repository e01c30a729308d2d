import type { Tx } from '../../lib/database.ts'
import { checkStanding, giveBack, monthOf, reserve, reserveWithPlace } from '../../lib/limits.ts'

/**
 * A post is part of the count of the month in which it is scheduled or published first, once, and `counted_in` says of
 * which. It is taken back when nothing of it was published and it is a draft again, or deleted.
 */
type Before = { counted_in: string | null; status: string; scheduled_at: Date | null }
/** What a new post, or one that was deleted, takes the place of. */
export const nowhere: Before = { counted_in: null, status: 'draft', scheduled_at: null }

/** The month that a post which is to go out counts in. */
export const countedIn = ({ counted_in }: Before, now: Date) => counted_in ?? monthOf(now)

/**
 * Takes the places of a post that goes out at `time` now, or gives back those that it had; throws when the plan has none
 * left. Many posts of a workspace come here at a time and wait for each other: the last thing before the commit.
 */
export async function takePlaces(
  tx: Tx,
  { workspace_id, before, time, now }: { workspace_id: string; before: Before; time: Date | null; now: Date },
) {
  const waited = before.status === 'scheduled' && before.scheduled_at !== null && before.scheduled_at > now
  const waits = time !== null && time > now && !waited
  const month = { workspace_id, meter: 'posts_per_month', now } as const
  if (time && !before.counted_in)
    await (waits ? reserveWithPlace(tx, month, 'scheduled_posts_max') : reserve(tx, month))
  else if (waits) await checkStanding(tx, { workspace_id, meter: 'scheduled_posts_max', now })
  if (!time && before.counted_in)
    await giveBack(tx, { workspace_id, meter: 'posts_per_month', month: before.counted_in })
}
