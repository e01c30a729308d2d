import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/** Proxies hang up on what is silent for a minute. */
const BEAT_MS = 15_000

export type StreamEvent = { event: string; data: object }

/**
 * The events as a body of type text/event-stream (HTML, section 9.2), with a comment whenever nothing else was said for
 * a while. They are asked for as fast as the client takes them. `events` has to end by itself when the client has gone.
 */
export function eventStream(events: AsyncIterable<StreamEvent>, beat_ms = BEAT_MS) {
  const iterator = events[Symbol.asyncIterator]()
  // Begun at once: of a client that has left before anything was read, a generator that had not begun would never hear.
  const first = iterator.next()
  first.catch(() => undefined)
  const stream = Readable.from(written(iterator, first, beat_ms), { objectMode: false, highWaterMark: 16_384 })
  return stream.once('close', () => void iterator.return?.().catch(() => undefined))
}

async function* written(
  iterator: AsyncIterator<StreamEvent>,
  first: Promise<IteratorResult<StreamEvent>>,
  beat_ms: number,
) {
  try {
    let next = first
    for (;;) {
      const timer = new AbortController()
      const beat = setTimeout(beat_ms, 'beat' as const, { signal: timer.signal }).catch(() => 'beat' as const)
      const got = await Promise.race([next, beat]).finally(() => timer.abort())
      if (got === 'beat') {
        yield ': \n\n'
        continue
      }
      if (got.done) return
      yield `event: ${got.value.event}\ndata: ${JSON.stringify(got.value.data)}\n\n`
      next = iterator.next()
    }
  } finally {
    await iterator.return?.()
  }
}
