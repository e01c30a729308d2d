import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '../../../errors.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { syncRefunds } from '../payments/sync-refunds.ts'
import { replaceRenewal } from '../processes/renewals.ts'
import { syncCheckout } from '../processes/settle-checkout.ts'
import { syncSubscription } from '../processes/sync-subscription.ts'
import { enqueueCheckoutSync } from '../providers/enqueue-sync.ts'
import type { ProviderName, Refs } from '../providers/provider.ts'
import { missingSettings, providerOf } from '../providers/registry.ts'
import { readRow } from '../records/checkouts.ts'
import { lockBilling } from '../records/lock.ts'
import { createEventStore } from './event-store.ts'

type Inbound = { provider: ProviderName; raw: Buffer; headers: IncomingHttpHeaders }

/**
 * Returns a function that verifies an event, and stores it once with the job that handles it before it is acknowledged.
 * A wrong signature is 400, and nothing is kept. While the database is down the response is 503, so that the provider
 * sends the event again.
 */
export function createReceiver(deps: Deps) {
  const store = createEventStore(deps)
  return async ({ provider: name, raw, headers }: Inbound) => {
    const provider = providerOf(name)
    if ((await missingSettings(deps, provider)).length > 0) throw problem('not_found')
    const event = await provider.verifyWebhook(deps, raw, headers)
    if (!event) throw problem('signature_invalid')
    await store({ ...event, provider: name })
    return provider.acknowledgement
  }
}

/** Reads the state of what an event is about from the provider. The event itself decides nothing. */
export async function handleEvent(deps: Deps, { provider, event_id }: { provider: ProviderName; event_id: string }) {
  const event = await deps.db
    .selectFrom('billing_event')
    .selectAll()
    .where('provider', '=', provider)
    .where('event_id', '=', event_id)
    .executeTakeFirst()
  if (!event || event.handled_at) return
  const refs = event.refs as Refs & { failed: boolean }
  const checkout_id = await findCheckout(deps.db, provider, refs)
  if (checkout_id) await syncCheckout(deps, { checkout_id })
  if (checkout_id && refs.failed) await replaceFailed(deps, checkout_id)
  // Found after its checkout, which may have started it just now, here or for another event.
  const subscription_id = await findSubscription(deps.db, provider, refs)
  if (subscription_id) await syncSubscription(deps, { subscription_id })
  // Looked up after both syncs, which record payments. Refunds and disputes are read with their payment.
  const payment_id = (await findPayment(deps.db, provider, refs))?.id
  if (payment_id) await syncRefunds(deps, { payment_id })
  if (!checkout_id && !subscription_id) await syncCandidates(deps, provider)
  await deps.db
    .updateTable('billing_event')
    .set({
      handled_at: deps.clock.now(),
      outcome: checkout_id || subscription_id || payment_id ? 'applied' : 'ignored',
    })
    .where('provider', '=', provider)
    .where('event_id', '=', event_id)
    .execute()
}

/** Enqueues reads of the checkouts that an event about nothing known here may be about. */
const syncCandidates = (deps: Deps, provider: ProviderName) =>
  inTransaction(deps.db, async (tx) => {
    const checkout_ids = (await providerOf(provider).findCandidates?.(tx)) ?? []
    for (const id of checkout_ids) await enqueueCheckoutSync(tx, id)
  })

/** Only the event reports that the payment failed. A checkout that the provider shows as paid was completed before. */
const replaceFailed = (deps: Deps, checkout_id: string) =>
  inTransaction(deps.db, async (tx) => {
    const row = await readRow(tx, checkout_id)
    await lockBilling(tx, row.workspace_id)
    await replaceRenewal(deps, tx, row, 'The payment failed.')
  })

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The checkout that an event names, by our id or by that of the provider. */
async function findCheckout(db: Db, provider: ProviderName, { checkout_id, checkout_ref }: Refs) {
  const id = checkout_id && uuid.test(checkout_id) ? checkout_id : undefined
  if (!id && !checkout_ref) return undefined
  const checkout = await db
    .selectFrom('checkout')
    .select('id')
    .where('provider', '=', provider)
    .where((where) =>
      where.or([
        ...(id ? [where('id', '=', id)] : []),
        ...(checkout_ref ? [where('provider_ref', '=', checkout_ref)] : []),
      ]),
    )
    .executeTakeFirst()
  return checkout?.id
}

/** The subscription that an event names, or that its payment pays. */
async function findSubscription(db: Db, provider: ProviderName, refs: Refs) {
  const subscription = refs.subscription_id
    ? await db
        .selectFrom('subscription')
        .select('id')
        .where('provider', '=', provider)
        .where('provider_subscription_id', '=', refs.subscription_id)
        .executeTakeFirst()
    : undefined
  return subscription?.id ?? (await findPayment(db, provider, refs))?.subscription_id ?? undefined
}

const findPayment = async (db: Db, provider: ProviderName, { payment_id }: Refs) =>
  payment_id
    ? db
        .selectFrom('payment')
        .select(['id', 'subscription_id'])
        .where('provider', '=', provider)
        .where('provider_payment_id', '=', payment_id)
        .executeTakeFirst()
    : undefined
