import type { Dispatcher } from 'undici'
import { signedHeaders } from '../../../../lib/crypto/webhook-signature.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { retryAfterSeconds } from '../../../../lib/http/retry-after.ts'
import type { GuardedAgent } from '../../../../lib/outbound/safe-http.ts'
import type { Endpoint } from './secrets.ts'
import { explain, isBrokenOff, NotValidHttp, type Stage } from './send-errors.ts'

const MAX_RESPONSE_BYTES = 16_384
/** Interim responses, such as 103 Early Hints, that are accepted before the final one. */
const MAX_INTERIM = 20

export type Sent = {
  ok: boolean
  status: number | null
  duration_ms: number
  response: string | null
  error: string | null
  /** Seconds of the Retry-After header of a 429 or 503 response. */
  retry_after_s?: number
  /** false if the endpoint is not to blame (the proxy failed, Meydan stopped). The attempt does not count then. */
  charged?: false
}

type Message = { endpoint: Endpoint; event_id: string; body: string }

/** Makes one signed attempt. It ends within WEBHOOK_TIMEOUT_MS whatever the receiver does, and never throws. */
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
      // SignedRequest has one timer for the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    new SignedRequest(dispatcher, request, config.WEBHOOK_TIMEOUT_MS, now, resolve).start()
  })
}

/** Splits a URL for undici, which rejects one that is not valid. */
function partsOf(address: string) {
  const url = URL.parse(address)
  return { origin: url?.origin ?? address, path: url ? url.pathname + url.search : '/' }
}

/**
 * One request as a dispatch handler of undici. With thousands of requests at a time, the stream, the signal and the
 * listeners that `request` adds would double the cost of each.
 */
class SignedRequest implements Dispatcher.DispatchHandler {
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
  private isRetried = false
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
    this.timer = setTimeout(() => this.timeOut(), timeoutMs)
  }

  start() {
    try {
      this.agent.dispatch(this.request, this)
    } catch (error) {
      this.fail(error)
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    // The attempt timed out before there was a connection.
    if (this.settled) return controller.abort(new Error('over'))
    this.controller = controller
    this.reused = !this.agent.isConnecting()
    this.stage = 'response'
  }

  /** Called with the first bytes of a response. */
  onResponseStarted() {
    this.reused = false
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ) {
    if (status < 200) {
      if (++this.interim > MAX_INTERIM) this.fail(new NotValidHttp())
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
    if (this.size < MAX_RESPONSE_BYTES) return
    // The rest of the response is not read.
    this.complete()
    controller.abort(new Error('over'))
  }

  onResponseEnd() {
    this.complete()
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error) {
    if (this.settled) return
    // The endpoint closed an idle connection while the request was written. It may have read the request, but a
    // duplicate delivery is allowed, and a failure for this reason is not.
    if (this.reused && !this.isRetried && isBrokenOff(error)) {
      this.isRetried = true
      this.stage = 'connection'
      this.controller = undefined
      this.agent.once.dispatch(this.request, this)
    } else this.fail(error)
  }

  private timeOut() {
    this.fail(undefined)
    this.controller?.abort(new Error('over'))
  }

  private complete() {
    const status = this.status ?? 0
    const retry_after_s = this.retryAfter === undefined ? 0 : retryAfterSeconds(this.retryAfter, this.now)
    this.settle(status >= 200 && status < 300, null, retry_after_s > 0 ? { retry_after_s } : undefined)
  }

  /** Fails the attempt. An undefined cause is the timeout. */
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

  /** Returns the beginning of the response. PostgreSQL stores no NUL in a text. */
  private text() {
    if (!this.first) return ''
    const bytes = this.rest ? Buffer.concat(this.rest) : this.first
    const text =
      bytes.length > MAX_RESPONSE_BYTES
        ? // `stream` leaves out a character that is cut in two.
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, MAX_RESPONSE_BYTES), { stream: true })
        : bytes.toString('utf8')
    return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  }
}
