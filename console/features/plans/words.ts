import type { entitlements } from './queries'

type Dotless<Name extends string> = Name extends `${infer Before}.${infer After}` ? `${Before}_${After}` : Name

/** What an entitlement is called among the texts, where a dot leads deeper. */
export const wordOf = (entitlement: (typeof entitlements)[number]) =>
  entitlement.replace('.', '_') as Dotless<typeof entitlement>
