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
  const { checkout_id, ...found } = await findSubject(deps.db, provider, refs)
  if (checkout_id) await syncCheckout(deps, { checkout_id })
  // Another event may have started the subscription meanwhile, with what the provider said before this one.
  const { subscription_id } = found.subscription_id ? found : await findSubject(deps.db, provider, refs)
  if (checkout_id && refs.failed) await replaceFailed(deps, checkout_id)
  if (subscription_id) await syncSubscription(deps, { subscription_id })
  // Refunds and disputes are read with their payment, and one that was first read for this event has them.
  const { payment_id } = await findSubject(deps.db, provider, refs)
  if (payment_id) await syncRefunds(deps, { payment_id })
  if (provider === 'iyzico' && !checkout_id && !subscription_id) await syncOpenCheckouts(deps, provider)
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

/** Checkouts read for an event about an unknown subscription. */
const MAX_CHECKOUTS = 50

/** The event may be about a subscription that began with one of these, and does not name it. */
async function syncOpenCheckouts(deps: Deps, provider: ProviderName) {
  const rows = await deps.db
    .selectFrom('checkout')
    .select('id')
    .where('provider', '=', provider)
    .where('status', '=', 'open')
    .where('purpose', '<>', 'renewal')
    .where('provider_ref', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_CHECKOUTS)
    .execute()
  await inTransaction(deps.db, async (tx) => {
    for (const { id } of rows) await enqueueCheckoutSync(tx, id)
  })
}

/** Only the event reports that the payment failed. A checkout that the provider shows as paid was completed before. */
const replaceFailed = (deps: Deps, checkout_id: string) =>
  inTransaction(deps.db, async (tx) => {
    const row = await readRow(tx, checkout_id)
    await lockBilling(tx, row.workspace_id)
    await replaceRenewal(deps, tx, row, 'The payment failed.')
  })

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Our records that an event is about. It may come before the subscription is known: then its checkout names it. */
async function findSubject(db: Db, provider: ProviderName, refs: Refs) {
  const payment = refs.payment_id
    ? await db
        .selectFrom('payment')
        .select(['id', 'subscription_id'])
        .where('provider', '=', provider)
        .where('provider_payment_id', '=', refs.payment_id)
        .executeTakeFirst()
    : undefined
  const subscription = refs.subscription_id
    ? await db
        .selectFrom('subscription')
        .select('id')
        .where('provider', '=', provider)
        .where('provider_subscription_id', '=', refs.subscription_id)
        .executeTakeFirst()
    : undefined
  const id = refs.checkout_id && uuid.test(refs.checkout_id) ? refs.checkout_id : undefined
  const checkout =
    id || refs.checkout_ref
      ? await db
          .selectFrom('checkout')
          .select('id')
          .where('provider', '=', provider)
          .where((where) =>
            where.or([
              ...(id ? [where('id', '=', id)] : []),
              ...(refs.checkout_ref ? [where('provider_ref', '=', refs.checkout_ref)] : []),
            ]),
          )
          .executeTakeFirst()
      : undefined
  return {
    subscription_id: subscription?.id ?? payment?.subscription_id,
    checkout_id: checkout?.id,
    payment_id: payment?.id,
  }
}
