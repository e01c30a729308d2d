import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Requests that may wait on a connection. A client that sends more is disconnected. */
const MAX_WAITING = 50

/**
 * Starts a request only when the client has taken the response to the former one of its connection (RFC 9112, section
 * 9.3.2). Otherwise a client that sends many requests and reads nothing makes this process hold all their responses.
 */
export function runPipelinedInTurn(app: FastifyInstance) {
  const connections = new WeakMap<Socket, { latest: ServerResponse; waiting: number }>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const connection = connections.get(socket)
    if (!connection) {
      connections.set(socket, { latest: reply.raw, waiting: 0 })
      return done()
    }
    const former = connection.latest
    connection.latest = reply.raw
    if (former.writableFinished) return done()
    // Node reads on while nothing is written, so it would hold any number of waiting requests.
    if (connection.waiting === MAX_WAITING) return socket.destroy()
    connection.waiting++
    former.once('close', () => {
      connection.waiting--
      // Otherwise the connection broke, and nobody waits for the response.
      if (former.writableFinished) done()
    })
  })
}
