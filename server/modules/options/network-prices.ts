export const pricedUnits = ['post', 'post_with_link', 'alt_text', 'read', 'delete'] as const
export type PricedUnit = (typeof pricedUnits)[number]

/** Prices by the id of the network, in millionths of a US dollar. */
export type NetworkPrices = ReadonlyMap<string, Partial<Record<PricedUnit, number>>>

const pair = new RegExp(`^([a-z_]+)\\.(${pricedUnits.join('|')})=(\\d{1,3}(?:\\.\\d{1,6})?)$`)

const isUnit = (name: string | undefined): name is PricedUnit => pricedUnits.some((unit) => unit === name)

/** Reads prices in US dollars such as `id.post=0.015, id.post_with_link=0.2`. Undefined if a pair is malformed. */
export function parseNetworkPrices(text: string): NetworkPrices | undefined {
  const prices = new Map<string, Partial<Record<PricedUnit, number>>>()
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue
    const [, network = '', unit, dollars] = pair.exec(part) ?? []
    if (!isUnit(unit)) return
    prices.set(network, { ...prices.get(network), [unit]: Math.round(Number(dollars) * 1e6) })
  }
  return prices
}
