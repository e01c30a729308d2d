import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Starts a request only when the client has taken the response to the former one of its connection (RFC 9112, section
 * 9.3.2). Otherwise a client that sends many requests and reads nothing makes this process hold all their responses.
 */
export function runPipelinedInTurn(app: FastifyInstance) {
  const latest = new WeakMap<Socket, ServerResponse>()
  app.addHook('onRequest', (request, reply, done) => {
    const former = latest.get(request.raw.socket)
    latest.set(request.raw.socket, reply.raw)
    if (!former || former.writableFinished || former.destroyed) return done()
    former.once('close', () => done())
  })
}
