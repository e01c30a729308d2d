import { exportRows } from '../../../lib/export.ts'
import { toMajor } from '../../../lib/money.ts'

export const gigs = exportRows(async (db, user_id, after, limit) => {
  const rows = await db
    .selectFrom('gig')
    .select(['id', 'workspace_id', 'slug', 'title', 'description', 'price', 'currency', 'delivery_days', 'categories'])
    .select(['status', 'published_at', 'archived_at', 'rating_count', 'rating_sum', 'created_at', 'updated_at'])
    .where('owner_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, price: toMajor(row.price) }))
})
