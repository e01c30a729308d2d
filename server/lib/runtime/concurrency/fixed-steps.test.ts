import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inFixedSteps } from './fixed-steps.ts'

/** Timers may fire up to a millisecond early by this clock. */
const EARLY_MS = 2

test('work ends no earlier than the next multiple of a step, whether it succeeds or fails', async () => {
  const lasted = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await inFixedSteps(100, work).catch(() => undefined)
    return performance.now() - start
  }
  expect(await lasted(async () => 'at once')).toBeGreaterThan(100 - EARLY_MS)
  expect(await lasted(() => Promise.reject(new Error('at once')))).toBeGreaterThan(100 - EARLY_MS)
  expect(await lasted(() => setTimeout(120))).toBeGreaterThan(200 - EARLY_MS)
})

test('the result and the error of the work are those of the call', async () => {
  expect(await inFixedSteps(1, async () => 'result')).toBe('result')
  await expect(inFixedSteps(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})
