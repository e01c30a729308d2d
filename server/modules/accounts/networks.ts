import { bluesky } from './networks/bluesky.ts'
import type { Network } from './networks/network.ts'
import { playground } from './networks/playground.ts'

/** Every network that this version knows, in the order in which people are offered them. */
export const networks: readonly Network[] = [playground, bluesky]

export const findNetwork = (id: string) => networks.find((network) => network.id === id)

/** The network of a stored account. Throws when this version does not know it. */
export function networkOf(account: { network: string }): Network {
  const network = findNetwork(account.network)
  if (!network) throw new Error(`This version does not know the network ${account.network}`)
  return network
}
