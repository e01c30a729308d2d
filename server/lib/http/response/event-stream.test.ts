import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { holdTimers } from '../../../../test/timers.ts'
import { until } from '../../../../test/until.ts'
import { eventStream, type StreamEvent } from './event-stream.ts'

test('comments keep a silent stream open, and text with line breaks stays one event', async () => {
  const silence = holdTimers(50)
  const { promise: silenceEnds, resolve: endSilence } = Promise.withResolvers<void>()
  async function* events(): AsyncGenerator<StreamEvent> {
    yield { event: 'delta', data: { text: 'one\ntwo\r\n' } }
    await silenceEnds
    yield { event: 'done', data: {} }
  }
  const pieces = eventStream(events(), 50)[Symbol.asyncIterator]()
  const next = async () => String((await pieces.next()).value)
  expect(await next()).toBe('event: delta\ndata: {"text":"one\\ntwo\\r\\n"}\n\n')
  for (let beat = 0; beat < 3; beat++) {
    await until(() => expect(silence.count()).toBe(1))
    silence.expire()
    expect(await next()).toBe(': \n\n')
  }
  endSilence()
  expect(await next()).toBe('event: done\ndata: {}\n\n')
  expect((await pieces.next()).done).toBe(true)
})

test('events are requested no faster than they are read, and the generator ends when the client leaves', async () => {
  let made = 0
  let ended = false
  async function* events(): AsyncGenerator<StreamEvent> {
    try {
      for (;;) {
        made++
        yield { event: 'delta', data: { text: 'x'.repeat(1000) } }
      }
    } finally {
      ended = true
    }
  }
  const stream = eventStream(events())
  stream.read(0)
  await until(() => expect(stream.readableLength).toBeGreaterThanOrEqual(stream.readableHighWaterMark))
  const requested = made
  for (let turns = 0; turns < 100; turns++) await turn()
  // As many as fill the buffer.
  expect([made, requested]).toEqual([16, 16])
  stream.destroy()
  await until(() => expect(ended).toBe(true))
})

test('the generator starts and ends also when the client leaves before reading anything', async () => {
  const steps: string[] = []
  async function* events(): AsyncGenerator<StreamEvent> {
    try {
      steps.push('begun')
      yield { event: 'done', data: {} }
    } finally {
      steps.push('ended')
    }
  }
  eventStream(events()).destroy()
  await until(() => expect(steps).toEqual(['begun', 'ended']))
})
