import type { IncomingMessage } from 'node:http'

/** Bytes of a refused body that are read before disconnecting. */
const MAX_DRAINED = 10_000_000
/**
 * Bodies that are drained by one piece each at a time, and milliseconds between two times: about 30 MB a second in
 * total.
 */
const AT_ONCE = 4
const PAUSE_MS = 10

type Draining = { request: IncomingMessage; left: number }

/**
 * Reads and discards bodies of refused requests, so that clients can finish sending and read the response. Does so
 * slowly: every piece is memory outside of the heap, and V8 collects all garbage for each 32 MB of it.
 */
export function createBodyDrain() {
  let waiting: Draining[] = []
  let timer: NodeJS.Timeout | undefined

  function readSome() {
    const read: Draining[] = []
    const unread: Draining[] = []
    for (const draining of waiting) {
      const { request } = draining
      if (request.readableEnded || request.destroyed) continue
      const length = read.length < AT_ONCE ? ((request.read() as Buffer | null)?.length ?? 0) : 0
      draining.left -= length
      if (draining.left < 0) request.socket.destroy()
      else (length > 0 ? read : unread).push(draining)
    }
    // The next ones have their turn first.
    waiting = [...unread, ...read]
    if (waiting.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** Begins to read a body that has not arrived completely. Returns false for one that has. */
  return (request: IncomingMessage) => {
    if (request.complete || request.destroyed) return false
    // Otherwise Node would discard the rest itself, at any speed and of any length.
    request.read(0)
    waiting.push({ request, left: MAX_DRAINED })
    timer ??= setInterval(readSome, PAUSE_MS)
    return true
  }
}
