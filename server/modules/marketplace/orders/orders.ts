import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Db } from '../../../lib/db/database.ts'
import { toMajor } from '../../../lib/money.ts'
import type { OrderRecord } from './orders.schema.ts'

/** Orders with the names of both sides, the last delivery, and the open checkout. */
export const orderRows = (db: Db) =>
  db
    .selectFrom('gig_order')
    .leftJoin('workspace as buyer_workspace', 'buyer_workspace.id', 'gig_order.buyer_workspace_id')
    .leftJoin('user as seller', 'seller.id', 'gig_order.seller_id')
    .leftJoin('signature', 'signature.user_id', 'gig_order.seller_id')
    .selectAll('gig_order')
    .select(['buyer_workspace.name as buyer_name', 'seller.name as seller_name', 'signature.handle as seller_handle'])
    .select((order) =>
      jsonObjectFrom(
        order
          .selectFrom('order_delivery')
          .select(['posts', 'notes'])
          .whereRef('order_id', '=', 'gig_order.id')
          .orderBy('number', 'desc')
          .limit(sql.lit(1)),
      ).as('contract'),
    )

export type OrderRow = Awaited<ReturnType<ReturnType<typeof orderRows>['executeTakeFirstOrThrow']>>

/** An order as the API shows it. */
export const recordOf = ({
  buyer_id,
  buyer_workspace_id,
  buyer_name,
  seller_id,
  seller_workspace_id,
  seller_name,
  seller_handle,
  price,
  platform_fee,
  seller_payout,
  refund_amount,
  ...row
}: OrderRow): OrderRecord => ({
  ...row,
  buyer: { user_id: buyer_id, workspace_id: buyer_workspace_id, workspace_name: buyer_name },
  seller: { user_id: seller_id, workspace_id: seller_workspace_id, name: seller_name, handle: seller_handle },
  price: toMajor(price),
  platform_fee: toMajor(platform_fee),
  seller_payout: toMajor(seller_payout),
  refund_amount: toMajor(refund_amount),
  checkout: null,
})

export const readRow = (db: Db, id: string) => orderRows(db).where('gig_order.id', '=', id).executeTakeFirstOrThrow()
