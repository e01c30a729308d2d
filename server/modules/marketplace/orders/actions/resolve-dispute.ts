import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, invalidTransition, notFound } from '../../../../errors.ts'
import { type Db, inTransaction, type Tx } from '../../../../lib/db/database.ts'
import { pageWhere } from '../../../../lib/db/page.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { User } from '../../../../lib/http/access.ts'
import { toMajor, toMinor } from '../../../../lib/money.ts'
import { pageOfMessages, writeMessage } from '../conversation/messages.ts'
import { mailOrder } from '../conversation/order-mails.ts'
import { closeOrder } from '../money/close-order.ts'
import { refundCompleted } from '../money/refund-completed.ts'
import { lockOrder } from '../record/act-on-order.ts'
import { readRow, readRows, recordOf } from '../record/orders.ts'
import type { DisputeQuery, Resolution } from './disputes.schema.ts'

const selectDisputes = (db: Db) =>
  db
    .selectFrom('order_dispute')
    .select(['id', 'order_id', 'opened_by', 'reason', 'status', 'refund_amount', 'note', 'created_at', 'ended_at'])

type Row = Awaited<ReturnType<ReturnType<typeof selectDisputes>['executeTakeFirstOrThrow']>>

const recordOfDispute = ({ refund_amount, created_at, ended_at, ...row }: Row) => ({
  ...row,
  refund_amount: refund_amount === null ? null : toMajor(refund_amount),
  created_at: created_at.toISOString(),
  ended_at: ended_at?.toISOString() ?? null,
})

const summaryOf = async (db: Db, row: Row) => ({
  ...recordOfDispute(row),
  order: recordOf(await readRow(db, row.order_id)),
})

async function findDispute(db: Db, id: string) {
  const row = await selectDisputes(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export async function listDisputes(db: Db, { status, ...query }: Static<typeof DisputeQuery>) {
  const long = { db, columns: ['reason', 'note'] as const }
  const { data, next_cursor } = await pageWhere(selectDisputes(db), 'order_dispute.status', status, query, long)
  const ids = data.map(({ order_id }) => order_id)
  const orders = new Map((await readRows(db, ids)).map((row) => [row.id, row]))
  const disputes = data.map((row) => {
    const order = orders.get(row.order_id)
    if (!order) throw new Error(`The order of dispute ${row.id} was not read.`)
    return { ...recordOfDispute(row), order: recordOf(order) }
  })
  return { data: disputes, next_cursor }
}

/** With everything that an instance admin needs to decide: the order, its deliveries, and its last messages. */
export async function readDispute(db: Db, id: string) {
  const row = await findDispute(db, id)
  const deliveries = await db
    .selectFrom('order_delivery')
    .select(['number', 'posts', 'notes', 'created_at'])
    .where('order_id', '=', row.order_id)
    .orderBy('number', 'desc')
    .limit(sql.lit(1000))
    .execute()
  const messages = await pageOfMessages(db, row.order_id, { limit: 100 })
  return { ...(await summaryOf(db, row)), deliveries, messages }
}

/** Locks the order of a dispute that is open. */
async function lockDisputed(tx: Tx, id: string, action: string) {
  const { order_id } = await findDispute(tx, id)
  const order = await lockOrder(tx, order_id)
  const { status } = await findDispute(tx, id)
  if (status !== 'open') throw invalidTransition(status, action)
  return order
}

/**
 * Gives the buyer a part of the price, and the rest to the seller. All of the price cancels the order, unless it was
 * completed before.
 */
export const resolveDispute = (
  deps: Deps,
  caller: User,
  id: string,
  { refund_amount, note }: Static<typeof Resolution>,
) =>
  inTransaction(deps.db, async (tx) => {
    const order = await lockDisputed(tx, id, 'resolve a dispute')
    const now = deps.clock.now()
    const refunded = toMinor(refund_amount, '/refund_amount')
    const price = BigInt(order.price)
    const returned = BigInt(order.refund_amount)
    if (refunded > price)
      throw invalid('/refund_amount', { en: 'This must be at most the price.', tr: 'En çok fiyat kadar olmalı.' })
    await tx
      .updateTable('order_dispute')
      .set({
        ...{ status: 'resolved', note: note ?? null, ended_at: now },
        // What was returned before stays returned.
        refund_amount: String(refunded > returned ? refunded : returned),
        resolved_by_id: caller.user_id,
      })
      .where('id', '=', id)
      .execute()
    const step = { by: 'admin', actor: caller, now, refunded, reason: note?.slice(0, 1000) ?? null } as const
    const name = refunded === price ? 'resolve_canceled' : 'resolve'
    const after =
      order.status === 'completed'
        ? await refundCompleted(deps, tx, order, { ...step, dispute_id: id })
        : await closeOrder(deps, tx, order, { ...step, name })
    for (const side of ['buyer', 'seller'] as const)
      await mailOrder(deps, tx, after, side, {
        key: 'order-dispute-resolved',
        amount: BigInt(after.refund_amount),
        ...(note && { reason: note }),
      })
    return readDispute(tx, id)
  })

/** Writes to both sides while the dispute is open. */
export const writeInDispute = (deps: Deps, caller: User, id: string, { text }: { text: string }) =>
  inTransaction(deps.db, async (tx) => {
    const order = await lockDisputed(tx, id, 'write in a dispute')
    return writeMessage(deps, tx, order, { side: 'admin', author_id: caller.user_id, text, media_ids: [] })
  })
