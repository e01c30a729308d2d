import { type NotNull, sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { invalidTransition } from '../../errors.ts'
import { doneBy, emit } from '../../events.ts'
import type { Member } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { type Db, inTransaction } from '../../lib/database.ts'
import { countedIn, nowhere, takePlaces } from './places.ts'
import { checked, lockPost, readPost } from './posts.ts'
import { dropJobs, wakeTarget } from './targets.ts'
import { changedAt } from './version.ts'

/** How long a deleted post can be restored. */
const KEPT_MS = 24 * 3600_000
/** How many are erased in one statement. */
const BATCH = 1000

const keptSince = (now: Date) => new Date(now.getTime() - KEPT_MS)

/** Takes a post out of Meydan; for a day it can be restored. What was published stays on the networks. */
export const deletePost = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    const { status } = before
    if (status === 'publishing') throw invalidTransition(status, 'delete a post')
    const post = await readPost(tx, caller, id)
    await dropJobs(tx, id)
    // What was published of it counts on.
    const goesUncounted = status === 'scheduled' || status === 'failed'
    await tx
      .updateTable('post')
      .set({ deleted_at: now, ...(goesUncounted && { counted_in: null }) })
      .where('id', '=', id)
      .execute()
    const restorable_until = new Date(now.getTime() + KEPT_MS)
    const data = { post, deleted_at: now, restorable_until, by: doneBy(caller) }
    await emit(tx, 'post.deleted', caller.workspace_id, data, now)
    await audit(tx, caller, 'post.deleted', id, { status })
    if (goesUncounted) await takePlaces(tx, { workspace_id: caller.workspace_id, before, time: null, now })
  })

/** Found in the index alone, as `listPosts` finds those of a span of time. */
export const listDeletedPosts = (db: Db, { workspace_id }: Member, since?: string) =>
  db
    .selectFrom('post')
    .select(['post.id', 'post.deleted_at'])
    .where('post.deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: NotNull }>()
    .where(
      sql<boolean>`post.id = any(array(
        select id from post where workspace_id = ${workspace_id} and deleted_at is not null
          and deleted_at >= ${since ? new Date(since) : '-infinity'}::timestamptz))`,
    )

/** Brings a deleted post back. One whose time has passed meanwhile is a draft: nobody wants it out late and at once. */
export const restorePost = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { status, scheduled_at, deleted_at } = await lockPost(tx, caller, id, keptSince(now))
    if (!deleted_at) throw invalidTransition(status, 'restore a post that is not deleted')
    const time = status === 'scheduled' && scheduled_at && scheduled_at > now ? scheduled_at : null
    const isMissed = status === 'scheduled' && !time
    // One that failed may be tried again, so it counts as before.
    const counts = time ?? (status === 'failed' ? now : null)
    await tx
      .updateTable('post')
      .set({
        deleted_at: null,
        updated_at: changedAt(now),
        ...(isMissed && { status: 'draft', scheduled_at: null }),
        ...(counts && { counted_in: countedIn(nowhere, now) }),
      })
      .where('id', '=', id)
      .execute()
    const post = isMissed ? await checked(tx, caller.workspace_id, id) : await readPost(tx, caller, id)
    if (time) for (const target of post.targets) await wakeTarget(tx, target, time)
    await emit(tx, 'post.updated', caller.workspace_id, { post, change: 'restored', by: doneBy(caller) }, now)
    await audit(tx, caller, 'post.restored', id, { status: post.status })
    if (counts) await takePlaces(tx, { workspace_id: caller.workspace_id, before: nowhere, time: counts, now })
    return post
  })

/** Erases what can no longer be restored. The date is asked again of each row: it may be restored just now. */
export async function eraseDeletedPosts({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const before = keptSince(clock.now())
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from post where deleted_at < ${before}
        and id = any(array(select id from post where deleted_at < ${before} limit ${BATCH}))`.execute(db)
    if (numAffectedRows < BATCH) return
  }
}
