import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventStream, type StreamEvent } from './event-stream.ts'

test('comments keep a silent stream open, and text with line breaks stays one event', async () => {
  async function* events(): AsyncGenerator<StreamEvent> {
    yield { event: 'delta', data: { text: 'one\ntwo\r\n' } }
    await sleep(220)
    yield { event: 'done', data: {} }
  }
  const text = Buffer.concat(await eventStream(events(), 50).toArray()).toString()
  expect(text.replace(/(: \n\n)+/, '(beats)')).toBe(
    'event: delta\ndata: {"text":"one\\ntwo\\r\\n"}\n\n(beats)event: done\ndata: {}\n\n',
  )
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
  await sleep(100)
  expect(made).toBeLessThan(40)
  stream.destroy()
  await sleep(20)
  expect(ended).toBe(true)
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
  await sleep(20)
  expect(steps).toEqual(['begun', 'ended'])
})
