import type { Dispatcher } from 'undici'
import type { Deps } from '../../deps.ts'
import { retryAfterSeconds } from '../../lib/retry-after.ts'
import type { GuardedAgent } from '../../lib/safe-http.ts'
import type { Endpoint } from './secrets.ts'
import { explain, isBrokenOff, NotValidHttp, type Stage } from './send-errors.ts'
import { signedHeaders } from './signature.ts'

const ANSWER_LIMIT = 16_384
/** Answers like 103 Early Hints that may come before the answer itself. */
const MOST_INTERIM = 20

export type Sent = {
  ok: boolean
  status: number | null
  duration_ms: number
  response: string | null
  error: string | null
  /** From Retry-After on 429 and 503, in seconds. */
  retry_after_s?: number
  /** false: the endpoint is not to blame (the proxy failed, Meydan stopped); the attempt does not count. */
  charged?: false
}

export type Message = { endpoint: Endpoint; event_id: string; body: string }

/** One signed attempt, over within WEBHOOK_TIMEOUT_MS whatever the receiver does. Never throws. */
export function sendSigned(
  { dispatcher, config, clock }: Pick<Deps, 'dispatcher' | 'config' | 'clock'>,
  { endpoint, event_id, body }: Message,
): Promise<Sent> {
  const now = clock.now()
  return new Promise((resolve) => {
    const { origin, path } = partsOf(endpoint.url)
    const request: Dispatcher.DispatchOptions = {
      origin,
      path,
      method: 'POST',
      headers: { ...endpoint.headers, ...signedHeaders(endpoint, event_id, body, now) },
      body,
      // One timer of ours bounds the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    new Attempt(dispatcher, request, config.WEBHOOK_TIMEOUT_MS, now, resolve).start()
  })
}

/** What is no address is left to undici to refuse. */
function partsOf(address: string) {
  const url = URL.parse(address)
  return { origin: url?.origin ?? address, path: url ? url.pathname + url.search : '/' }
}

/**
 * A handler of undici's own: thousands of these go at once, and what `request` adds (a stream, a signal and its
 * listeners) costs as much as the call.
 */
class Attempt implements Dispatcher.DispatchHandler {
  private readonly since = performance.now()
  private readonly timer: NodeJS.Timeout
  private readonly agent: GuardedAgent
  private readonly request: Dispatcher.DispatchOptions
  private readonly timeoutMs: number
  private readonly now: Date
  private readonly resolve: (sent: Sent) => void
  private controller: Dispatcher.DispatchController | undefined
  private stage: Stage = 'connection'
  private settled = false
  private reused = false
  private again = false
  private interim = 0
  private status: number | null = null
  private retryAfter: unknown
  private first: Buffer | undefined
  private rest: Buffer[] | undefined
  private size = 0

  constructor(
    agent: GuardedAgent,
    request: Dispatcher.DispatchOptions,
    timeoutMs: number,
    now: Date,
    resolve: (sent: Sent) => void,
  ) {
    this.agent = agent
    this.request = request
    this.timeoutMs = timeoutMs
    this.now = now
    this.resolve = resolve
    this.timer = setTimeout(() => this.giveUp(), timeoutMs)
  }

  start() {
    try {
      this.agent.dispatch(this.request, this)
    } catch (error) {
      this.fail(error)
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    // Its time was over before there was a connection.
    if (this.settled) return controller.abort(new Error('over'))
    this.controller = controller
    this.reused = !this.agent.isConnecting()
    this.stage = 'answer'
  }

  /** The first bytes of an answer are here. */
  onResponseStarted() {
    this.reused = false
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ) {
    if (status < 200) {
      if (++this.interim > MOST_INTERIM) this.fail(new NotValidHttp())
      if (this.settled) controller.abort(new Error('over'))
      return
    }
    this.stage = 'body'
    this.status = status
    if (status === 429 || status === 503) this.retryAfter = headers['retry-after']
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.settled) return
    this.size += chunk.length
    if (!this.first) this.first = chunk
    else if (this.rest) this.rest.push(chunk)
    else this.rest = [this.first, chunk]
    if (this.size < ANSWER_LIMIT) return
    // Enough is known: the rest is not read, however much there is.
    this.answered()
    controller.abort(new Error('over'))
  }

  onResponseEnd() {
    this.answered()
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error) {
    if (this.settled) return
    // The other side had closed an idle connection just when the request was written. It may have been read all the
    // same; sending twice is allowed, failing a delivery for this is not.
    if (this.reused && !this.again && isBrokenOff(error)) {
      this.again = true
      this.stage = 'connection'
      this.controller = undefined
      this.agent.once.dispatch(this.request, this)
    } else this.fail(error)
  }

  private giveUp() {
    this.fail(undefined)
    this.controller?.abort(new Error('over'))
  }

  private answered() {
    const status = this.status ?? 0
    const retry_after_s = this.retryAfter === undefined ? 0 : retryAfterSeconds(this.retryAfter, this.now)
    this.settle(status >= 200 && status < 300, null, retry_after_s > 0 ? { retry_after_s } : undefined)
  }

  /** undefined: its time is over. */
  private fail(cause: unknown) {
    const { error, charged } = explain(cause, this.stage, this.timeoutMs)
    this.settle(false, error, charged ? undefined : { charged: false })
  }

  private settle(ok: boolean, error: string | null, more?: Pick<Sent, 'retry_after_s' | 'charged'>) {
    if (this.settled) return
    this.settled = true
    clearTimeout(this.timer)
    const { status } = this
    const duration_ms = Math.round(performance.now() - this.since)
    const response = status === null ? null : this.text()
    this.resolve(
      more ? { ok, status, duration_ms, response, error, ...more } : { ok, status, duration_ms, response, error },
    )
  }

  /** The beginning of the answer. PostgreSQL keeps no NUL in a text. */
  private text() {
    if (!this.first) return ''
    const bytes = this.rest ? Buffer.concat(this.rest) : this.first
    const text =
      bytes.length > ANSWER_LIMIT
        ? // A character that the end cuts through is left out.
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, ANSWER_LIMIT), { stream: true })
        : bytes.toString('utf8')
    return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  }
}
