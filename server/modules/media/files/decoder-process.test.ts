import { fork } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { limitTime } from './decoder-process.ts'

test('the time of a process that computes without end is over', async () => {
  const child = fork(new URL('./decoding/serve-calls.fixture.ts', import.meta.url), { serialization: 'advanced' })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.send({ task: 'compute', args: [] })
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopWatching = limitTime(child, 100, resolve)
  onTestFinished(stopWatching)
  await promise
  expect(child.exitCode).toBeNull()
})
