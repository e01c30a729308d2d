import { sql } from 'kysely'
import { invalidTransition } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { changedBy, lockPost } from '../record/lock-post.ts'
import { postEvents } from '../record/posts.events.ts'
import { enqueuePublish } from '../record/publish-queue.ts'
import { readPost } from '../record/select-posts.ts'

/** Posts that one transaction releases. */
const BATCH = 100

/** Ends the hold of a post whose agent was stopped. It keeps its time; if that has passed, it is published at once. */
export const releasePost = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    await lockPost(tx, caller, id)
    const { held, status } = await readPost(tx, caller, id)
    if (held !== 'agents_stopped') throw invalidTransition(held ?? status, 'release a post')
    return release(tx, caller, id, clock.now())
  })

/** The same for all of a workspace. Returns how many were released. */
export async function releasePosts({ db, clock }: Deps, caller: Member) {
  let released = 0
  for (;;) {
    const count = await inTransaction(db, async (tx) => {
      const posts = await tx
        .selectFrom('post')
        .select('id')
        .where('workspace_id', '=', caller.workspace_id)
        .where('held', '=', 'agents_stopped')
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .limit(BATCH)
        .forUpdate()
        .execute()
      for (const { id } of posts) await release(tx, caller, id, clock.now())
      return posts.length
    })
    released += count
    if (count < BATCH) return { released }
  }
}

async function release(tx: Tx, caller: Member, id: string, now: Date) {
  await tx
    .updateTable('post')
    // Its time passed while it was held, not in an outage, so that it is not held again as late.
    .set({ held: null, scheduled_at: sql`greatest(scheduled_at, ${now}::timestamptz)`, ...changedBy(caller, now) })
    .where('id', '=', id)
    .execute()
  const post = await readPost(tx, caller, id)
  if (!post.held) for (const target of post.targets) await enqueuePublish(tx, target, post.scheduled_at ?? now)
  await emit(tx, postEvents['post.updated'], caller.workspace_id, { post, change: 'released', by: doneBy(caller) }, now)
  await audit(tx, caller, 'post.released', id, { scheduled_at: post.scheduled_at })
  return post
}
