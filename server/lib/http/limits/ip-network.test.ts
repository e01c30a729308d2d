import { expect, test } from 'vitest'
import { ipNetworksOf } from './ip-network.ts'

const names = (ip: string | null) => ipNetworksOf(ip).map(({ network }) => network)

test('an IPv4 address counts by itself, also when it is mapped to IPv6', () => {
  for (const ip of ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407', '::FFFF:198.51.100.7'])
    expect(ipNetworksOf(ip)).toEqual([{ network: '198.51.100.7', share: 1 }])
  expect(names('198.51.100.8')).not.toEqual(names('198.51.100.7'))
})

test('an IPv6 address counts for its /64 and, with three times the quota, for its /48', () => {
  expect(ipNetworksOf('2001:db8:1:2:a:b:c:d')).toEqual([
    { network: '2001:db8:1:2::/64', share: 1 },
    { network: '2001:db8:1::/48', share: 3 },
  ])
  expect(names('2001:db8:1:2::ffff')).toEqual(names('2001:0DB8:0001:0002::1'))
  expect(names('2001:db8:1:3::1')[0]).not.toBe(names('2001:db8:1:2::1')[0])
  expect(names('2001:db8:1:3::1')[1]).toBe(names('2001:db8:1:2::1')[1])
  expect(names('2001:db8:2:2::1')[1]).not.toBe(names('2001:db8:1:2::1')[1])
})

test('the scope of a link-local address does not matter, and callers without an address count together', () => {
  expect(names('fe80::1%eth0')).toEqual(names('fe80::2'))
  expect(names(null)).toEqual(['unknown'])
  expect(names('not an address')).toEqual(['unknown'])
})
