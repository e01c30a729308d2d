import { type Meter, type PublicPlan, UNLIMITED, type Usage } from '../queries'

export type MeterUsage = Usage['meters'][number]
type Fullness = 'free' | 'near' | 'full'

/** The share of a limit to warn from. */
const NEAR_LIMIT = 0.8

export function fullnessOf({ used, limit }: MeterUsage): Fullness {
  if (limit === UNLIMITED) return 'free'
  if (used >= limit) return 'full'
  return used >= limit * NEAR_LIMIT ? 'near' : 'free'
}

/** Full meters, then nearly full ones. Skips limits of 0: the plan lacks those, which matters only on use. */
export const scarceMeters = ({ meters }: Usage) =>
  meters
    .filter((use) => use.limit !== 0 && fullnessOf(use) !== 'free')
    .sort((a, b) => Number(fullnessOf(b) === 'full') - Number(fullnessOf(a) === 'full'))

const isMore = (limit: number, than: number) => than !== UNLIMITED && (limit === UNLIMITED || limit > than)
const allows = (limit: number, used: number) => limit === UNLIMITED || limit >= used

/** The first plan with higher limits for all scarce meters that also allows the current usage. */
export function suggestedPlan(plans: readonly PublicPlan[], usage: Usage) {
  const scarce = scarceMeters(usage)
  if (scarce.length === 0) return undefined
  const limitOf = ({ limits }: PublicPlan, meter: Meter) => limits[meter]
  return plans.find(
    (plan) =>
      plan.code !== usage.plan?.code &&
      scarce.every(({ meter, limit }) => isMore(limitOf(plan, meter), limit)) &&
      usage.meters.every(({ meter, used }) => allows(limitOf(plan, meter), used)),
  )
}
