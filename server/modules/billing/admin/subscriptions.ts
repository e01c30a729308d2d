import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { notFound } from '../../../errors.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import { page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { withdrawOpenPayments } from '../checkouts/close-checkout.ts'
import { endSubscription } from '../processes/cancel-and-resume.ts'
import { enqueueSubscriptionSync } from '../providers/enqueue-sync.ts'
import { lockBilling } from '../records/lock.ts'
import { readSubscriptionRow, recordOf, type SubscriptionRow } from '../records/subscriptions.ts'
import { renewalDueAgain } from '../records/timers.ts'
import { changeSubscription } from '../subscriptions/change-subscription.ts'
import type { SubscriptionQuery } from './admin.schema.ts'

const subscriptionsWithNames = (db: Db) =>
  db
    .selectFrom('subscription')
    .leftJoin('workspace', 'workspace.id', 'subscription.workspace_id')
    .selectAll('subscription')
    .select('workspace.name as workspace_name')

type Listed = SubscriptionRow & { workspace_name: string | null }

const listedRecord = async (deps: Pick<Deps, 'db' | 'baseUrl'>, { workspace_name, ...row }: Listed) => ({
  ...(await recordOf(deps.db, deps, row)),
  workspace_name,
})

/** Lists the subscriptions of all workspaces, the newest first. */
export async function listSubscriptions(deps: Pick<Deps, 'db' | 'baseUrl'>, query: Static<typeof SubscriptionQuery>) {
  const { status, plan_code, provider, ...rest } = query
  const rows = subscriptionsWithNames(deps.db)
    .$if(status !== undefined, (all) => all.where('subscription.status', '=', status ?? 'active'))
    .$if(plan_code !== undefined, (all) => all.where('subscription.plan_code', '=', plan_code ?? ''))
    .$if(provider !== undefined, (all) => all.where('subscription.provider', '=', provider ?? 'manual'))
  const { data, next_cursor } = await page(rows, 'subscription.id', rest)
  return { data: await Promise.all(data.map((row) => listedRecord(deps, row))), next_cursor }
}

export async function readSubscriptionForAdmin(deps: Pick<Deps, 'db' | 'baseUrl'>, id: string) {
  const row = await subscriptionsWithNames(deps.db).where('subscription.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return listedRecord(deps, row)
}

const asAdmin = (deps: Deps, id: string, work: (tx: Tx, row: SubscriptionRow) => Promise<unknown>) =>
  inTransaction(deps.db, async (tx) => {
    const { workspace_id } = await readSubscriptionRow(tx, id)
    if (workspace_id) await lockBilling(tx, workspace_id)
    await work(tx, await readSubscriptionRow(tx, id))
    return readSubscriptionForAdmin({ ...deps, db: tx }, id)
  })

/**
 * Moves the end of the period, and with it the days on which later periods begin. Makes a past due one active until that
 * end, whatever its provider reports about the open payment.
 */
export const extendSubscription = (deps: Deps, caller: User, id: string, { days }: { days: number }) =>
  asAdmin(deps, id, async (tx, row) => {
    const now = deps.clock.now()
    const from = row.current_period_end > now ? row.current_period_end : now
    const end = new Date(from.getTime() + days * DAY)
    await withdrawOpenPayments(deps, tx, row)
    await changeSubscription(deps, tx, caller, 'extend', row, {
      current_period_end: end,
      anchor: end,
      extended_until: end,
      failed_payment_url: null,
      ...renewalDueAgain({ ...row, timer_at: now, current_period_end: end }),
    })
    if (row.cancel_at_period_end) await enqueueSubscriptionSync(tx, row.id)
  })

/** Ends a subscription now, without a refund. */
export const expireSubscription = (deps: Deps, caller: User, id: string) =>
  asAdmin(deps, id, (tx, row) => endSubscription(deps, tx, caller, row, 'expire'))
