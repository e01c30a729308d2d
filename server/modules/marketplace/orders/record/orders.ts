import { type SqlBool, sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { notFound } from '../../../../errors.ts'
import type { Db } from '../../../../lib/db/database.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { toMajor } from '../../../../lib/money.ts'
import { earnedOf } from './earnings.ts'
import type { OrderRecord } from './orders.schema.ts'

/** Orders with the names of both sides, the last delivery, and the open checkout. */
export const orderRows = (db: Db) =>
  db
    .selectFrom('gig_order')
    .leftJoin('workspace as buyer_workspace', 'buyer_workspace.id', 'gig_order.buyer_workspace_id')
    .leftJoin('user as seller', 'seller.id', 'gig_order.seller_id')
    .leftJoin('signature', 'signature.user_id', 'gig_order.seller_id')
    .leftJoin('checkout', (join) =>
      join.onRef('checkout.order_id', '=', 'gig_order.id').on('checkout.status', '=', 'open'),
    )
    .selectAll('gig_order')
    .select(['buyer_workspace.name as buyer_name', 'seller.name as seller_name', 'signature.handle as seller_handle'])
    .select(['checkout.id as checkout_id', 'checkout.kind as checkout_kind', 'checkout.url as checkout_url'])
    .select('checkout.expires_at as checkout_expires_at')
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

/** An order as the API shows it. `isBuyer`: adds the open checkout, which does not concern others. */
export const recordOf = (row: OrderRow, isBuyer = false): OrderRecord => ({
  ...row,
  buyer: { user_id: row.buyer_id, workspace_id: row.buyer_workspace_id, workspace_name: row.buyer_name },
  seller: {
    user_id: row.seller_id,
    workspace_id: row.seller_workspace_id,
    name: row.seller_name,
    handle: row.seller_handle,
  },
  price: toMajor(row.price),
  platform_fee: toMajor(row.platform_fee),
  seller_payout: toMajor(row.seller_payout),
  earned: toMajor(earnedOf(row)),
  refund_amount: toMajor(row.refund_amount),
  // A disputed order keeps it for the time after the dispute.
  auto_complete_at: row.status === 'delivered' ? row.auto_complete_at : null,
  checkout: isBuyer ? openCheckoutOf(row) : null,
})

function openCheckoutOf({ checkout_id, checkout_kind, checkout_url, checkout_expires_at }: OrderRow) {
  if (checkout_id === null || checkout_expires_at === null) return null
  // An order costs something, so there is a way to pay.
  const kind = checkout_kind as NonNullable<OrderRecord['checkout']>['kind']
  return { id: checkout_id, kind, url: checkout_url, expires_at: checkout_expires_at }
}

/** Whether the workspace of the caller buys. The seller is a user, with the workspace of the gig. */
export const isBuyer = ({ workspace_id }: Member, row: Pick<OrderRow, 'buyer_workspace_id'>) =>
  row.buyer_workspace_id === workspace_id

/** Whether the caller buys or sells an order. `role`: only one of these. */
export function isParty({ workspace_id, user_id }: Member, role?: 'buyer' | 'seller') {
  const buys = sql<SqlBool>`gig_order.buyer_workspace_id = ${workspace_id}`
  const sells = sql<SqlBool>`(gig_order.seller_workspace_id = ${workspace_id} and gig_order.seller_id = ${user_id})`
  if (role) return role === 'buyer' ? buys : sells
  return sql<SqlBool>`(${buys} or ${sells})`
}

/** Reads an order that the caller buys or sells. Throws 404 for others. */
export async function findOrder(db: Db, caller: Member, id: string) {
  const row = await orderRows(db).where('gig_order.id', '=', id).where(isParty(caller)).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export const readRow = (db: Db, id: string) => orderRows(db).where('gig_order.id', '=', id).executeTakeFirstOrThrow()

export const readRows = (db: Db, ids: string[]) =>
  orderRows(db).where(sql<SqlBool>`gig_order.id = any(${ids}::uuid[])`).execute()
