import { describe, expect, test } from 'vitest'
import { keys } from '../../config/config.ts'
import { createTimings } from './timings.ts'

test('the real times are those of the table', () => {
  expect(createTimings(1)).toMatchObject({ heartbeat: 5000, nodeSilence: 30_000, deliveryLease: 60_000, jobPoll: 250 })
})

test('a divisor shortens leases, and polls to a tenth of a second at least', () => {
  expect(createTimings(20)).toMatchObject({
    heartbeat: 250,
    nodeSilence: 1500,
    deliveryLease: 3000,
    jobPoll: 100,
    postLookups: [250, 750, 3000, 15_000, 90_000],
  })
})

test('a lease is longer than the longest attempt of a webhook', () => {
  expect(() => keys.WEBHOOK_TIMEOUT_MS.parse(String(createTimings(1).deliveryLease))).toThrow()
})

describe.each([1, 5, 20, 100])('with the divisor %i', (divisor) => {
  const times = createTimings(divisor)

  test('a node that misses two heartbeats is not dead', () => {
    expect(times.nodeSilence).toBeGreaterThan(2 * times.heartbeat)
  })

  test('deliveries are held after the leases of those in flight', () => {
    expect(times.deliveryHold).toBeGreaterThan(times.deliveryLease)
  })

  test('the next node renews a sign-in after the calls that wait for it have ended', () => {
    expect(times.renewalLease).toBeGreaterThan(times.renewalWait)
    expect(times.renewalWait).toBeGreaterThan(times.renewalPoll)
  })
})
