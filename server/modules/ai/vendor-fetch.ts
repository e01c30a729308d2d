import { type Dispatcher, type RequestInit, fetch as undiciFetch } from 'undici'

/** No call takes longer, whatever its caller allows. */
const LONGEST_MS = 10 * 60_000
/** No answer is larger: four images as base64, or a video. */
const MOST_BYTES = 256 * 1024 * 1024
/** Nor is one that is read as a whole, or an event stream of text. */
const MOST_JSON_BYTES = 64 * 1024 * 1024

/** What a text model answers at once. */
const MOST_TEXT_BYTES = 8 * 1024 * 1024

/** The answer was larger than any that makes sense. */
export class AnswerTooLarge extends Error {}

/** Lets so many bytes through. */
const bounded = (most: number) => {
  let size = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > most) throw new AnswerTooLarge(`The answer has more than ${most} bytes`)
      controller.enqueue(chunk)
    },
  })
}

/**
 * `fetch` for vendors of AI models: through the guard of `dispatcher`, not redirected, bounded in time and size. The body
 * comes as it arrives, and reading it ends with the signal of the call.
 */
export function vendorFetch(
  dispatcher: Dispatcher,
  { longestMs = LONGEST_MS, mostJsonBytes = MOST_JSON_BYTES } = {},
): typeof fetch {
  return async (input, init = {}) => {
    if (input instanceof Request) throw new TypeError('Calls to vendors are made with an address')
    const { signal, body, method, headers } = init
    const timeout = AbortSignal.timeout(longestMs)
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
    return new Response(isEmpty ? null : (stream?.pipeThrough(bounded(isMedia ? MOST_BYTES : mostJsonBytes)) ?? null), {
      status: answer.status,
      statusText: answer.statusText,
      headers: [...answer.headers].filter(([name]) => !/^content-(encoding|length)$/i.test(name)),
    })
  }
}

/** `fetch` for models that write: an answer that is read as a whole is no larger than a text may be. */
export const textFetch =
  (fetch: typeof globalThis.fetch, most = MOST_TEXT_BYTES): typeof globalThis.fetch =>
  async (...call) => {
    const answer = await fetch(...call)
    if (!answer.body || /^text\/event-stream/i.test(answer.headers.get('content-type') ?? '')) return answer
    const { status, statusText, headers } = answer
    return new Response(answer.body.pipeThrough(bounded(most)), { status, statusText, headers })
  }
