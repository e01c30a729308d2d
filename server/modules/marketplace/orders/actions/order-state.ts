import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Db } from '../../../../lib/db/database.ts'
import type { OrderParty } from '../../../../lib/db/database-types.ts'
import { orderRows } from '../orders.ts'

export type Side = 'buyer' | 'seller'
export const otherSide = (side: OrderParty): Side => (side === 'buyer' ? 'seller' : 'buyer')

/** Unread messages are counted up to this number. */
const MAX_UNREAD = 100

/** A time inside a JSON aggregate, as the API shows it. */
const timeText = (column: string): RawBuilder<string> =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const timeTextOrNull = (column: string): RawBuilder<string | null> => timeText(column)

/** Messages of others that a side has not read. Those that Meydan wrote do not count. */
const unread = (side: Side) => sql<number>`(select count(*)::int from (
  select from order_message m where m.order_id = gig_order.id and m.side <> ${sql.lit(side)} and m.code is null
    and m.id > coalesce((select read_until from order_reader where order_id = gig_order.id and side = ${sql.lit(side)}),
      '00000000-0000-0000-0000-000000000000')
  limit ${sql.lit(MAX_UNREAD)}) unread)`

/** Orders with all that decides what can be done on them. */
export const orderStates = (db: Db) =>
  orderRows(db).select((order) => [
    jsonObjectFrom(
      order
        .selectFrom('order_proposal')
        .select([
          'order_proposal.id',
          'order_proposal.proposed_by',
          'order_proposal.refund_amount',
          'order_proposal.reason',
          'order_proposal.status',
        ])
        .select([
          timeText('order_proposal.expires_at').as('expires_at'),
          timeText('order_proposal.created_at').as('created_at'),
        ])
        .whereRef('order_proposal.order_id', '=', 'gig_order.id')
        .orderBy('order_proposal.id', 'desc')
        .limit(sql.lit(1)),
    ).as('proposal'),
    jsonObjectFrom(
      order
        .selectFrom('order_dispute')
        .select([
          'order_dispute.id',
          'order_dispute.opened_by',
          'order_dispute.reason',
          'order_dispute.status',
          'order_dispute.refund_amount',
          'order_dispute.note',
        ])
        .select([
          timeText('order_dispute.created_at').as('created_at'),
          timeTextOrNull('order_dispute.ended_at').as('ended_at'),
        ])
        .whereRef('order_dispute.order_id', '=', 'gig_order.id')
        .orderBy('order_dispute.id', 'desc')
        .limit(sql.lit(1)),
    ).as('dispute'),
    jsonArrayFrom(
      order
        .selectFrom('order_review')
        .select([
          'order_review.id',
          'order_review.side',
          'order_review.rating',
          'order_review.text',
          'order_review.reply',
        ])
        .select([
          timeTextOrNull('order_review.published_at').as('published_at'),
          timeTextOrNull('order_review.replied_at').as('replied_at'),
          timeText('order_review.created_at').as('created_at'),
        ])
        .whereRef('order_review.order_id', '=', 'gig_order.id')
        .orderBy('order_review.id'),
    ).as('reviews'),
    unread('buyer').as('unread_buyer'),
    unread('seller').as('unread_seller'),
  ])

export type OrderState = Awaited<ReturnType<ReturnType<typeof orderStates>['executeTakeFirstOrThrow']>>

export const readState = (db: Db, id: string) =>
  orderStates(db).where('gig_order.id', '=', id).executeTakeFirstOrThrow()
