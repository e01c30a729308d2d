import type { Selectable } from 'kysely'
import { notFound, problem } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Subscription } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { type Member, mayReadBilling } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import { returnPath } from '../providers/return-urls.ts'
import type { SubscriptionRecord } from './subscriptions.schema.ts'
import { liveStatuses } from './transitions.ts'

export type SubscriptionRow = Selectable<Subscription>

/** Whether a subscription costs nothing. Its provider is `manual`. */
export const isFree = ({ amount }: Pick<SubscriptionRow, 'amount'>) => BigInt(amount) === 0n

/** The subscription as the API shows it, with the address to pay what is open. A canceled one needs no renewal. */
export async function recordOf(db: Db, deps: Pick<Deps, 'baseUrl'>, row: SubscriptionRow): Promise<SubscriptionRecord> {
  const open = await db
    .selectFrom('checkout')
    .innerJoin('workspace', 'workspace.id', 'checkout.workspace_id')
    .select(['checkout.id', 'workspace.slug'])
    .where('checkout.subscription_id', '=', row.id)
    .where('checkout.status', '=', 'open')
    .where('checkout.purpose', '=', 'renewal')
    .executeTakeFirst()
  // Its version is no ETag: callers do not send the subscription back.
  const { amount, version: _, ...rest } = row
  return {
    ...rest,
    amount: toMajor(amount),
    pay_url:
      row.failed_payment_url ??
      (open && !row.cancel_at_period_end ? `${deps.baseUrl}${returnPath(open.slug, open)}` : null),
  }
}

/** The subscription in force, if there is one. */
export const findLive = (db: Db, workspace_id: string) =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('status', 'in', [...liveStatuses])
    .executeTakeFirst()

/** The subscription in force. Throws 402 without one. */
export async function requireLive(db: Db, workspace_id: string) {
  const row = await findLive(db, workspace_id)
  if (!row) throw problem('subscription_required')
  return row
}

/**
 * The subscription of the workspace, in force or the last one. Throws 404 if there never was one. Those who do not pay it
 * see neither where it is paid nor its ids at the provider.
 */
export async function readSubscription(db: Db, deps: Pick<Deps, 'baseUrl'>, caller: Member) {
  const { workspace_id } = caller
  const row = await db
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw problem('subscription_not_found')
  const record = await recordOf(db, deps, row)
  if (mayReadBilling(caller)) return record
  return { ...record, pay_url: null, provider_subscription_id: null, provider_customer_id: null }
}

export async function readSubscriptionRow(db: Db, id: string) {
  const row = await db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}
