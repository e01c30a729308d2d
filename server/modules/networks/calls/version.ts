import type { Deps } from '../../../lib/deps.ts'

/** Version of the API of a network: that of NETWORK_VERSIONS, or else the one that its adapter was made for. */
export const versionOf = ({ config }: Pick<Deps, 'config'>, network: string, madeFor: string) =>
  config.NETWORK_VERSIONS[network] ?? madeFor
