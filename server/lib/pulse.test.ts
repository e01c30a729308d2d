import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { until } from '../../test/until.ts'
import { createPulse } from './pulse.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** The way to PostgreSQL, whose connections can be made to die without a word. */
async function wayToPostgres() {
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

test('a connection that died without a word is given up after the first call without an answer, however much is to be told', async () => {
  const way = await wayToPostgres()
  const pulse = createPulse(way.connection, t.deps.log)
  try {
    await pulse.started
    way.silence()
    const ring = setInterval(() => pulse.wake('[]'), 20)
    try {
      // One call waits for five seconds. Each of those behind it would wait as long again.
      await expect.poll(way.count, { timeout: 9000 }).toBe(2)
      await expect.poll(pulse.isHeard, { timeout: 2000 }).toBe(true)
    } finally {
      clearInterval(ring)
    }
  } finally {
    await pulse.close()
    way.close()
  }
})

test('of what comes faster than it can be told only the ring is told, and later ones again in full', async () => {
  const pulse = createPulse(t.database.connection, t.deps.log)
  const other = createPulse(t.database.connection, t.deps.log)
  try {
    const heard: string[] = []
    other.onWake((text) => heard.push(text))
    await Promise.all([pulse.started, other.started])
    for (const text of ['one', 'two', 'three']) pulse.wake(text)
    await until(() => expect(heard).toEqual(['']))
    pulse.wake('four')
    await until(() => expect(heard).toEqual(['', 'four']))
  } finally {
    await Promise.all([pulse.close(), other.close()])
  }
})
