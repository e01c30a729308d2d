import { type Dispatcher, type RequestInit, fetch as undiciFetch } from 'undici'
import type { UrlRules } from '../../lib/outbound/safe-http.ts'

declare module '../../lib/deps.ts' {
  interface Deps {
    /** For the addresses of AI models. */
    aiUrlRules: UrlRules
    aiFetch: typeof fetch
  }
}

/** Maximum of any call, whatever its caller allows. */
const MAX_CALL_MS = 10 * 60_000
/** Maximum of a media response: four images in base64, or a video. */
const MAX_BYTES = 256 * 1024 * 1024
/** Maximum of any other response: JSON or an event stream. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

/** Maximum of a text that is not streamed. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024

/** The response exceeds its limit. */
export class AnswerTooLarge extends Error {}

/** Throws beyond `max` bytes. */
const bounded = (max: number) => {
  let size = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > max) throw new AnswerTooLarge(`The response is larger than ${max} bytes`)
      controller.enqueue(chunk)
    },
  })
}

/**
 * `fetch` for AI providers: guarded by `dispatcher`, no redirects, limits on time and size. The body is streamed, and
 * the signal of the call also ends reading it.
 */
export function providerFetch(
  dispatcher: Dispatcher,
  { maxMs = MAX_CALL_MS, maxJsonBytes = MAX_JSON_BYTES } = {},
): typeof fetch {
  return async (input, init = {}) => {
    if (input instanceof Request) throw new TypeError('Calls to AI providers take a URL, not a Request')
    const { signal, body, method, headers } = init
    const timeout = AbortSignal.timeout(maxMs)
    const answer = await undiciFetch(input, {
      method: method ?? 'GET',
      headers: [...new Headers(headers)],
      body: (body ?? null) as RequestInit['body'],
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      dispatcher,
    } as RequestInit)
    const isMedia = /^(video|image|audio|application\/octet-stream)/i.test(answer.headers.get('content-type') ?? '')
    const stream = answer.body as ReadableStream<Uint8Array> | null
    const isEmpty = [101, 204, 205, 304].includes(answer.status)
    return new Response(isEmpty ? null : (stream?.pipeThrough(bounded(isMedia ? MAX_BYTES : maxJsonBytes)) ?? null), {
      status: answer.status,
      statusText: answer.statusText,
      headers: [...answer.headers].filter(([name]) => !/^content-(encoding|length)$/i.test(name)),
    })
  }
}

/** `fetch` for text models. Limits responses that are not event streams to the size of a text. */
export const textFetch =
  (fetch: typeof globalThis.fetch, maxBytes = MAX_TEXT_BYTES): typeof globalThis.fetch =>
  async (...call) => {
    const answer = await fetch(...call)
    if (!answer.body || /^text\/event-stream/i.test(answer.headers.get('content-type') ?? '')) return answer
    const { status, statusText, headers } = answer
    return new Response(answer.body.pipeThrough(bounded(maxBytes)), { status, statusText, headers })
  }
