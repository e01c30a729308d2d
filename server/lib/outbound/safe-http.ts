import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector, type Dispatcher, type RequestInit, fetch as undiciFetch } from 'undici'
import type { Cidr } from '../../config/config.ts'
import { createLookup, type Lookup } from './dns.ts'
import { openTunnel } from './tunnel.ts'

/** The address must not be called: it is private, reserved, or outside of the ranges that this instance allows. */
export class ForbiddenAddress extends Error {
  readonly code = 'forbidden_address'
}

const cidr = (text: string) => ipaddr.parseCIDR(text)

/** Ranges reached only through an exact /32 or /128 of the allow-list, even if it has a wider range. */
const guarded = ['169.254.0.0/16', 'fe80::/10', '168.63.129.16/32', '100.100.100.200/32', 'fd00:ec2::254/128'].map(cidr)

/** Public by the library's table, but not part of the public internet. */
const alsoReserved = ['192.0.0.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.175.48.0/24']
  // Assignments of the IETF (Teredo, ORCHID, benchmarks), documentation, 6to4, AS112.
  .concat(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'])
  .map(cidr)

/** The allocated part of the IPv6 internet. */
const globalUnicast = cidr('2000::/3')

const nat64 = cidr('64:ff9b::/96')

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, [range, bits]: Cidr) =>
  address.kind() === range.kind() && address.match(range, bits)

/** The IPv4 address in a mapped (::ffff:0:0/96) or NAT64 (64:ff9b::/96) address, otherwise the address itself. */
function carried(address: ipaddr.IPv4 | ipaddr.IPv6) {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return within(address, nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

/** Whether a user-supplied URL must not lead to this IP address. Unreadable addresses are forbidden. */
export function isForbidden(text: string, allow: readonly Cidr[]) {
  const bare = text.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return true
  const address = carried(ipaddr.parse(bare))
  const exact = address.kind() === 'ipv4' ? 32 : 128
  if (allow.some((range) => within(address, range) && range[1] === exact)) return false
  if (guarded.some((range) => within(address, range))) return true
  if (allow.some((range) => within(address, range))) return false
  if (address.kind() === 'ipv6' && !within(address, globalUnicast)) return true
  return address.range() !== 'unicast' || alsoReserved.some((range) => within(address, range))
}

/** Whether an address is in a range that the operator allows. */
export const isListed = (text: string, allow: readonly Cidr[]) =>
  ipaddr.isValid(text) && allow.some((range) => within(carried(ipaddr.parse(text)), range))

const bareHost = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/** Ports of other protocols, for which a request must not be mistaken: shells, mail, files, databases. */
const otherProtocols = new Set(
  [
    21, 22, 23, 25, 53, 110, 111, 119, 123, 135, 137, 138, 139, 143, 161, 389, 445, 465, 512, 513, 514, 515, 587, 636,
    873,
  ]
    .concat([993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060])
    .concat([5061, 5432, 5672, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9300, 10080])
    .concat([10250, 11211, 27017]),
)

/** Ports that are never called, not even in an allowed range. */
const isNoPortOfHttp = (port: number) => port === 0 || otherProtocols.has(port)

const isPublicPort = (port: number) => port === 80 || port === 443 || port >= 1024

export type UrlRules = {
  /** Private ranges that are allowed, from WEBHOOK_ALLOW_CIDRS. */
  allow: readonly Cidr[]
  /** Whether plain http is allowed: when this instance itself is served over http. */
  allowHttp: boolean
}

const portOf = (protocol: string, port: string | undefined) => (port ? Number(port) : protocol === 'http:' ? 80 : 443)

/** Reason why an address must not be called at this port with this protocol, or undefined. */
function refusedAddress(address: string, protocol: string, port: number, { allow, allowHttp }: UrlRules) {
  if (isForbidden(address, allow)) return 'This address is not on the public internet.'
  if (isListed(address, allow)) return
  if (protocol === 'http:' && !allowHttp) return 'The URL must begin with https://.'
  if (!isPublicPort(port)) return PORTS
}

const PORTS = 'The port must be 80, 443, or at least 1024 and not reserved for another protocol.'

/**
 * Reason why a URL cannot be saved, or undefined. Checks the text only. The addresses behind a name are checked at
 * every connection.
 */
export function refusedUrl(text: string, rules: UrlRules): string | undefined {
  // Parsers silently drop these characters, so the URL called would differ from the URL stored and shown.
  if (/[\p{Cc}\p{Cf}\p{Z}\s]/u.test(text)) return 'The URL must not contain spaces or control characters.'
  if (text.includes('\\')) return 'The URL must not contain a backslash.'
  if (!URL.canParse(text)) return 'This is not an absolute URL.'
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (authority === undefined) return 'The URL must begin with https://.'
  if (authority.includes('@')) return 'The URL must not contain a user name or password.'
  const url = new URL(text)
  const port = portOf(url.protocol, url.port)
  if (isNoPortOfHttp(port)) return PORTS
  const host = bareHost(url.hostname)
  if (net.isIP(host)) return refusedAddress(host, url.protocol, port, rules)
  if (/(^|\.)localhost\.?$/i.test(host) && !isListed('::1', rules.allow))
    return refusedAddress('127.0.0.1', url.protocol, port, rules)
  // The addresses of other names are checked when they are called: they may be in an allowed range.
  return rules.allow.length > 0 ? undefined : refusedAddress(PUBLIC, url.protocol, port, rules)
}

/** An arbitrary address of the public internet. */
const PUBLIC = '1.1.1.1'

export type GuardedAgent = Dispatcher & {
  /** Sends every request on a new connection. */
  readonly once: Dispatcher
  /** Whether a connection is currently being handed to its first request. */
  readonly isConnecting: () => boolean
}

type AgentOptions = {
  allow: readonly Cidr[]
  allowHttp?: boolean
  connectTimeoutMs?: number
  lookup?: Lookup
  /** URL of an HTTP proxy, which makes every connection and resolves names. */
  proxy?: string | undefined
}

/**
 * An undici agent that connects to allowed addresses only. Literal addresses are checked here, because Node looks up
 * names only. All addresses of a name must be allowed, and the connection goes to a checked one. Without `allowHttp`,
 * plain http reaches the ranges of the allow-list only.
 */
export function guardedAgent({
  allow,
  allowHttp = true,
  connectTimeoutMs = 5000,
  lookup = createLookup(),
  proxy,
}: AgentOptions): GuardedAgent {
  const proxyUrl = proxy === undefined ? undefined : new URL(proxy)
  const rules = { allow, allowHttp }
  const checkedLookup =
    (protocol: string, port: number): net.LookupFunction =>
    (hostname, options, callback) =>
      lookup(hostname, { all: true }, (error, addresses) => {
        if (error) return callback(error, '')
        const [first] = addresses
        if (!first || addresses.some(({ address }) => refusedAddress(address, protocol, port, rules) !== undefined))
          return callback(new ForbiddenAddress(`${hostname} resolves to an address that is not allowed`), '')
        if (options.all) return callback(null, addresses)
        return callback(null, first.address, first.family)
      })
  // One connector for each protocol and port, so that TLS sessions are kept.
  const connectors = new LRUCache<string, buildConnector.connector>({
    max: 100,
    memoMethod: (key) => {
      const [protocol = '', port] = key.split(' ')
      return buildConnector({
        timeout: connectTimeoutMs,
        allowH2: false,
        lookup: checkedLookup(protocol, Number(port)),
      })
    },
  })
  let connecting = false

  const connect: buildConnector.connector = (options, callback) => {
    const { protocol } = options
    const port = portOf(protocol, options.port)
    const host = bareHost(options.hostname)
    const handOver: buildConnector.Callback = (...made) => {
      connecting = true
      try {
        callback(...made)
      } finally {
        connecting = false
      }
    }
    const literal = net.isIP(host) !== 0
    // With a proxy the address of a name is unknown here, so the rules treat it as public.
    const address = literal ? host : proxyUrl && PUBLIC
    if (isNoPortOfHttp(port) || (address && refusedAddress(address, protocol, port, rules) !== undefined))
      return handOver(new ForbiddenAddress(`${host} is not allowed`), null)
    const connector = connectors.memo(`${protocol} ${port}`)
    if (!proxyUrl) return connector(options, handOver)
    openTunnel(
      proxyUrl,
      `${options.hostname.includes(':') ? `[${host}]` : host}:${port}`,
      connectTimeoutMs,
      (error, socket) => {
        if (!socket) return handOver(error ?? new Error('no connection'), null)
        if (protocol === 'https:') return connector({ ...options, httpSocket: socket }, handOver)
        handOver(null, socket)
      },
    )
  }
  // Pools are per origin: a bound here would let one slow path hold up every other behind the same host.
  const agent = new Agent({ connections: null, pipelining: 1, connect })
  const once = new Agent({ connections: null, pipelining: 0, connect })
  return Object.assign(agent, { once, isConnecting: () => connecting })
}

/** The response exceeds its limit. */
export class ResponseTooLarge extends Error {}

/** Throws beyond `max` bytes. */
export const limitBytes = (max: number) => {
  let size = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > max) throw new ResponseTooLarge(`The response is larger than ${max} bytes`)
      controller.enqueue(chunk)
    },
  })
}

type Bounds = { timeoutMs: number; maxBytes: (headers: Headers) => number }

/**
 * `fetch` without redirects, limited in time and in bytes received. The body is streamed: the limits and the signal of
 * the call also end reading it.
 */
export const boundedFetch =
  (dispatcher: Dispatcher, { timeoutMs, maxBytes }: Bounds) =>
  async (url: string | URL, { method = 'GET', headers, body, signal }: globalThis.RequestInit = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const response = await undiciFetch(url, {
      method,
      headers: [...new Headers(headers)],
      body: (body ?? null) as RequestInit['body'],
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      dispatcher,
    } as RequestInit)
    const { status, statusText } = response
    const received = new Headers([...response.headers].filter(([name]) => !/^content-(encoding|length)$/i.test(name)))
    const stream = [101, 204, 205, 304].includes(status) ? null : (response.body as ReadableStream<Uint8Array> | null)
    return new Response(stream?.pipeThrough(limitBytes(maxBytes(received))) ?? null, {
      status,
      statusText,
      headers: received,
    })
  }

export type SafeFetch = (input: string | URL | Request, init?: globalThis.RequestInit) => Promise<Response>

/** `fetch` for user-supplied addresses: guarded by `dispatcher`, bounded, and over when the body has been received. */
export function safeFetch(dispatcher: Dispatcher, { timeoutMs = 20_000, maxBytes = 2_000_000 } = {}): SafeFetch {
  const bounded = boundedFetch(dispatcher, { timeoutMs, maxBytes: () => maxBytes })
  return async (input, init) => {
    const request = new Request(input, init)
    const { url, method, headers, signal } = request
    const body = request.body && Buffer.from(await request.arrayBuffer())
    const response = await bounded(url, { method, headers, body, signal })
    return new Response(response.body && (await response.arrayBuffer()), response)
  }
}
