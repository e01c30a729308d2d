import dns from 'node:dns'
import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, type Dispatcher, type RequestInit, fetch as undiciFetch } from 'undici'
import type { Cidr } from '../config.ts'

/** The address must not be called: it is private, reserved, or not one that this instance allows. */
export class ForbiddenAddress extends Error {
  readonly code = 'forbidden_address'
}

const cidr = (text: string) => ipaddr.parseCIDR(text)

/** Reached only through an exact /32 or /128 of the allow-list, whatever wider range is allowed. */
const guarded = ['169.254.0.0/16', 'fe80::/10', '168.63.129.16/32', '100.100.100.200/32', 'fd00:ec2::254/128'].map(cidr)

/** Public by the library's table, yet not the public internet. */
const alsoReserved = ['192.31.196.0/24', '192.175.48.0/24', '64:ff9b:1::/48', '5f00::/16', '3fff::/20'].map(cidr)

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, [range, bits]: Cidr) =>
  address.kind() === range.kind() && address.match(range, bits)

/** The IPv4 address that a mapped (::ffff:0:0/96) or NAT64 (64:ff9b::/96) address leads to, else the address itself. */
function carried(address: ipaddr.IPv4 | ipaddr.IPv6) {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return within(address, cidr('64:ff9b::/96')) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

/** Whether a user-supplied URL may lead to this IP address. What cannot be read is refused. */
export function isForbidden(text: string, allow: readonly Cidr[]) {
  const bare = text.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return true
  const address = carried(ipaddr.parse(bare))
  const exact = address.kind() === 'ipv4' ? 32 : 128
  if (allow.some((range) => within(address, range) && range[1] === exact)) return false
  if (guarded.some((range) => within(address, range))) return true
  if (allow.some((range) => within(address, range))) return false
  // ::/8 holds the loopback, the unspecified and the IPv4-compatible addresses, which the library calls unicast.
  if (within(address, cidr('::/8'))) return true
  return address.range() !== 'unicast' || alsoReserved.some((range) => within(address, range))
}

/** Whether an address lies in a range that the operator allows. */
const isListed = (text: string, allow: readonly Cidr[]) =>
  ipaddr.isValid(text) && allow.some((range) => within(carried(ipaddr.parse(text)), range))

const bareHost = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

export type UrlRules = {
  /** Private ranges that are allowed, from WEBHOOK_ALLOW_CIDRS. */
  allow: readonly Cidr[]
  /** Whether plain http is good enough: when this instance itself is served so. */
  allowHttp: boolean
}

/**
 * Why a URL cannot be saved, or undefined. Only what its text tells is checked here; where a name leads is checked at
 * every connection.
 */
export function refusedUrl(text: string, { allow, allowHttp }: UrlRules): string | undefined {
  if (!URL.canParse(text)) return 'This is not an absolute URL.'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The address must begin with https://.'
  if (url.username || url.password) return 'The address must not carry a user name or password.'
  const host = bareHost(url.hostname)
  const literal = net.isIP(host) !== 0
  if (literal && isForbidden(host, allow)) return 'This address is not on the public internet.'
  if (/(^|\.)localhost\.?$/i.test(host) && isForbidden('127.0.0.1', allow))
    return 'This address is not on the public internet.'
  // Where a name leads is seen when it is called.
  const mayBeListed = literal ? isListed(host, allow) : allow.length > 0
  if (url.protocol === 'http:' && !allowHttp && !mayBeListed) return 'The address must begin with https://.'
}

export type Lookup = typeof dns.lookup

type AgentOptions = { allow: readonly Cidr[]; allowHttp?: boolean; connectTimeoutMs?: number; lookup?: Lookup }

/**
 * An undici agent that connects to allowed addresses only. Literal addresses are checked here because Node looks up
 * names alone; of a name every address must be allowed, and the connection goes to one that was checked. Where plain
 * http is not good enough it reaches the ranges of the allow-list and nothing else.
 */
export function guardedAgent({
  allow,
  allowHttp = true,
  connectTimeoutMs = 5000,
  lookup = dns.lookup,
}: AgentOptions): Dispatcher {
  const connectorFor = (isRefused: (address: string) => boolean) => {
    const checkedLookup: net.LookupFunction = (hostname, options, callback) =>
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, '')
        const [first] = addresses
        if (!first || addresses.some(({ address }) => isRefused(address)))
          return callback(new ForbiddenAddress(`${hostname} leads to an address that may not be called`), '')
        if (options.all) return callback(null, addresses)
        return callback(null, first.address, first.family)
      })
    const connector = buildConnector({ timeout: connectTimeoutMs, allowH2: false, lookup: checkedLookup })
    return { isRefused, connector }
  }
  const secure = connectorFor((address) => isForbidden(address, allow))
  const plain = allowHttp ? secure : connectorFor((address) => isForbidden(address, allow) || !isListed(address, allow))
  return new Agent({
    // Pools are per origin: a bound here would let one slow path hold up every other behind the same host.
    connections: null,
    pipelining: 1,
    connect: (options, callback) => {
      const { isRefused, connector } = options.protocol === 'http:' ? plain : secure
      const host = bareHost(options.hostname)
      if (net.isIP(host) && isRefused(host)) return callback(new ForbiddenAddress(`${host} may not be called`), null)
      return connector(options, callback)
    },
  })
}

export type SafeFetch = (input: string | URL | Request, init?: globalThis.RequestInit) => Promise<Response>

/** `fetch` for user-supplied addresses: guarded, not redirected, at most `timeoutMs`, at most `maxBytes` of answer. */
export function safeFetch(dispatcher: Dispatcher, { timeoutMs = 20_000, maxBytes = 2_000_000 } = {}): SafeFetch {
  return async (input, init = {}) => {
    const request = new Request(input, init)
    const body = request.body && Buffer.from(await request.arrayBuffer())
    const options: RequestInit = {
      method: request.method,
      headers: [...request.headers],
      body,
      redirect: 'manual',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
      dispatcher,
    }
    const answer = await undiciFetch(request.url, options)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body ?? []) {
      size += chunk.length
      if (size > maxBytes) throw new Error(`The answer has more than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    const empty = [204, 205, 304].includes(answer.status)
    return new Response(empty ? null : Buffer.concat(chunks), {
      status: answer.status,
      statusText: answer.statusText,
      headers: [...answer.headers].filter(([name]) => !/^content-(encoding|length)$/i.test(name)),
    })
  }
}
