import type { entitlements } from './queries'

type Dotless<Name extends string> = Name extends `${infer Before}.${infer After}` ? `${Before}_${After}` : Name

/** The text key of an entitlement. Dots in keys mean nesting, so it has none. */
export const entitlementLabelKey = (entitlement: (typeof entitlements)[number]) =>
  entitlement.replace('.', '_') as Dotless<typeof entitlement>
