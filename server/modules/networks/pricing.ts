import { hasLink } from '../../../shared/text/counting.ts'
import type { Deps } from '../../lib/deps.ts'
import { type NetworkPrices, type PricedUnit, parseNetworkPrices } from '../options/network-prices.ts'
import type { Capabilities } from './capabilities.ts'

/** Prices of a network in millionths of a US dollar. Each text is a post; one with a link has the price of that alone. */
export type Pricing = Record<PricedUnit, number> & {
  /** Day on which the network had these prices. */
  as_of: string
  /** Page of the network with its prices. */
  source: string
}

/** The prices that an instance admin has set. */
export const readNetworkPrices = async ({ options }: Pick<Deps, 'options'>): Promise<NetworkPrices> =>
  parseNetworkPrices(await options.get('networks.prices')) ?? new Map()

/** The prices of a network, with those of the instance admin in their place. Null if it charges nothing. */
export function pricingOf({ id, pricing }: { id: string; pricing?: Pricing }, prices: NetworkPrices) {
  if (!pricing) return null
  const changed = prices.get(id)
  return { ...pricing, ...changed, is_changed: changed !== undefined }
}

type Text = { content: string; alts: readonly string[] }

/** The price of publishing these texts, one post each. */
export const priceOf = (
  pricing: Pick<Pricing, 'post' | 'post_with_link' | 'alt_text'>,
  texts: readonly Text[],
  capabilities: Pick<Capabilities, 'counting'>,
) =>
  texts
    .map(
      ({ content, alts }) =>
        pricing[hasLink(content, capabilities) ? 'post_with_link' : 'post'] +
        pricing.alt_text * alts.filter((alt) => alt !== '').length,
    )
    .reduce((sum, price) => sum + price, 0)
