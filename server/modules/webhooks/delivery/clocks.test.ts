import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { clockSkew } from '../../../lib/runtime/clock.ts'
import { startHeartbeat } from '../../../lib/runtime/heartbeat.ts'
import { keepWebhookHistory } from '../retention.ts'
import { startDispatcher } from './dispatcher.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => t.close())

/** Sets the clock of the machine ahead, not the business clock of the test. */
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
])('a clock that is %d ms ahead of PostgreSQL has a skew of %d ms', async (ms, fault) => {
  setAhead(ms)
  const found = await clockSkew(t.deps.db)
  if (fault === 0) expect(found).toBe(0)
  else expect(Math.abs(found - fault)).toBeLessThan(5000)
})

test('a node with a wrong clock logs one error, and works again when the clock is right', async () => {
  const setRight = setAhead(60_000)
  const error = vi.spyOn(t.deps.log, 'error')
  const heartbeat = await startHeartbeat(t.deps.db, { alone: false, log: t.deps.log })
  expect(heartbeat.isClockInSync()).toBe(false)
  setRight()
  await expect.poll(heartbeat.isClockInSync, { timeout: 10_000 }).toBe(true)
  expect(error).toHaveBeenCalledTimes(1)
  await heartbeat.stop()
})

test('nothing is claimed while the clock is wrong, and everything when it is right again', async () => {
  const receiver = await webhookReceiver()
  const person = await withWorkspace(t)
  const { body } = expectStatus(await person.post('/api/v1/webhooks', { url: receiver.url, events: ['*'] }), 201)
  let inTime = false
  let asked = 0
  const isClockInSync = () => {
    asked++
    return inTime
  }
  const dispatcher = startDispatcher(t.deps, { isClockInSync })
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

test('no history is deleted while the clock is wrong', async () => {
  setAhead(60_000)
  await expect(keepWebhookHistory(t.deps)).rejects.toThrow('ahead of the clock of PostgreSQL')
})
