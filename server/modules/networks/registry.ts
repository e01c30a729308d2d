import { bluesky } from './bluesky/index.ts'
import type { Network } from './network.ts'
import { playground } from './playground/index.ts'

/** All networks of this version, in the order in which users see them. */
export const networks: readonly Network[] = [playground, bluesky]

export const findNetwork = (id: string) => networks.find((network) => network.id === id)

/** Returns the network of a stored account. Throws if this version does not know it. */
export function networkOf(account: { network: string }): Network {
  const network = findNetwork(account.network)
  if (!network) throw new Error(`This version does not support the network ${account.network}`)
  return network
}
