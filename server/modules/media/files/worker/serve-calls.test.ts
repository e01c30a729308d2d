import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'

function startProcess() {
  const child = fork(new URL('./serve-calls.fixture.ts', import.meta.url), { serialization: 'advanced' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const call = async (task: string, ...args: unknown[]) => {
    child.send({ task, args })
    return (await once(child, 'message'))[0]
  }
  return { child, call }
}

test('a process runs one task after another, and reports their problems with the cause', async () => {
  const { call } = startProcess()
  expect(await call('double', 21)).toEqual({ value: 42 })
  expect(await call('refuse')).toMatchObject({
    problem: { code: 'file_damaged', detail: 'It was cut off.', cause: { message: 'bad seek' } },
  })
  expect(await call('double', 4)).toEqual({ value: 8 })
})

test('a process ends when its task waits for nothing', async () => {
  const { child } = startProcess()
  child.send({ task: 'waitForNothing', args: [] })
  expect(await once(child, 'exit')).toEqual([0, null])
})
