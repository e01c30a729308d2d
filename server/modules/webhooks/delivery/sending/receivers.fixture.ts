/** Receivers that write what they like, and a sender whose connections are those of one test. */
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../../../config/config.ts'
import { newWebhookSecret, signingKey } from '../../../../lib/crypto/webhook-signature.ts'
import type { Lookup } from '../../../../lib/outbound/dns.ts'
import { type GuardedAgent, guardedAgent } from '../../../../lib/outbound/safe-http.ts'
import { systemClock } from '../../../../lib/runtime/clock.ts'
import { sendSigned } from './send.ts'

export const CRLF = '\r\n'
export const OK = `HTTP/1.1 200 OK${CRLF}content-length: 2${CRLF}${CRLF}ok`
const allow = readConfig({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128' }).WEBHOOK_ALLOW_CIDRS
const current = signingKey(newWebhookSecret())

export const portOf = (server: net.Server) => (server.address() as AddressInfo).port

export async function listening<T extends net.Server>(server: T, host = '127.0.0.1') {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)))
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return server
}

/** A server that writes raw bytes. `talk` is called for each request, with the number of requests before it. */
export async function rawServer(talk: (socket: Socket, before: number) => void, host?: string) {
  let requests = 0
  const connections = { count: 0 }
  const server = await listening(
    net.createServer((socket) => {
      connections.count++
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        // Every request body of these tests ends like this.
        while (text.includes('"end"}')) {
          text = text.slice(text.indexOf('"end"}') + 6)
          talk(socket, requests++)
        }
      })
    }),
    host,
  )
  return { url: `http://127.0.0.1:${portOf(server)}/hook`, port: portOf(server), requests: () => requests, connections }
}

/** Longer than any attempt of a test whose time limit does not end. */
const LONG_MS = 45_000

/** Sends one message. Every test has its own connections. */
export function sender({ timeoutMs = LONG_MS, lookup }: { timeoutMs?: number; lookup?: Lookup } = {}) {
  const dispatcher: GuardedAgent = guardedAgent({ allow, ...(lookup && { lookup }) })
  onTestFinished(async () => {
    await Promise.all([dispatcher.destroy(), dispatcher.once.destroy()])
  })
  const config = readConfig({ WEBHOOK_TIMEOUT_MS: String(timeoutMs) })
  const send = (url: string) =>
    sendSigned(
      { dispatcher, config, clock: systemClock },
      { endpoint: { url, headers: {}, current }, event_id: 'evt', body: '{"data":"end"}' },
    )
  return Object.assign(send, { dispatcher })
}

export const sendTo = async (talk: (socket: Socket, before: number) => void) => sender()((await rawServer(talk)).url)

export const namesTo =
  (address: string): Lookup =>
  (_, __, response) =>
    response(null, [{ address, family: address.includes(':') ? 6 : 4 }])
