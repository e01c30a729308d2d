import { DAY, HOUR } from '../../../../shared/time.ts'
import { type Db, FIRST_ID, inTransaction, LAST_ID, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { enqueueCheckoutSync, enqueueRefundSync } from '../providers/enqueue-sync.ts'
import { liveStatuses } from '../records/transitions.ts'
import { retryFailedEnds } from './failed-cancellations.ts'

/** Jobs added in one transaction. */
const BATCH = 500
/** Time over which the calls of a night are spread. */
const SPREAD_MS = 2 * HOUR
/** Age from which a checkout that is not paid is read again, in case its event was lost. */
const CHECKOUT_AGE_MS = 600_000
/** Age until which a checkout may still be paid: longer than any provider keeps one open. */
const CHECKOUT_KEPT_MS = 3 * DAY

/** Time after a payment in which its refunds are read each night. Not every provider reports them by itself. */
const REFUNDS_READ_MS = 30 * DAY

/** A random time of the night, so that the calls to providers are spread. */
const spread = (now: Date) => new Date(now.getTime() + Math.floor(Math.random() * SPREAD_MS))

/** Enqueues a job for each row, in transactions of a bounded size. `pageAfter`: the rows after an id, in its order. */
async function enqueueEach(
  db: Db,
  pageAfter: (id: string) => Promise<{ id: string }[]>,
  enqueue: (tx: Tx, id: string) => Promise<unknown>,
) {
  for (let last = FIRST_ID; last !== LAST_ID; ) {
    const page = await pageAfter(last)
    await inTransaction(db, async (tx) => {
      for (const { id } of page) await enqueue(tx, id)
    })
    last = page.at(-1)?.id ?? LAST_ID
  }
}

/** Reads every live subscription and unpaid checkout from its provider again, in case an event was lost. */
export async function enqueueReconciliation({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock.now()
  await enqueueEach(
    db,
    (after) =>
      db
        .selectFrom('subscription')
        .select('id')
        .where('status', 'in', [...liveStatuses])
        .where('provider_subscription_id', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH)
        .execute(),
    (tx, id) => {
      const payload = { subscription_id: id, is_nightly: true }
      return addJob(tx, 'sync-subscription', payload, { key: `nightly ${id}`, runAt: spread(now) })
    },
  )
  await enqueueEach(db, (after) => unpaidCheckouts(db, after, now), enqueueCheckoutSync)
  await inTransaction(db, retryFailedEnds)
  await enqueueEach(
    db,
    (after) => refundablePayments(db, after, now),
    (tx, id) => enqueueRefundSync(tx, id, spread(now)),
  )
}

const unpaidCheckouts = (db: Db, after: string, now: Date) =>
  db
    .selectFrom('checkout')
    .select('id')
    // Also one that was refused and whose payment is not known yet.
    .where('completed_at', 'is', null)
    .where('provider_ref', 'is not', null)
    .where('updated_at', '<', new Date(now.getTime() - CHECKOUT_AGE_MS))
    .where('updated_at', '>', new Date(now.getTime() - CHECKOUT_KEPT_MS))
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .execute()

/** Payments of the last days or of a running period, and those with a refund that is pending. */
const refundablePayments = (db: Db, after: string, now: Date) =>
  db
    .selectFrom('payment')
    .select('id')
    .where('provider', '<>', 'manual')
    .where((where) =>
      where.or([
        where('paid_at', '>', new Date(now.getTime() - REFUNDS_READ_MS)),
        where('period_end', '>', now),
        where('id', 'in', db.selectFrom('refund').select('payment_id').where('status', '=', 'pending')),
      ]),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .execute()
