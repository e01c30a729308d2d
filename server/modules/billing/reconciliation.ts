import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import { enqueueCheckoutSync, enqueueRefundSync } from './enqueue-sync.ts'
import { retryFailedEnds } from './subscriptions/given-up-ends.ts'
import { liveStatuses } from './subscriptions/transitions.ts'

/** Jobs added in one transaction. */
const BATCH = 500
/** Time over which the calls of a night are spread. */
const SPREAD_MS = 2 * 3_600_000
/** Age from which a checkout that is not paid is read again, in case its event was lost. */
const CHECKOUT_AGE_MS = 600_000
/** Age until which a checkout may still be paid: longer than any provider keeps one open. */
const CHECKOUT_KEPT_MS = 3 * 86_400_000

/** Time after a payment in which its refunds are read each night. Not every provider reports them by itself. */
const REFUNDS_READ_MS = 30 * 86_400_000

/** A random time of the night, so that the calls to providers are spread. */
const spread = (now: Date) => new Date(now.getTime() + Math.floor(Math.random() * SPREAD_MS))

/** Reads every live subscription and unpaid checkout from its provider again, in case an event was lost. */
export async function enqueueReconciliation(deps: Pick<Deps, 'db' | 'clock'>) {
  const { db, clock } = deps
  const now = clock.now()
  let last: string | undefined
  for (;;) {
    const page = await db
      .selectFrom('subscription')
      .select('id')
      .where('status', 'in', [...liveStatuses])
      .where('provider_subscription_id', 'is not', null)
      .$if(last !== undefined, (query) => query.where('id', '>', last ?? ''))
      .orderBy('id')
      .limit(BATCH)
      .execute()
    if (page.length === 0) break
    await inTransaction(db, async (tx) => {
      for (const { id } of page)
        await addJob(
          tx,
          'sync-subscription',
          { subscription_id: id, is_nightly: true },
          { key: `nightly ${id}`, runAt: spread(now) },
        )
    })
    last = page.at(-1)?.id
  }
  const checkouts = await db
    .selectFrom('checkout')
    .select('id')
    .where('status', '<>', 'completed')
    .where('provider_ref', 'is not', null)
    .where('updated_at', '<', new Date(now.getTime() - CHECKOUT_AGE_MS))
    .where('updated_at', '>', new Date(now.getTime() - CHECKOUT_KEPT_MS))
    .execute()
  await inTransaction(db, async (tx) => {
    for (const { id } of checkouts) await enqueueCheckoutSync(tx, id)
  })
  await inTransaction(db, retryFailedEnds)
  await enqueueRefundReconciliation(deps)
}

/** Reads the refunds of payments of the last days or of a running period, and of those with one that is pending. */
async function enqueueRefundReconciliation({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock.now()
  let last: string | undefined
  for (;;) {
    const page = await db
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
      .$if(last !== undefined, (query) => query.where('id', '>', last ?? ''))
      .orderBy('id')
      .limit(BATCH)
      .execute()
    if (page.length === 0) return
    await inTransaction(db, async (tx) => {
      for (const { id } of page) await enqueueRefundSync(tx, id, spread(now))
    })
    last = page.at(-1)?.id
  }
}
