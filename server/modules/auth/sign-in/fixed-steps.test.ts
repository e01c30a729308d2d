import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { holdTimers, stopPerformanceClock } from '../../../../test/timers.ts'
import { inFixedSteps } from './sign-in.ts'

test.each([
  ['that succeeds at once', 0, 100, async () => 'at once'],
  ['that fails at once', 0, 100, () => Promise.reject(new Error('at once'))],
  ['that takes a part of the first step', 30, 70, async () => 'later'],
  ['that takes longer than the first step', 120, 80, async () => 'late'],
])('work %s ends at the next multiple of a step', async (_, taken, rest, work) => {
  const advance = stopPerformanceClock()
  const timers = holdTimers(rest)
  let hasEnded = false
  const call = inFixedSteps(100, () => {
    advance(taken)
    return work()
  })
  const ended = call.catch(() => undefined).then(() => (hasEnded = true))
  await turn()
  expect([timers.count(), hasEnded]).toEqual([1, false])
  timers.expire()
  await ended
})

test('the result and the error of the work are those of the call', async () => {
  expect(await inFixedSteps(1, async () => 'result')).toBe('result')
  await expect(inFixedSteps(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})
