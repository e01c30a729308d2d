import { notFound } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { problemOf } from '../providers/provider-problem.ts'
import { providerOf } from '../providers/registry.ts'
import { billingPage } from '../providers/return-urls.ts'
import { findLive } from '../records/subscriptions.ts'

/** Reads the payment method from the provider. Throws 404 if it keeps none. */
export async function readPaymentMethod(deps: Deps, { workspace_id }: Member) {
  const row = await findLive(deps.db, workspace_id)
  if (!row?.provider_subscription_id) throw notFound()
  const provider = providerOf(row.provider)
  const ids = { id: row.provider_subscription_id, customer_id: row.provider_customer_id }
  const { slug } = await deps.db
    .selectFrom('workspace')
    .select('slug')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  try {
    const [method, update_url] = await Promise.all([
      provider.readPaymentMethod(deps, ids),
      provider.paymentMethodUrl(deps, ids, billingPage(deps, slug)),
    ])
    if (!method && !update_url) throw notFound()
    return { brand: method?.brand ?? null, last4: method?.last4 ?? null, expires: method?.expires ?? null, update_url }
  } catch (error) {
    throw problemOf(error)
  }
}
