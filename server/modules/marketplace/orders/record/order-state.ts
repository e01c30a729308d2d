import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { type Db, FIRST_ID, LAST_ID } from '../../../../lib/db/database.ts'
import type { OrderParty } from '../../../../lib/db/database-types.ts'
import { type IndexRange, isInRange } from '../../../../lib/db/index-range.ts'
import { orderRows } from './orders.ts'

export type Side = 'buyer' | 'seller'
export const otherSide = (side: OrderParty): Side => (side === 'buyer' ? 'seller' : 'buyer')

/** Unread messages are counted up to this number. */
const MAX_UNREAD = 100

/** A time as the API shows it, for a JSON aggregate, in which PostgreSQL writes it in another form. */
const timeText = <Column extends string, T extends string | null = string>(table: string, column: Column) =>
  sql<T>`to_char(${sql.ref(`${table}.${column}`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as(column)
const timeTextOrNull = <Column extends string>(table: string, column: Column) =>
  timeText<Column, string | null>(table, column)

/** The messages of an order that a side has not read, as a part of their index. */
const unreadRange = (side: Side): IndexRange => ({
  columns: ['m.order_id', 'm.id'],
  low: [
    sql`gig_order.id`,
    sql`coalesce((select read_until from order_reader where order_id = gig_order.id and side = ${sql.lit(side)}),
      ${sql.lit(FIRST_ID)})`,
  ],
  high: [sql`gig_order.id`, LAST_ID],
  direction: 'asc',
})

/** Messages of others that a side has not read. Those that Meydan wrote do not count. */
export const unread = (side: Side) => sql<number>`(select count(*)::int from (
  select from order_message m where ${isInRange(unreadRange(side))} and m.side <> ${sql.lit(side)} and m.code is null
  limit ${sql.lit(MAX_UNREAD)}) unread)`

/** Orders with all that decides what can be done on them. */
export const orderStates = (db: Db) =>
  orderRows(db).select((order) => [
    jsonObjectFrom(
      order
        .selectFrom('order_proposal as proposal')
        .select(['proposal.id', 'proposal.proposed_by', 'proposal.refund_amount', 'proposal.reason', 'proposal.status'])
        .select([timeText('proposal', 'expires_at'), timeText('proposal', 'created_at')])
        .whereRef('proposal.order_id', '=', 'gig_order.id')
        .orderBy('proposal.id', 'desc')
        .limit(sql.lit(1)),
    ).as('proposal'),
    jsonObjectFrom(
      order
        .selectFrom('order_dispute as dispute')
        .select(['dispute.id', 'dispute.opened_by', 'dispute.reason', 'dispute.status'])
        .select(['dispute.refund_amount', 'dispute.note'])
        .select([timeText('dispute', 'created_at'), timeTextOrNull('dispute', 'ended_at')])
        .whereRef('dispute.order_id', '=', 'gig_order.id')
        .orderBy('dispute.id', 'desc')
        .limit(sql.lit(1)),
    ).as('dispute'),
    jsonArrayFrom(
      order
        .selectFrom('order_review as review')
        .select(['review.id', 'review.side', 'review.rating', 'review.text', 'review.reply'])
        .select([timeText('review', 'created_at')])
        .select([timeTextOrNull('review', 'published_at'), timeTextOrNull('review', 'replied_at')])
        .whereRef('review.order_id', '=', 'gig_order.id')
        .orderBy('review.id'),
    ).as('reviews'),
    unread('buyer').as('unread_buyer'),
    unread('seller').as('unread_seller'),
  ])

export type OrderState = Awaited<ReturnType<ReturnType<typeof orderStates>['executeTakeFirstOrThrow']>>

export const readState = (db: Db, id: string) =>
  orderStates(db).where('gig_order.id', '=', id).executeTakeFirstOrThrow()
