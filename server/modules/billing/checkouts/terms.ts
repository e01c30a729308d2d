import type { Static } from 'typebox'
import { invalid, problem } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { amountOf } from '../../plans/plans.ts'
import type { Currency, Period, Provider } from '../providers/provider.ts'
import { missingSettings, providerOf } from '../providers/registry.ts'
import type { NewCheckout } from '../records/checkouts.schema.ts'
import { hasTrial } from './trials.ts'

/** The price of a plan that is sold. Throws if it is not. */
export async function priceOf(db: Db, plan_code: string, period: Period, currency: Currency) {
  const plan = await db
    .selectFrom('plan')
    .selectAll()
    .where('code', '=', plan_code)
    .where('is_active', '=', true)
    .executeTakeFirst()
  if (!plan) throw invalid('/plan_code', 'There is no plan with this code that can be bought.')
  const amount = amountOf(plan, period, currency)
  if (amount === null) throw invalid('/currency', `The plan ${plan.name} is not sold in ${currency}.`)
  return { amount, plan }
}

/** Reads how a new subscription would be paid, before a checkout is started. */
export async function readCheckoutTerms(deps: Pick<Deps, 'db' | 'options'>, { workspace_id }: Member) {
  const provider = providerOf(await deps.options.get('billing.provider'))
  return {
    provider: provider.name,
    is_configured: (await missingSettings(deps, provider)).length === 0,
    renews: provider.renews,
    trial: await hasTrial(deps.db, workspace_id, provider),
    default_plan: await deps.options.get('billing.default_plan'),
    requires: [...provider.requires],
  }
}

/** Throws 400 with the fields of the buyer that the provider requires and that are missing. */
export function assertBuyer(provider: Provider, buyer: Static<typeof NewCheckout>['buyer']) {
  const missing = provider.requires.filter((field) => !buyer?.[field])
  if (missing.length > 0)
    throw problem('validation_failed', {
      errors: missing.map((field) => ({
        pointer: `/buyer/${field}`,
        code: 'required',
        message: 'The payment provider requires this.',
      })),
    })
}
