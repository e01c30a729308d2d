import { sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../../../errors.ts'
import { audit } from '../../../../lib/db/audit.ts'
import type { Db } from '../../../../lib/db/database.ts'
import { page } from '../../../../lib/db/page.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { actOnOrder, touchOrder } from '../record/act-on-order.ts'
import { otherSide } from '../record/order-state.ts'
import { REVIEW_MS, reviewableSince } from '../record/rules.ts'
import { publishReviews } from './publish-reviews.ts'
import type { GigReviewQuery, ReplyInput, ReviewInput } from './reviews.schema.ts'

/** Neither side sees the review of the other before both are in, or the time for them is over. */
export const reviewOrder = (
  deps: Deps,
  caller: Member,
  id: string,
  { rating, text = '' }: Static<typeof ReviewInput>,
) =>
  actOnOrder(deps, caller, { id, action: 'review' }, async (tx, order, { by, now }) => {
    const since = reviewableSince(order) ?? now
    await tx
      .insertInto('order_review')
      .values({
        ...{ order_id: id, gig_id: order.gig_id, side: by, author_id: caller.user_id, rating, text, created_at: now },
        publish_at: new Date(since.getTime() + REVIEW_MS),
      })
      .execute()
    await touchOrder(tx, id, now)
    await audit(tx, caller, 'order.review', id, { by, rating })
    if (order.reviews.length > 0) await publishReviews(deps, tx, id, now)
  })

export const replyToReview = (deps: Deps, caller: Member, id: string, { text }: Static<typeof ReplyInput>) =>
  actOnOrder(deps, caller, { id, action: 'reply_to_review' }, async (tx, _, { by, now }) => {
    await tx
      .updateTable('order_review')
      .set({ reply: text, replied_at: now })
      .where('order_id', '=', id)
      .where('side', '=', otherSide(by))
      .execute()
    await touchOrder(tx, id, now)
    await audit(tx, caller, 'order.reply_to_review', id, { by })
  })

/** Published reviews of buyers, newest first. */
export async function listGigReviews(db: Db, gig_id: string, query: Static<typeof GigReviewQuery>) {
  const gig = await db
    .selectFrom('gig')
    .select('id')
    .where('id', '=', gig_id)
    .where('taken_down_at', 'is', null)
    .where('status', '<>', 'draft')
    .executeTakeFirst()
  if (!gig) throw notFound()
  const reviews = db
    .selectFrom('order_review')
    .leftJoin('user', 'user.id', 'order_review.author_id')
    .select(['order_review.id', 'rating', 'text', 'reply', 'order_review.created_at'])
    .select(sql<string | null>`split_part("user".name, ' ', 1)`.as('author'))
    .where('order_review.gig_id', '=', gig_id)
    .where('side', '=', sql.lit('buyer'))
    .where('published_at', 'is not', null)
  return page(reviews, 'order_review.id', query)
}
