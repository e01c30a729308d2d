import { Readable } from 'node:stream'

/** Proxies close connections that are silent for a minute. */
const BEAT_MS = 15_000

export type StreamEvent = { event: string; data: object }

/**
 * Streams events as text/event-stream (HTML, section 9.2), with a comment after each silent interval. Events are
 * pulled at the speed of the client. `events` must end by itself when the client disconnects.
 */
export function eventStream(events: AsyncIterable<StreamEvent>, beat_ms = BEAT_MS) {
  const iterator = events[Symbol.asyncIterator]()
  // Started at once: a generator that has not started does not notice a client that disconnects before reading.
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
      const { promise: beat, resolve } = Promise.withResolvers<'beat'>()
      const timer = setTimeout(resolve, beat_ms, 'beat')
      const got = await Promise.race([next, beat]).finally(() => clearTimeout(timer))
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
