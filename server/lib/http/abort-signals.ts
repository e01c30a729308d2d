import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Time for calls to end by themselves when Meydan stops. Part of the time that requests get. */
const GRACE_MS = 1000

/** Abort reasons of a call to the outside: the client disconnected, or Meydan is stopping. */
type Reasons = { left: Error; stopped: Error }

/** Creates the signals that abort long calls of handlers: this node stops, or the client disconnects. */
export function createAbortSignals(app: FastifyInstance, { left: hasLeft, stopped }: Reasons) {
  const stop = new AbortController()
  let stopping: NodeJS.Timeout | undefined
  app.addHook('preClose', (done) => {
    stopping = setTimeout(() => stop.abort(stopped), GRACE_MS)
    done()
  })
  app.addHook('onClose', (_, done) => {
    clearTimeout(stopping)
    done()
  })

  /** Signals for a request. With an Idempotency-Key a client can fetch the response later, so its call goes on. */
  const signalsOf = ({ headers }: FastifyRequest, { raw }: FastifyReply) => {
    if (headers['idempotency-key'] !== undefined) return [stop.signal]
    const left = new AbortController()
    raw.once('close', () => raw.writableFinished || left.abort(hasLeft))
    if (raw.destroyed) left.abort(hasLeft)
    return [stop.signal, left.signal]
  }

  return { signalsOf, isStopping: () => stopping !== undefined }
}
