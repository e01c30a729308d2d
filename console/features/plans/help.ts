import { type Meter, type PublicPlan, UNLIMITED, type Usage } from './queries'

export type Use = Usage['meters'][number]
export type Fullness = 'free' | 'near' | 'full'

/** From four fifths on somebody should know. */
const NEAR = 0.8

export function fullnessOf({ used, limit }: Use): Fullness {
  if (limit === UNLIMITED) return 'free'
  if (used >= limit) return 'full'
  return used >= limit * NEAR ? 'near' : 'free'
}

/** What is about to run out, first what has. A limit of 0 is no part of the plan, and is missed only once it is wanted. */
export const scarceOf = ({ meters }: Usage) =>
  meters
    .filter((use) => use.limit !== 0 && fullnessOf(use) !== 'free')
    .sort((a, b) => Number(fullnessOf(b) === 'full') - Number(fullnessOf(a) === 'full'))

const isMore = (limit: number, than: number) => than !== UNLIMITED && (limit === UNLIMITED || limit > than)
const holds = (limit: number, used: number) => limit === UNLIMITED || limit >= used

/** The first plan that has more of everything that is scarce, and room for everything that is there. */
export function planThatHelps(plans: readonly PublicPlan[], usage: Usage) {
  const scarce = scarceOf(usage)
  if (scarce.length === 0) return undefined
  const limitOf = ({ limits }: PublicPlan, meter: Meter) => limits[meter]
  return plans.find(
    (plan) =>
      plan.code !== usage.plan?.code &&
      scarce.every(({ meter, limit }) => isMore(limitOf(plan, meter), limit)) &&
      usage.meters.every(({ meter, used }) => holds(limitOf(plan, meter), used)),
  )
}
