import { system } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { expireDueProposals } from './actions/proposals.ts'
import { publishDueReviews } from './actions/publish-reviews.ts'
import { mailOrder } from './conversation/order-mails.ts'
import { closeOrder } from './money/close-order.ts'
import { earningsOf } from './record/earnings.ts'
import { type OrderRow, readRow } from './record/orders.ts'
import { dueTimer, nextTimerAt, type Timer } from './record/timers.ts'

/** Orders looked up at a time. */
const BATCH = 200

/** Runs everything that is due on orders. */
export async function runOrderTimers(deps: Deps) {
  await expireDueProposals(deps)
  await publishDueReviews(deps)
  const failed = new Set<string>()
  for (;;) {
    const due = await deps.db
      .selectFrom('gig_order')
      .select('id')
      .where('timer_at', '<=', deps.clock.now())
      .orderBy('timer_at')
      .limit(BATCH + failed.size)
      .execute()
    const next = due.filter(({ id }) => !failed.has(id))
    if (next.length === 0) return
    for (const { id } of next)
      try {
        if (!(await runTimersOf(deps, id))) failed.add(id)
      } catch (error) {
        // One order must not hold up the others.
        failed.add(id)
        deps.log.error({ err: error, order_id: id }, 'a timer of an order failed and is retried in a minute')
      }
  }
}

/** Each run moves `timer_at` in its transaction, so a timer runs once on any number of nodes. */
const runTimersOf = (deps: Deps, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const claimed = await tx
      .selectFrom('gig_order')
      .select('id')
      .where('id', '=', id)
      .where('timer_at', '<=', now)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!claimed) return false
    const row = await readRow(tx, id)
    await tx
      .updateTable('gig_order')
      .set({ timer_at: nextTimerAt(row, now) })
      .where('id', '=', id)
      .execute()
    const timer = dueTimer(row, now)
    if (timer) await runs[timer](deps, tx, row, now)
    return true
  })

type Run = (deps: Deps, tx: Tx, row: OrderRow, now: Date) => Promise<void>

/** Runs a timer. One that changes the order sets `timer_at` again with the change. */
const runs: Record<Timer, Run> = {
  expire_acceptance: async (deps, tx, row, now) => {
    const closing = { name: 'decline', by: 'system', actor: system(), now, refunded: BigInt(row.price) } as const
    const after = await closeOrder(deps, tx, row, closing)
    await mailOrder(deps, tx, after, 'buyer', { key: 'order-canceled' })
    await mailOrder(deps, tx, after, 'seller', { key: 'order-canceled' })
  },
  auto_complete: async (deps, tx, row, now) => {
    const closing = { name: 'complete', by: 'system', actor: system(), now, refunded: 0n } as const
    const after = await closeOrder(deps, tx, row, closing)
    await mailOrder(deps, tx, after, 'seller', { key: 'order-completed', amount: earningsOf(after).seller_payout })
  },
  remind_accept: (deps, tx, row) =>
    mailOrder(deps, tx, row, 'seller', { key: 'order-accept-reminder', deadline: row.accept_by }),
  remind_late: (deps, tx, row) => mailOrder(deps, tx, row, 'seller', { key: 'order-late', deadline: row.due_at }),
  remind_complete: (deps, tx, row) =>
    mailOrder(deps, tx, row, 'buyer', { key: 'order-completes-soon', deadline: row.auto_complete_at }),
}
