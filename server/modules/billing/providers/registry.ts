import type { Selectable } from 'kysely'
import { problem } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Plan } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { type SecretKey, secretOf, type Values } from '../../options/catalogue.ts'
import { amountOf } from '../../plans/plans.ts'
import { iyzico } from './iyzico/index.ts'
import { manual } from './manual.ts'
import { paytr } from './paytr/index.ts'
import { type Currency, type Period, type Provider, ProviderError, type ProviderName } from './provider.ts'
import { stripe } from './stripe/index.ts'

const providers: Record<ProviderName, Provider> = { manual, stripe, iyzico, paytr }

export const providerOf = (name: ProviderName): Provider => providers[name]

/** Origins of the forms that the console shows in frames. */
export const frameOrigins = ({ config }: Pick<Deps, 'config'>) =>
  Object.values(providers).flatMap(({ frameOrigin }) => frameOrigin?.(config) ?? [])

/** The settings that a provider still needs. */
export async function missingSettings({ options }: Pick<Deps, 'options'>, provider: Provider) {
  const isSet = async (key: (typeof provider.settings)[number]) =>
    secretOf(key) ? options.isSet(key as SecretKey) : (await options.get(key as keyof Values)) !== ''
  const states = await Promise.all(provider.settings.map(async (key) => ({ key, isSet: await isSet(key) })))
  return states.filter(({ isSet }) => !isSet).map(({ key }) => key)
}

export async function assertConfigured(deps: Pick<Deps, 'options'>, provider: Provider) {
  const missing = await missingSettings(deps, provider)
  if (missing.length > 0)
    throw problem('billing_not_configured', {
      detail: `An instance admin must set ${missing.join(', ')} first.`,
      extra: { missing },
    })
}

/** A price may be named with its currency, or without when it is the only one. */
const keysOf = (key: string, currency: Currency) => [`${key}_${currency.toLowerCase()}`, key]

/** The id of a plan's price at a provider. Throws 409 if the plan has none. */
export function priceRefOf(
  provider: Provider,
  { code, metadata }: Pick<Selectable<Plan>, 'code' | 'metadata'>,
  { period, currency, trial = false }: { period: Period; currency: Currency; trial?: boolean },
) {
  const key = provider.priceKey(period, trial)
  if (key === null) return ''
  const refs = metadata as Record<string, string>
  const ref = keysOf(key, currency).flatMap((name) => refs[name] ?? [])[0]
  if (!ref)
    throw problem('plan_not_sold', {
      detail: `The plan ${code} has no price at the payment provider: its metadata must have ${key}.`,
      extra: { metadata_key: key },
    })
  return ref
}

/** The plan and period that a price of a provider sells; undefined if no plan names it. */
export async function planOfPrice(db: Db, name: ProviderName, price_ref: string, currency: Currency) {
  const provider = providerOf(name)
  const periods: Period[] = ['monthly', 'yearly']
  const names = (period: Period) =>
    [provider.priceKey(period, false), provider.priceKey(period, true)].flatMap((key) =>
      key === null ? [] : keysOf(key, currency),
    )
  for (const plan of await db.selectFrom('plan').selectAll().execute()) {
    const refs = plan.metadata as Record<string, string>
    const period = periods.find((one) => price_ref && names(one).some((key) => refs[key] === price_ref))
    const amount = period && amountOf(plan, period, currency)
    if (period && amount) return { plan_code: plan.code, period, amount }
  }
}

/** Asks the chosen provider something harmless. Everything that is wrong with it is a result, not an error. */
export async function testChosenProvider(deps: Deps) {
  const provider = providerOf(await deps.options.get('billing.provider'))
  const missing = await missingSettings(deps, provider)
  const result = (ok: boolean, message: string) => ({
    provider: provider.name,
    ok,
    message: sanitizeExternalText(message),
    missing,
  })
  if (missing.length > 0) return result(false, `These options are not set: ${missing.join(', ')}.`)
  try {
    return result(true, await provider.test(deps))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return result(false, error.message)
  }
}
