import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRunLoop } from './run-loop.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A loop whose runs end when the test resolves them. */
function controlledLoop() {
  const runs: PromiseWithResolvers<boolean>[] = []
  const errors: unknown[] = []
  const loop = createRunLoop({
    work: () => {
      const run = Promise.withResolvers<boolean>()
      runs.push(run)
      return run.promise
    },
    onError: (error) => errors.push(error),
    gatherMs: 3,
    gatherCount: 10,
  })
  const end = async (isMoreWanted = false) => {
    runs.at(-1)?.resolve(isMoreWanted)
    await vi.advanceTimersByTimeAsync(0)
  }
  const fail = async (error: Error) => {
    runs.at(-1)?.reject(error)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { loop, end, fail, errors, count: () => runs.length }
}

test('requests during a run cause one more run after it', async () => {
  const { loop, end, count } = controlledLoop()
  loop.run()
  expect(count()).toBe(1)
  loop.run()
  loop.run()
  expect(count()).toBe(1)
  await end()
  expect(count()).toBe(2)
  await end()
  expect(count()).toBe(2)
})

test('work that returns true runs again at once', async () => {
  const { loop, end, count } = controlledLoop()
  loop.run()
  await end(true)
  expect(count()).toBe(2)
  await end(false)
  expect(count()).toBe(2)
})

test('a scheduled run keeps its time when another is scheduled, and is dropped when one runs earlier', async () => {
  const { loop, end, count } = controlledLoop()
  loop.runIn(20)
  loop.runIn(5)
  await vi.advanceTimersByTimeAsync(19)
  expect(count()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(count()).toBe(1)
  await end()

  loop.runIn(20)
  loop.run()
  await end()
  await vi.advanceTimersByTimeAsync(100)
  expect(count()).toBe(2)
})

test('a few requests are gathered into one run after a moment, and many run at once', async () => {
  const { loop, end, count } = controlledLoop()
  loop.gather(4)
  loop.gather(5)
  expect(count()).toBe(0)
  await vi.advanceTimersByTimeAsync(3)
  expect(count()).toBe(1)
  await end()

  loop.gather(9)
  expect(count()).toBe(1)
  loop.gather(1)
  expect(count()).toBe(2)
})

test('an error is reported, and the next request runs', async () => {
  const { loop, end, fail, errors, count } = controlledLoop()
  const error = new Error('work failed')
  loop.run()
  await fail(error)
  expect(errors).toEqual([error])
  expect(count()).toBe(1)
  loop.run()
  expect(count()).toBe(2)
  await end()
})

test('stopping waits for the run in progress, starts no other, and reports no error', async () => {
  const { loop, fail, errors, count } = controlledLoop()
  loop.run()
  loop.run()
  loop.runIn(5)
  let hasStopped = false
  const stopping = loop.stop().then(() => {
    hasStopped = true
  })
  loop.gather(100)
  loop.runIn(5)
  await vi.advanceTimersByTimeAsync(100)
  expect(hasStopped).toBe(false)
  await fail(new Error('stopped'))
  await stopping
  expect([count(), errors]).toEqual([1, []])
})
