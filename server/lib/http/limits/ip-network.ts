import ipaddr from 'ipaddr.js'

/** The quota of an IPv6 /48 as a multiple of that of a /64. One customer has all of a /64, and many have a /48. */
const SHARE_OF_48 = 3

const prefixOf = (address: ipaddr.IPv6, bits: number) =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`)}/${bits}`

/**
 * Returns the networks that calls of an IP address count for, the narrowest first, and the multiple of a quota that
 * each has: an IPv4 address, also one mapped to IPv6, or the /64 and the /48 of an IPv6 address.
 */
export function ipNetworksOf(ip: string | null): [IpNetwork, ...IpNetwork[]] {
  if (ip === null || !ipaddr.isValid(ip)) return [{ network: 'unknown', share: 1 }]
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return [{ network: address.toString(), share: 1 }]
  return [
    { network: prefixOf(address, 64), share: 1 },
    { network: prefixOf(address, 48), share: SHARE_OF_48 },
  ]
}

type IpNetwork = { network: string; share: number }
