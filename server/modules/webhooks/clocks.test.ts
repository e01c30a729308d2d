import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../test/factories.ts'
import { webhookReceiver } from '../../../test/receiver.ts'
import { clockFault } from '../../lib/clock.ts'
import { startHeartbeat } from '../../lib/heartbeat.ts'
import { startDispatcher } from './dispatcher.ts'
import { keepWebhookHistory } from './retention.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => t.close())

/** Sets the clock of the machine, not that of the business. */
function setAhead(ms: number) {
  const { now } = Date
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)
  return () => clock.mockRestore()
}

test.each([
  [9000, 0],
  [-9000, 0],
  [60_000, 60_000],
  [-60_000, -60_000],
])('a clock that is %d ms ahead of that of PostgreSQL is %d ms wrong', async (ms, fault) => {
  setAhead(ms)
  const found = await clockFault(t.deps.db)
  if (fault === 0) expect(found).toBe(0)
  else expect(Math.abs(found - fault)).toBeLessThan(5000)
})

test('a node with a wrong clock says so once, and when it is right again', async () => {
  const setRight = setAhead(60_000)
  const error = vi.spyOn(t.deps.log, 'error')
  const heartbeat = await startHeartbeat(t.deps.db, { alone: false, log: t.deps.log })
  expect(heartbeat.isInTime()).toBe(false)
  setRight()
  await expect.poll(heartbeat.isInTime, { timeout: 10_000 }).toBe(true)
  expect(error).toHaveBeenCalledTimes(1)
  await heartbeat.stop()
})

test('nothing is claimed by a wrong clock, and all of it once it is right', async () => {
  const receiver = await webhookReceiver()
  const person = await withWorkspace(t)
  const { body } = expectStatus(await person.post('/api/v1/webhooks', { url: receiver.url, events: ['*'] }), 201)
  let inTime = false
  let asked = 0
  const isInTime = () => {
    asked++
    return inTime
  }
  const dispatcher = startDispatcher(t.deps, { isInTime })
  try {
    expectStatus(await person.post('/api/v1/posts', { content: 'Hello' }), 201)
    const before = asked
    await expect.poll(() => asked, { timeout: 5000 }).toBeGreaterThan(before + 2)
    const row = await t.deps.db
      .selectFrom('delivery')
      .select(['claim_id', 'attempts'])
      .where('webhook_id', '=', body.id)
      .executeTakeFirst()
    expect(row).toEqual({ claim_id: null, attempts: 0 })
    inTime = true
    await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(1)
  } finally {
    await dispatcher.stop()
    receiver.close()
  }
})

test('nothing is forgotten by a wrong clock', async () => {
  setAhead(60_000)
  await expect(keepWebhookHistory(t.deps)).rejects.toThrow('ahead of PostgreSQL')
})
