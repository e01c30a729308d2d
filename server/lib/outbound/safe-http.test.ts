import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Cidr } from '../../config/config.ts'
import type { Lookup } from './dns.ts'
import { ForbiddenAddress, guardedAgent, isForbidden, refusedUrl, safeFetch } from './safe-http.ts'

const ranges = (...texts: string[]): Cidr[] => texts.map((text) => ipaddr.parseCIDR(text))

let server: Server
let port: number
let visits = 0
beforeAll(async () => {
  server = createServer((incoming, response) => {
    visits++
    if (incoming.url === '/redirect') response.writeHead(302, { location: '/' }).end()
    else if (incoming.url === '/large') response.end('x'.repeat(5000))
    else response.end('reached')
  }).listen(0, '::')
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Resolves the given names as the test defines, and the others through the system. */
const lookupWith =
  (names: Record<string, () => string[]>): Lookup =>
  (hostname, options, response) => {
    const found = names[hostname]
    if (!found) return dns.lookup(hostname, options, response)
    response(
      null,
      found().map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }

describe('the address check', () => {
  const hostile = [
    'localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '127.0.0.1.',
    '0x7f000001',
    '017700000001',
    '127。0。0。1',
    '１２７.0.0.1',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '[::ffff:0:7f00:1]',
    '[::5efe:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::1]',
    '[2002:101:101::1]',
    '[2001:0:101:101::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[fec0::1]',
    '[100::1]',
    '[4000::1]',
    '[2620:4f:8000::1]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[2001:db8::1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '0.0.0.0',
  ]
  test.each(hostile)('connections to %s are refused', async (host) => {
    const dispatcher = guardedAgent({ allow: [] })
    const before = visits
    await expect(request(`http://${host}:${port}/`, { dispatcher })).rejects.toThrow(ForbiddenAddress)
    expect(visits).toBe(before)
    await dispatcher.close()
  })

  test('a name is refused when one of its addresses is private', async () => {
    const dispatcher = guardedAgent({
      allow: [],
      lookup: lookupWith({ 'mixed.test': () => ['93.184.216.34', '127.0.0.1'] }),
    })
    await expect(request(`http://mixed.test:${port}/`, { dispatcher })).rejects.toThrow(ForbiddenAddress)
    await dispatcher.destroy()
  })

  test('the address is checked in the lookup that connects, so a name that changes its address is refused', async () => {
    const responses = [['127.0.0.2'], ['127.0.0.1']]
    const lookup = lookupWith({ 'rebind.test': () => responses.shift() ?? [] })
    const dispatcher = guardedAgent({ allow: ranges('127.0.0.2/32'), lookup })
    const response = await request(`http://rebind.test:${port}/`, { dispatcher, reset: true })
    expect(await response.body.text()).toBe('reached')
    await expect(request(`http://rebind.test:${port}/`, { dispatcher })).rejects.toThrow(ForbiddenAddress)
    await dispatcher.destroy()
  })

  test('the connection uses the checked address, even when the name resolves to another a moment later', async () => {
    const lookups: number[] = []
    const lookup = lookupWith({
      'rebind.test': () => (lookups.push(1) === 1 ? ['127.0.0.1'] : ['127.0.0.2']),
    })
    const dispatcher = guardedAgent({ allow: ranges('127.0.0.1/32'), lookup })
    const response = await request(`http://rebind.test:${port}/`, { dispatcher })
    expect([await response.body.text(), lookups]).toEqual(['reached', [1]])
    await dispatcher.destroy()
  })

  test('a name that has only an IPv6 address is reachable', async () => {
    const dispatcher = guardedAgent({ allow: ranges('::1/128'), lookup: lookupWith({ 'six.test': () => ['::1'] }) })
    const response = await request(`http://six.test:${port}/`, { dispatcher })
    expect(await response.body.text()).toBe('reached')
    await dispatcher.close()
  })

  test('ports of other protocols are refused, and low ports outside the allowed ranges', async () => {
    const lookup = lookupWith({ 'public.test': () => ['1.1.1.1'] })
    const dispatcher = guardedAgent({ allow: ranges('127.0.0.0/8'), lookup })
    for (const origin of ['http://127.0.0.1:5432', 'http://public.test:6379', 'http://public.test:81'])
      await expect(request(origin, { dispatcher })).rejects.toThrow(ForbiddenAddress)
    await dispatcher.destroy()
  })

  test('addresses in the allowed ranges are reachable', async () => {
    const dispatcher = guardedAgent({ allow: ranges('127.0.0.0/8') })
    const response = await request(`http://127.0.0.1:${port}/`, { dispatcher })
    expect(await response.body.text()).toBe('reached')
    await dispatcher.close()
  })

  test('plain http reaches only the allowed ranges when Meydan itself is served over https', async () => {
    const dispatcher = guardedAgent({
      allow: ranges('127.0.0.1/32'),
      allowHttp: false,
      lookup: lookupWith({ 'public.test': () => ['1.1.1.1'] }),
    })
    const response = await request(`http://127.0.0.1:${port}/`, { dispatcher })
    expect(await response.body.text()).toBe('reached')
    await expect(request(`http://public.test:${port}/`, { dispatcher })).rejects.toThrow(ForbiddenAddress)
    await dispatcher.destroy()
  })

  test('link-local and metadata addresses are reachable only when listed exactly', () => {
    expect(isForbidden('169.254.169.254', ranges('169.254.0.0/16', '0.0.0.0/0'))).toBe(true)
    expect(isForbidden('169.254.169.254', ranges('169.254.169.254/32'))).toBe(false)
    expect(isForbidden('fe80::1', ranges('::/0'))).toBe(true)
    expect(isForbidden('fe80::1', ranges('fe80::1/128'))).toBe(false)
  })

  test('an IPv4 address is treated the same in its mapped and NAT64 forms', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number)
        const tail = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        const verdict = isForbidden(text, [])
        expect(isForbidden(`::ffff:${tail}`, [])).toBe(verdict)
        expect(isForbidden(`64:ff9b::${tail}`, [])).toBe(verdict)
      }),
      { numRuns: 2000 },
    )
  })

  test('every IPv6 address outside 2000::/3 counts as private, except those that carry an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const address = ipaddr.parse(text)
        const isGlobal = address.kind() === 'ipv6' && address.match(ipaddr.parseCIDR('2000::/3'))
        if (!isGlobal && !/^(::ffff:|64:ff9b::)/i.test(address.toString())) expect(isForbidden(text, [])).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('public addresses are reachable', () => {
    for (const address of [
      '1.1.1.1',
      '93.184.216.34',
      '2606:4700::1111',
      '2a00:1450:4001:82a::200e',
      '2001:4860::8888',
    ])
      expect(isForbidden(address, [])).toBe(false)
  })

  test('addresses that cannot be parsed are refused', () => {
    fc.assert(fc.property(fc.string(), (text) => ipaddr.isValid(text) || isForbidden(text, []) === true))
  })
})

describe('the check of a URL before it is saved', () => {
  const strict = { allow: [], allowHttp: false }
  test.each(['https://example.com/hook', 'https://example.com:8443/a?b=c', 'https://93.184.216.34/'])(
    'a URL may be %s',
    (url) => {
      expect(refusedUrl(url, strict)).toBeUndefined()
    },
  )
  test.each([
    'http://example.com/',
    'https://localhost/',
    'https://a.localhost/',
    'https://10.0.0.1/',
    'https://10.0.0.1./',
    'https://0xa000001/',
    'https://１０.0.0.1/',
    'https://[fe80::1%25eth0]/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost./',
    'https://u:p@example.com/',
    'https://u@example.com/',
    'https://example.com:25/',
    'https://example.com:81/',
    'https://example.com:5432/',
    'https://example.com:0/',
    'javascript:alert(1)',
    '',
  ])('the URL %j is refused', (url) => {
    expect(refusedUrl(url, strict)).toBeDefined()
  })
  const lax = { allow: ranges('127.0.0.0/8', '10.0.0.0/8'), allowHttp: true }
  test.each([
    [' https://example.com/', 'spaces'],
    ['https://example.com/ ', 'spaces'],
    ['https://example.com/a b', 'spaces'],
    ['https://exam\tple.com/', 'spaces'],
    ['https://example.com/a\nb', 'spaces'],
    ['https://example.com/\u0000', 'control characters'],
    ['https://example.com/\u007f', 'control characters'],
    ['https://example.com/\u00a0', 'spaces'],
    ['https://exam\u200bple.com/', 'control characters'],
    ['https:\\\\example.com', 'backslash'],
    ['https://example.com\\@10.0.0.1/', 'backslash'],
    ['https:example.com', 'begin with https://'],
    ['https:/example.com/', 'begin with https://'],
    ['https:///example.com/', 'begin with https://'],
    ['ftp://example.com/', 'begin with https://'],
    ['https://@example.com/', 'user name'],
    ['https://:@example.com/', 'user name'],
    ['https://u@example.com?', 'user name'],
    ['https://example.com:0/', 'port'],
    ['http://10.0.0.1:0/', 'port'],
  ])('the URL %j is refused on every instance because of its %s', (url, word) => {
    expect(refusedUrl(url, lax)).toContain(word)
  })
  test.each(['HTTPS://example.com/', 'Http://example.com', 'https://example.com/@a?b=@c#@', 'https://münchen.de/ş'])(
    'the URL %j is accepted, whatever the case of its scheme and with an @ after the host',
    (url) => {
      expect(refusedUrl(url, lax)).toBeUndefined()
    },
  )
  test('the message for a refused port lists the ports that are allowed', () => {
    expect(refusedUrl('https://example.com:22/', strict)).toBe(
      'The port must be 80, 443, or at least 1024 and not reserved for another protocol.',
    )
  })
  test('a URL may have a low port in an allowed range, but none of another protocol', () => {
    const rules = { allow: ranges('10.0.0.0/8'), allowHttp: false }
    expect(refusedUrl('http://10.0.0.1:81/', rules)).toBeUndefined()
    expect(refusedUrl('http://10.0.0.1:22/', rules)).toContain('port')
  })
  test('a URL may be plain http in an allowed range, or when Meydan itself is served over http', () => {
    expect(refusedUrl('http://example.com/', { allow: [], allowHttp: true })).toBeUndefined()
    expect(refusedUrl('http://10.0.0.1/', { allow: ranges('10.0.0.0/8'), allowHttp: false })).toBeUndefined()
  })
})

describe('safeFetch', () => {
  const allow = ranges('127.0.0.0/8')
  test('safeFetch does not follow redirects', async () => {
    const dispatcher = guardedAgent({ allow })
    const before = visits
    const response = await safeFetch(dispatcher)(`http://127.0.0.1:${port}/redirect`)
    expect([response.status, visits - before]).toEqual([302, 1])
    await dispatcher.close()
  })
  test('safeFetch fails when the response is too large', async () => {
    const dispatcher = guardedAgent({ allow })
    await expect(safeFetch(dispatcher, { maxBytes: 4000 })(`http://127.0.0.1:${port}/large`)).rejects.toThrow(
      'larger than 4000 bytes',
    )
    await dispatcher.destroy()
  })
})
