import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { mailOrder } from '../conversation/order-mails.ts'
import { lockOrder, touchOrder } from '../record/act-on-order.ts'
import { otherSide } from '../record/order-state.ts'

/** Orders looked up at a time. */
const BATCH = 200

/** Publishes the reviews of an order, which is locked. The rating of the gig follows those of buyers. */
export async function publishReviews(deps: Deps, tx: Tx, order_id: string, now: Date) {
  const published = await tx
    .updateTable('order_review')
    .set({ published_at: now })
    .where('order_id', '=', order_id)
    .where('published_at', 'is', null)
    .returning(['side', 'rating', 'gig_id'])
    .execute()
  if (published.length === 0) return
  await touchOrder(tx, order_id, now)
  const order = await lockOrder(tx, order_id)
  for (const { side, rating, gig_id } of published) {
    if (side === 'buyer' && gig_id)
      await tx
        .updateTable('gig')
        .set({ rating_count: sql`rating_count + 1`, rating_sum: sql`rating_sum + ${rating}` })
        .where('id', '=', gig_id)
        .execute()
    await mailOrder(deps, tx, order, otherSide(side), { key: 'order-reviewed' })
  }
}

/** Publishes reviews that waited for the other side until their time was over. */
export async function publishDueReviews(deps: Deps) {
  const failed = new Set<string>()
  for (;;) {
    const due = await deps.db
      .selectFrom('order_review')
      .select('order_id')
      .where('publish_at', '<=', deps.clock.now())
      .where('published_at', 'is', null)
      .orderBy('publish_at')
      .limit(BATCH + failed.size)
      .execute()
    const next = due.filter(({ order_id }) => !failed.has(order_id))
    if (next.length === 0) return
    for (const { order_id } of next)
      try {
        await inTransaction(deps.db, async (tx) => {
          await lockOrder(tx, order_id)
          await publishReviews(deps, tx, order_id, deps.clock.now())
        })
      } catch (error) {
        failed.add(order_id)
        deps.log.error({ err: error, order_id }, 'reviews of an order were not published, which is retried in a minute')
      }
  }
}
