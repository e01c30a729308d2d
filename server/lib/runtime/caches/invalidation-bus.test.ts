import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { until } from '../../../../test/until.ts'
import { createInvalidationBus } from './invalidation-bus.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** A proxy to PostgreSQL whose connections can stop responding without being closed. */
async function postgresProxy() {
  const { host = '', port = 5432 } = t.database.connection
  const ways: { near: Socket; far: Socket }[] = []
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    near.pipe(far).pipe(near)
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const)
      end.on('error', () => undefined).on('close', () => other.destroy())
    ways.push({ near, far })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    connection: { ...t.database.connection, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    count: () => ways.length,
    silence: () => {
      for (const { near, far } of ways) {
        near.unpipe().resume()
        far.unpipe().resume()
      }
    },
    close: () => {
      server.close()
      for (const { near } of ways) near.destroy()
    },
  }
}

test('a connection that stopped responding is closed after the first timeout, however many invalidations wait', async () => {
  const way = await postgresProxy()
  const invalidationBus = createInvalidationBus(way.connection, t.deps.log)
  try {
    await invalidationBus.started
    way.silence()
    const ring = setInterval(() => invalidationBus.broadcast('[]'), 20)
    try {
      // One call waits for five seconds. Each call behind it would wait as long again.
      await expect.poll(way.count, { timeout: 9000 }).toBe(2)
      await expect.poll(invalidationBus.isConnected, { timeout: 2000 }).toBe(true)
    } finally {
      clearInterval(ring)
    }
  } finally {
    await invalidationBus.close()
    way.close()
  }
})

test('a blocked event loop does not make the connection count as silent', async () => {
  const invalidationBus = createInvalidationBus({ ...t.database.connection, query_timeout: 500 }, t.deps.log)
  try {
    const losses: number[] = []
    const messages: unknown[] = []
    invalidationBus.onSilentLoss((since) => losses.push(since))
    await invalidationBus.started
    invalidationBus.onInvalidate((message) => messages.push(message))
    const block = async () => {
      invalidationBus.broadcast('[]')
      await setImmediate()
      const end = performance.now() + 700
      while (performance.now() < end);
    }
    await until(async () => {
      if (invalidationBus.isConnected()) await block()
      // The timeout of the query has fired, and the bus is connected again.
      expect(messages).toEqual([undefined])
    })
    expect(losses).toEqual([])
  } finally {
    await invalidationBus.close()
  }
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
