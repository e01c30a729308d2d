import { sql } from 'kysely'
import type { Db } from '../../../lib/db/database.ts'

/** Posts whose time has passed, and that have not ended. */
export const selectDuePosts = (db: Db, now: Date) =>
  db
    .selectFrom('post')
    .where('post.status', 'in', ['scheduled', 'publishing'])
    .where('post.deleted_at', 'is', null)
    // Its editors decide about a held post.
    .where('post.held', 'is', null)
    .where('post.scheduled_at', '<=', now)

/** Finds which of these are not due: rescheduled, published or deleted meanwhile, or unknown. */
export async function findUndue(db: Db, now: Date, ids: string[]) {
  const due = await selectDuePosts(db, now)
    .select('post.id')
    .where('post.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return ids.filter((id) => !due.some((post) => post.id === id))
}
