import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { MINUTE } from '../../../../shared/time.ts'
import { ipNetworksOf } from './ip-network.ts'

/** Connections that may be open at a time: from one network, and from all together. 0 is unlimited. */
type Limits = { perNetwork: number; total: number }

/** Behind a proxy all connections come from its address, so only their total is limited. */
export const connectionLimits = (config: {
  CONNECTION_LIMIT: number
  CONNECTION_LIMIT_PER_ADDRESS: number
  TRUST_PROXY: boolean
}): Limits => ({
  perNetwork: config.TRUST_PROXY ? 0 : config.CONNECTION_LIMIT_PER_ADDRESS,
  total: config.CONNECTION_LIMIT,
})

/** Open connections. `idle` are those without a request, the one that has been idle for longest first. */
type Connections = { open: number; idle: Set<Socket> }

const WARN_EVERY_MS = MINUTE

/**
 * Bounds the connections of a server. At a limit, a new one replaces the connection that has been idle for longest, and
 * is refused when none is idle. A network is an IPv4 address or an IPv6 /64. `closeIdle` closes connections without a
 * request, and from then on each one whose request has ended.
 */
export function limitConnections(server: Server, { perNetwork, total }: Limits, log: Pick<Logger, 'warn'>) {
  const all: Connections = { open: 0, idle: new Set() }
  const networks = new Map<string, Connections>()
  const places = new WeakMap<Socket, { network: string; counted: Connections[] }>()
  const requests = new WeakMap<Socket, number>()
  let warnedAt = Number.NEGATIVE_INFINITY

  /** Closes the longest idle connection if there are as many as the limit. false: none is idle. */
  function makeRoom({ open, idle }: Connections, limit: number) {
    if (limit === 0 || open < limit) return true
    const [longestIdle] = idle
    if (!longestIdle) return false
    leave(longestIdle)
    longestIdle.destroy()
    return true
  }

  function warn(network: string) {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn({ network, open: all.open }, 'connections are refused: a limit is reached and none is idle')
  }

  function leave(socket: Socket) {
    const place = places.get(socket)
    places.delete(socket)
    for (const counted of place?.counted ?? []) {
      counted.open--
      counted.idle.delete(socket)
    }
    if (place && networks.get(place.network)?.open === 0) networks.delete(place.network)
  }

  server.on('connection', (socket: Socket) => {
    const { network } = ipNetworksOf(socket.remoteAddress ?? null)[0]
    const known = networks.get(network)
    if ((known && !makeRoom(known, perNetwork)) || !makeRoom(all, total)) {
      warn(network)
      socket.destroy()
      return
    }
    const ofNetwork = networks.get(network) ?? { open: 0, idle: new Set() }
    networks.set(network, ofNetwork)
    const counted = [all, ofNetwork]
    places.set(socket, { network, counted })
    for (const connections of counted) {
      connections.open++
      connections.idle.add(socket)
    }
    socket.once('close', () => leave(socket))
  })

  let closing = false
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    requests.set(socket, (requests.get(socket) ?? 0) + 1)
    for (const { idle } of places.get(socket)?.counted ?? []) idle.delete(socket)
    const end = () => {
      const left = (requests.get(socket) ?? 1) - 1
      requests.set(socket, left)
      if (left > 0) return
      if (closing) socket.destroySoon()
      else for (const { idle } of places.get(socket)?.counted ?? []) idle.add(socket)
    }
    // A refused body may still be arriving.
    response.once('close', () => (request.complete || request.destroyed ? end() : request.once('close', end)))
  })

  return {
    closeIdle: () => {
      closing = true
      for (const socket of [...all.idle]) socket.destroySoon()
    },
  }
}

/** Requests that may wait on a connection. A client that sends more is disconnected. */
const MAX_WAITING = 50

/**
 * Starts a request only when the client has taken the response to the former one of its connection (RFC 9112, section
 * 9.3.2). Otherwise a client that sends many requests and reads nothing makes this process hold all their responses.
 */
export function runPipelinedInTurn(app: FastifyInstance) {
  const waiting = new WeakMap<Socket, number>()
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // Node gives a response its socket once the former response was sent.
    if (response.socket) return done()
    const count = waiting.get(socket) ?? 0
    // Node reads on while nothing is written, so it would hold any number of waiting requests.
    if (count === MAX_WAITING) return socket.destroy()
    waiting.set(socket, count + 1)
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      done()
    })
  })
}
