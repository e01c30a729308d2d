import type { Dispatcher } from 'undici'
import { MINUTE } from '../../../../shared/time.ts'
import { boundedFetch, limitBytes, type UrlRules } from '../../../lib/outbound/safe-http.ts'

declare module '../../../lib/deps.ts' {
  interface Deps {
    /** Rules for the addresses of AI models. */
    aiUrlRules: UrlRules
    aiFetch: typeof fetch
  }
}

/** Maximum of any call, whatever its caller allows. */
const MAX_CALL_MS = 10 * MINUTE
/** Maximum of a media response: four images in base64, or a video. */
const MAX_BYTES = 256 * 1024 * 1024
/** Maximum of any other response: JSON or an event stream. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

/** Maximum of a text that is not streamed. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024

/** `fetch` for AI providers: guarded by `dispatcher`, and bounded. */
export function providerFetch(
  dispatcher: Dispatcher,
  { maxMs = MAX_CALL_MS, maxJsonBytes = MAX_JSON_BYTES } = {},
): typeof fetch {
  const isMedia = (type: string | null) => /^(video|image|audio|application\/octet-stream)/i.test(type ?? '')
  const bounded = boundedFetch(dispatcher, {
    timeoutMs: maxMs,
    maxBytes: (headers) => (isMedia(headers.get('content-type')) ? MAX_BYTES : maxJsonBytes),
  })
  return async (input, init) => {
    if (input instanceof Request) throw new TypeError('Calls to AI providers take a URL, not a Request')
    return bounded(input, init)
  }
}

/** `fetch` for text models. Limits responses that are not event streams to the size of a text. */
export const textFetch =
  (fetch: typeof globalThis.fetch, maxBytes = MAX_TEXT_BYTES): typeof globalThis.fetch =>
  async (...call) => {
    const response = await fetch(...call)
    if (!response.body || /^text\/event-stream/i.test(response.headers.get('content-type') ?? '')) return response
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(limitBytes(maxBytes)), { status, statusText, headers })
  }

/**
 * `fetch` for servers of which some refuse the JSON Schema of an output. Such a call has generated nothing, and is made
 * again with a request for JSON, which the caller checks.
 */
export const withoutRefusedSchema =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (response.status !== 400 || typeof init?.body !== 'string') return response
    const request = JSON.parse(init.body)
    if (request.response_format?.type !== 'json_schema') return response
    if (!/response_format|json_schema|json schema/i.test(await response.clone().text())) return response
    return fetch(input, { ...init, body: JSON.stringify({ ...request, response_format: { type: 'json_object' } }) })
  }
