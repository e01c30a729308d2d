import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The proxy itself failed. This says nothing about the target address. */
export class ProxyFault extends Error {
  readonly code = 'proxy_fault'
}

/** The proxy works, and reports that the address cannot or must not be called. */
export class ProxyRefusal extends Error {
  readonly code = 'proxy_refusal'
}

type Callback = (error: Error | null, socket: Socket | null) => void

/** Whether a proxy's error is about the address and not itself: RFC 9209, Smokescreen, Squid. */
const aboutTheAddress = ({ 'proxy-status': status = '', ...headers }: IncomingMessage['headers']) =>
  /error="?(dns_|destination_|connection_(refused|terminated|timeout))/.test(String(status)) ||
  'x-smokescreen-error' in headers ||
  /^ERR_(DNS_FAIL|CONNECT_FAIL|ACCESS_DENIED|CANNOT_FORWARD)/.test(String(headers['x-squid-error'] ?? ''))

function refusal({ statusCode, headers }: IncomingMessage) {
  if (statusCode === 403 || aboutTheAddress(headers))
    return new ProxyRefusal(`The proxy could not reach this address or does not allow it (${statusCode}).`)
  if (statusCode === 407) return new ProxyFault('The proxy rejected the credentials in WEBHOOK_PROXY_URL.')
  return new ProxyFault(`The proxy did not open a tunnel to this address (${statusCode}).`)
}

/** Opens a connection to `target` (host:port) through an HTTP proxy, which resolves the name. */
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
      // When the proxy was reached, it is waiting for the address.
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
    settle(new ProxyFault(connected ? 'The proxy closed the connection.' : 'The proxy could not be reached.'), null),
  )
  request.end()
}
