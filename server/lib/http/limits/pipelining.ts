import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

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
