import { DAY } from '../../../../shared/time.ts'
import type { Deps } from '../../../lib/deps.ts'

/** Time before the end of a version in which the instance admin is warned. */
const WARNING_MS = 120 * DAY

/** Version of the API of a network, which the network serves for a limited time. */
export type ApiVersion = {
  /** Name in NETWORK_VERSIONS. */
  setting: string
  madeFor: string
  /** Day until which the network serves a version, such as `2027-08-15`; null if it has not announced one. */
  servedUntil: (version: string) => string | null
}

/** Version in use: that of NETWORK_VERSIONS, or else the one that the adapter was made for. */
export const versionOf = ({ config }: Pick<Deps, 'config'>, { setting, madeFor }: ApiVersion) =>
  config.NETWORK_VERSIONS[setting] ?? madeFor

export function apiVersionInUse({ config, clock }: Pick<Deps, 'config' | 'clock'>, apiVersion: ApiVersion) {
  const version = versionOf({ config }, apiVersion)
  const served_until = apiVersion.servedUntil(version)
  const leftMs = served_until === null ? Number.POSITIVE_INFINITY : Date.parse(served_until) - clock.now().getTime()
  const state = leftMs <= 0 ? 'ended' : leftMs <= WARNING_MS ? 'ending' : 'served'
  return { version, served_until, state } as const
}
