import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The proxy itself failed: it says nothing about the address that was to be called. */
export class ProxyFault extends Error {
  readonly code = 'proxy_fault'
}

/** The proxy works, and says that the address cannot or must not be called. */
export class ProxyRefusal extends Error {
  readonly code = 'proxy_refusal'
}

type Callback = (error: Error | null, socket: Socket | null) => void

/** What a proxy says about the address in place of itself: RFC 9209, Smokescreen, Squid. */
const aboutTheAddress = ({ 'proxy-status': status = '', ...headers }: IncomingMessage['headers']) =>
  /error="?(dns_|destination_|connection_(refused|terminated|timeout))/.test(String(status)) ||
  'x-smokescreen-error' in headers ||
  /^ERR_(DNS_FAIL|CONNECT_FAIL|ACCESS_DENIED|CANNOT_FORWARD)/.test(String(headers['x-squid-error'] ?? ''))

function refusal({ statusCode, headers }: IncomingMessage) {
  if (statusCode === 403 || aboutTheAddress(headers))
    return new ProxyRefusal(`The proxy could not or may not call this address (${statusCode}).`)
  if (statusCode === 407) return new ProxyFault('The proxy does not accept the credentials in WEBHOOK_PROXY_URL.')
  return new ProxyFault(`The proxy opened no way to this address (${statusCode}).`)
}

/** Has an HTTP proxy open a connection to `target` (host:port), which it resolves itself. */
export function openTunnel(proxy: URL, target: string, timeoutMs: number, callback: Callback) {
  let connected = false
  let settled = false
  const settle: Callback = (error, socket) => {
    if (settled) return socket?.destroy()
    settled = true
    clearTimeout(timer)
    callback(error, socket)
  }
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const request = (proxy.protocol === 'https:' ? https : http).request({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: target,
    agent: false,
    headers: {
      host: target,
      ...(credentials !== ':' && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
  })
  const timer = setTimeout(() => {
    settle(
      // Once the proxy is reached, it is the address that it waits for.
      connected
        ? new ProxyRefusal('The proxy did not reach this address in time.')
        : new ProxyFault('The proxy could not be reached in time.'),
      null,
    )
    request.destroy()
  }, timeoutMs)
  request.on('socket', (socket) =>
    socket.once('connect', () => {
      connected = true
    }),
  )
  request.once('connect', (response: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const socket = duplex as Socket
    if (response.statusCode !== 200) {
      socket.on('error', () => undefined).destroy()
      return settle(refusal(response), null)
    }
    if (head.length > 0) socket.unshift(head)
    settle(null, socket)
  })
  request.on('error', () =>
    settle(new ProxyFault(connected ? 'The proxy broke off.' : 'The proxy could not be reached.'), null),
  )
  request.end()
}
