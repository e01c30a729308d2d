import { expect, onTestFinished, test, vi } from 'vitest'
import { spareTime } from './spare-time.ts'

/** Has the process be as busy as these shares say, one for each time that it is measured, and the last one from then on. */
function busy(...shares: number[]) {
  const measured = vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((before) => {
    const utilization = before ? (shares.length > 1 ? shares.shift() : shares[0]) : 0
    return { idle: 0, active: 0, utilization: utilization ?? 0 }
  })
  onTestFinished(() => measured.mockRestore())
  return () => measured.mock.calls.filter(([before]) => before).length
}

test('waits until the process is less busy', async () => {
  const times = busy(1, 0.9, 0.2)
  await spareTime()
  expect(times()).toBe(3)
})

test('goes on in a process that stays busy', async () => {
  const times = busy(1)
  await spareTime(500)
  expect(times()).toBe(5)
})
