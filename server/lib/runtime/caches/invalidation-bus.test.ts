import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { postgresProxy } from '../../../../test/postgres-proxy.ts'
import { holdTimers, stopPerformanceClock } from '../../../../test/timers.ts'
import { until } from '../../../../test/until.ts'
import { createInvalidationBus } from './invalidation-bus.ts'

const t = await testApp()

/** The time limit of a query. No other timer has this delay. */
const QUERY_MS = 12_345

/** A bus that the test closes. */
async function openBus(connection = t.database.connection) {
  const bus = createInvalidationBus({ ...connection, query_timeout: QUERY_MS }, t.deps.log)
  onTestFinished(bus.close)
  /** The messages to listeners after the first connection: an announcement, or undefined for a new connection. */
  const messages: unknown[] = []
  bus.onInvalidate((message) => messages.push(message))
  await until(() => expect(messages).toEqual([undefined]))
  messages.length = 0
  await bus.started
  return { bus, messages }
}

test('a connection that stopped responding is closed after one timeout, however many broadcasts wait', async () => {
  const limit = holdTimers(QUERY_MS)
  const proxy = await postgresProxy(t.database.connection)
  onTestFinished(proxy.close)
  const { bus, messages } = await openBus(proxy.connection)
  proxy.freeze()
  // Reads the data that arrived before. A query that is still open then never ends.
  for (let turns = 0; turns < 100; turns++) await setImmediate()
  const ring = setInterval(() => bus.broadcast('[]'), 5)
  onTestFinished(() => clearInterval(ring))
  await until(() => expect(limit.count()).toBe(1))
  limit.expire()
  await until(() => expect(messages).toEqual([undefined]))
  await until(() => expect(bus.isConnected()).toBe(true))
  expect(proxy.count().all).toBe(2)
})

test('a blocked event loop does not make the connection count as silent', async () => {
  const limit = holdTimers(QUERY_MS)
  let isBlocked = false
  const proxy = await postgresProxy(t.database.connection, {
    // The response is in the socket, and the timeout fires before it is read, as after a blocked event loop.
    onResponse: (bytes) => {
      if (isBlocked || limit.count() === 0 || !bytes.includes('meydan_wake')) return
      isBlocked = true
      setTimeout(limit.expire, 1)
      for (const end = performance.now() + 2; performance.now() < end; );
    },
  })
  onTestFinished(proxy.close)
  const { bus, messages } = await openBus(proxy.connection)
  const losses: number[] = []
  bus.onSilentLoss((since) => losses.push(since))
  await until(() => {
    bus.broadcast('[]')
    expect(isBlocked).toBe(true)
  })
  // The timeout of the query has fired, and the bus is connected again.
  await until(() => expect(messages).toEqual([undefined]))
  expect(losses).toEqual([])
})

test('a bus is connected until a second has passed since the last beat, and again from the next one', async () => {
  const { bus } = await openBus()
  const advance = stopPerformanceClock()
  advance(1000)
  expect(bus.isConnected()).toBe(false)
  await until(() => expect(bus.isConnected()).toBe(true))
  advance(999)
  expect(bus.isConnected()).toBe(true)
  advance(1)
  expect(bus.isConnected()).toBe(false)
})

test('during a burst one empty broadcast replaces all texts, and a later broadcast carries its text again', async () => {
  const invalidationBus = createInvalidationBus(t.database.connection, t.deps.log)
  const other = createInvalidationBus(t.database.connection, t.deps.log)
  try {
    const received: string[] = []
    other.onBroadcast((text) => received.push(text))
    await Promise.all([invalidationBus.started, other.started])
    // A broadcast may be lost when its connection is slow, so the burst is repeated until one arrives.
    await until(() => {
      if (received.length === 0) for (const text of ['one', 'two', 'three']) invalidationBus.broadcast(text)
      expect(new Set(received)).toEqual(new Set(['']))
    })
    await until(() => {
      invalidationBus.broadcast('four')
      expect(received).toContain('four')
    })
    expect(new Set(received)).toEqual(new Set(['', 'four']))
  } finally {
    await Promise.all([invalidationBus.close(), other.close()])
  }
})
