import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Timings } from '../runtime/timings.ts'

/** Abort reasons of a call to the outside: the client disconnected, or Meydan is stopping. */
type Reasons = { left: Error; stopped: Error }

type Needs = { timings: Pick<Timings, 'requestGrace'> }

/** Creates the signal that ends long requests: this node stops, and they did not end by themselves. */
export function createStopSignal(app: FastifyInstance, { timings }: Needs, reason: Error) {
  const stop = new AbortController()
  let stopping: NodeJS.Timeout | undefined
  app.addHook('preClose', (done) => {
    stopping = setTimeout(() => stop.abort(reason), timings.requestGrace)
    done()
  })
  app.addHook('onClose', (_, done) => {
    clearTimeout(stopping)
    done()
  })
  return stop.signal
}

/** Creates the signals that abort long calls of handlers: this node stops, or the client disconnects. */
export function createAbortSignals(app: FastifyInstance, deps: Needs, { left: hasLeft, stopped }: Reasons) {
  const signal = createStopSignal(app, deps, stopped)

  /** Signals for a request. With an Idempotency-Key a client can fetch the response later, so its call goes on. */
  const signalsOf = ({ headers }: FastifyRequest, { raw }: FastifyReply) => {
    if (headers['idempotency-key'] !== undefined) return [signal]
    const left = new AbortController()
    raw.once('close', () => raw.writableFinished || left.abort(hasLeft))
    if (raw.destroyed) left.abort(hasLeft)
    return [signal, left.signal]
  }

  return { signalsOf }
}
