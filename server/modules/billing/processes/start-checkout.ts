import type { Static } from 'typebox'
import { problem } from '../../../errors.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { insertCheckout } from '../checkouts/insert-checkout.ts'
import { openCheckout } from '../checkouts/open-checkout.ts'
import { assertBuyer, priceOf } from '../checkouts/terms.ts'
import { trialDays } from '../checkouts/trials.ts'
import { assertConfigured, providerOf } from '../providers/registry.ts'
import type { NewCheckout } from '../records/checkouts.schema.ts'
import { readRow, recordOf } from '../records/checkouts.ts'
import { lockBilling } from '../records/lock.ts'
import { findLive } from '../records/subscriptions.ts'
import { completeCheckout } from './settle-checkout.ts'

export async function startCheckout(deps: Deps, caller: Member, input: Static<typeof NewCheckout>) {
  const { options } = deps
  if (!(await options.get('billing.enabled'))) throw problem('billing_disabled')
  const { amount, plan } = await priceOf(deps.db, input.plan_code, input.period, input.currency)
  const provider = providerOf(amount === 0n ? 'manual' : await options.get('billing.provider'))
  await assertConfigured(deps, provider)
  assertBuyer(provider, input.buyer)
  const { row, isNew } = await inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const live = await findLive(tx, caller.workspace_id)
    if (live)
      throw problem('already_subscribed', {
        detail: `The workspace is on the plan ${live.plan_code}. Use POST /billing/change-plan to change it.`,
        extra: { plan_code: live.plan_code, state: live.status },
      })
    const checkout = await insertCheckout(deps, tx, caller, {
      purpose: 'start',
      subscription_id: null,
      plan_code: plan.code,
      billing_period: input.period,
      currency: input.currency,
      amount: String(amount),
      period_amount: String(amount),
      trial_days: await trialDays(tx, caller.workspace_id, plan.trial_days, provider),
      provider: provider.name,
      // The subscription takes over the price that its form was opened with.
      price_ref: null,
    })
    if (checkout.row.kind !== 'none') return checkout
    await completeCheckout(deps, tx, checkout.row, null)
    return { ...checkout, row: await readRow(tx, checkout.row.id) }
  })
  return {
    checkout: await recordOf(deps, await openCheckout(deps, caller, row, { isNew, buyer: input.buyer })),
    isNew,
  }
}
