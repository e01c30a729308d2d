import { type SqlBool, sql } from 'kysely'
import { exportRows } from '../../../lib/export.ts'
import { toMajor } from '../../../lib/money.ts'
import { ownWorkspaces } from '../../workspaces/members/own-workspaces.ts'

/** Orders that the user takes part in, with the other members of the workspace that buys. */
const ordersOf = (user_id: string) => sql`(
  select id from gig_order where buyer_workspace_id in ${ownWorkspaces(user_id)}
  union all select id from gig_order where seller_id = ${user_id} and seller_workspace_id in ${ownWorkspaces(user_id)})`

export const orders = exportRows(async (db, user_id, after, limit) => {
  const rows = await db
    .selectFrom('gig_order')
    .select(['id', 'gig_id', 'title', 'price', 'currency', 'status', 'requirements'])
    .select(['created_at', 'paid_at', 'completed_at', 'canceled_at'])
    .select(sql<string>`case when buyer_id = ${user_id} then 'buyer' else 'seller' end`.as('side'))
    .where(sql<SqlBool>`id in ${ordersOf(user_id)} and (buyer_id = ${user_id} or seller_id = ${user_id})`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, price: toMajor(row.price) }))
})

export const orderMessages = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('order_message')
    .select(['id', 'order_id', 'text', 'created_at'])
    .where('author_id', '=', user_id)
    .where(sql<SqlBool>`order_id in ${ordersOf(user_id)}`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)

export const orderReviews = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('order_review')
    .select(['id', 'order_id', 'rating', 'text', 'created_at'])
    .where('author_id', '=', user_id)
    .where(sql<SqlBool>`order_id in ${ordersOf(user_id)}`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
