import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { MINUTE } from '../../../../shared/time.ts'
import { respondToUnparsable } from '../problems.ts'

/** Milliseconds in which a body must arrive, unless it is an upload. */
const BODY_MS = MINUTE
/** Bytes that an upload must bring in each period of this many milliseconds. */
const UPLOAD_BYTES = 64_000
const UPLOAD_PERIOD_MS = 30_000
/** Milliseconds that the connection of an upload may be idle, while its file is inspected and stored. */
const UPLOAD_IDLE_MS = 30 * MINUTE

type Times = { bodyMs?: number; uploadPeriodMs?: number; uploadBytes?: number }

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Ends requests whose body takes too long. Node's own limit holds for every request, so a large upload on a slow line
 * could not use it. An upload may take any time while its bytes keep coming.
 */
export function limitBodyTime(
  app: FastifyInstance,
  { bodyMs = BODY_MS, uploadPeriodMs = UPLOAD_PERIOD_MS, uploadBytes = UPLOAD_BYTES }: Times = {},
) {
  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    if (!hasBody(raw)) return done()
    const end = () => {
      respondToUnparsable(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
      raw.socket.destroySoon()
    }
    let seen = raw.socket.bytesRead
    const isUpload = routeOptions.config?.upload === true
    if (isUpload) raw.socket.setTimeout(UPLOAD_IDLE_MS)
    const checkProgress = () => {
      const { bytesRead } = raw.socket
      // Bytes that wait to be read mean that this side is slow.
      if (bytesRead - seen < uploadBytes && raw.readableLength === 0) end()
      seen = bytesRead
    }
    const timer = isUpload ? setInterval(checkProgress, uploadPeriodMs) : setTimeout(end, bodyMs)
    const stop = () => clearInterval(timer)
    raw.once('end', stop)
    raw.once('close', stop)
    done()
  })
}
