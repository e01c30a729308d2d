import { request } from 'undici'
import type { Deps } from '../../deps.ts'
import { retryAfterSeconds } from '../../lib/retry-after.ts'
import { ForbiddenAddress } from '../../lib/safe-http.ts'
import type { Endpoint } from './secrets.ts'
import { signedHeaders } from './signature.ts'

const ANSWER_LIMIT = 16_384

export type Sent = {
  ok: boolean
  status: number | null
  duration_ms: number
  response: string | null
  error: string | null
  /** From Retry-After on 429 and 503, in seconds. */
  retry_after_s?: number
}

type Message = { endpoint: Endpoint; event_id: string; body: Buffer | string }

/** One signed attempt, over within WEBHOOK_TIMEOUT_MS whatever the receiver does. Never throws. */
export async function sendSigned(
  { dispatcher, config, clock }: Pick<Deps, 'dispatcher' | 'config' | 'clock'>,
  { endpoint, event_id, body }: Message,
): Promise<Sent> {
  const start = performance.now()
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new Error('timeout')), config.WEBHOOK_TIMEOUT_MS)
  const duration = () => Math.round(performance.now() - start)
  try {
    const answer = await request(endpoint.url, {
      method: 'POST',
      headers: { ...endpoint.headers, ...signedHeaders(endpoint, event_id, body, clock.now()) },
      body,
      dispatcher,
      signal: abort.signal,
    })
    const response = await readStart(answer.body)
    const status = answer.statusCode
    const retryAfter =
      status === 429 || status === 503 ? retryAfterSeconds(answer.headers['retry-after'], clock.now()) : 0
    return {
      ok: status >= 200 && status < 300,
      status,
      duration_ms: duration(),
      response,
      error: null,
      ...(retryAfter > 0 && { retry_after_s: retryAfter }),
    }
  } catch (error) {
    return {
      ok: false,
      status: null,
      duration_ms: duration(),
      response: null,
      error: reason(error, abort.signal.aborted),
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The beginning of an answer as text; the rest is not read. */
async function readStart(stream: AsyncIterable<Buffer> & { destroy: () => unknown }) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= ANSWER_LIMIT) {
      stream.destroy()
      break
    }
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_LIMIT).toString('utf8').replaceAll('\0', '\uFFFD')
}

/** Says what happened without telling what a name resolved to. */
function reason(error: unknown, timedOut: boolean) {
  if (timedOut) return 'No answer in time.'
  if (error instanceof ForbiddenAddress) return 'This address may not be called.'
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return code ? `The connection failed (${code}).` : 'The connection failed.'
}
