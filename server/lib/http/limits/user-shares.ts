import type { FastifyReply, FastifyRequest } from 'fastify'
import { type MaybePromise, whenReady } from '../../runtime/concurrency/maybe-promise.ts'
import { createShares, type Shares } from '../../runtime/concurrency/shares.ts'

/**
 * Shares of each user on a node. Fewer than the pool has connections, so that some are left to others. Calls that can
 * take minutes have as many of their own: they hold a connection for short parts of that time.
 */
const TOTAL = 16
/** Calls of a user that wait for shares. Further ones get 429. */
const MAX_WAITING = 300

const READ = 1
const WRITE = 2
const LIST = 4
const LARGE = 8

/** Records of a page from which it counts as large: more than a page has by default. */
const LARGE_PAGE = 26
/** Bytes of a body from which it counts as large. */
const LARGE_BODY = 65_536
/** Bytes a millisecond that a user may send and take with each of two large calls at a time: 10 MB a second in total. */
const BYTES_PER_MS = 5000
/** Longest pause after a call that took many shares, in milliseconds. */
const MAX_REST_MS = 1000

export type UserShares = Shares

export const createUserShares = (): UserShares => createShares(TOTAL, MAX_WAITING)

/**
 * Kinds of calls. An export and a file can take minutes, as can calls to external services. `large_list`: its pages are
 * large by default. `upload`: its body is streamed to the disk, so it takes little memory. `outside`: it calls an external
 * service, for seconds.
 */
export type Weight = 'read' | 'write' | 'list' | 'large_list' | 'export' | 'upload' | 'outside'

function sharesOf(weight: Weight, { headers, query }: FastifyRequest) {
  if (weight === 'read') return READ
  if (weight === 'export' || weight === 'large_list') return LARGE
  if (weight === 'upload' || weight === 'outside') return LIST
  if (weight === 'list') {
    const { limit, search } = query as { limit?: string; search?: string }
    return search !== undefined || Number(limit ?? 0) >= LARGE_PAGE ? LARGE : LIST
  }
  const isLarge = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) >= LARGE_BODY
  return isLarge ? LARGE : WRITE
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The work of the handler. It goes on when the client disconnects. */
    work: Promise<unknown> | null
  }
}

/**
 * Takes the shares of a call, before its body is read, and gives them back once its work has ended and the client has
 * taken the response or left. So what one user sends, asks for or leaves unread delays that user only. `key`: calls that
 * can take minutes have one of their own.
 */
export function takeShares(
  userShares: UserShares,
  key: string,
  weight: Weight,
  request: FastifyRequest,
  { raw }: FastifyReply,
): MaybePromise<void> {
  const shares = sharesOf(weight, request)
  return whenReady(userShares.take(key, shares), () => {
    const giveBack = () => userShares.giveBack(key, shares)
    const onceEnded = (then: () => void) =>
      raw.once('close', () => {
        if (request.work) request.work.then(then, then)
        else then()
      })
    // The client left while the call waited.
    if (raw.destroyed) {
      giveBack()
      return new Promise<void>(() => undefined)
    }
    if (shares < LIST) {
      onceEnded(giveBack)
      return
    }
    const begun = performance.now()
    const { socket } = request.raw
    const transferred = () => socket.bytesRead + socket.bytesWritten
    const before = transferred()
    // A user who repeats large calls leaves half of the time to others. Garbage collection takes its time later, in
    // proportion to the bytes.
    onceEnded(() => {
      const rest = Math.max(performance.now() - begun, (transferred() - before) / BYTES_PER_MS)
      setTimeout(giveBack, Math.min(MAX_REST_MS, rest)).unref()
    })
  })
}
