import { fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { decoderIds } from '../../../../../test/decoders.ts'
import { testImage } from '../../../../../test/media.ts'
import { limitTime } from './decoder-process.ts'
import { inspectFile } from './prepare.ts'

test('the time of a process that computes without end is over', async () => {
  const child = fork(new URL('../worker/serve-calls.fixture.ts', import.meta.url), { serialization: 'advanced' })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.send({ task: 'compute', args: [] })
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopWatching = limitTime(child, 100, resolve)
  onTestFinished(stopWatching)
  await promise
  expect(child.exitCode).toBeNull()
})

const requester = { workspace_id: 'workspace', lane: 'uploads' as const }

async function imageFile() {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-decoder-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'image.png')
  await writeFile(path, await testImage(20, 10))
  return path
}

test('a process that is ended because it had no work gets no file', async () => {
  const path = await imageFile()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await inspectFile(requester, path)
  // From here to the next file, the event loop does not turn: the end of the process is not known yet.
  vi.advanceTimersByTime(60_000)
  expect(await inspectFile(requester, path)).toMatchObject({ width: 20, height: 10 })
})

test('a file is read by a new process when the system has ended the one that waited', async () => {
  const path = await imageFile()
  await inspectFile(requester, path)
  // The event loop does not turn before the next file: the end of the process is not known yet.
  for (const id of decoderIds()) process.kill(id, 'SIGKILL')
  expect(await inspectFile(requester, path)).toMatchObject({ width: 20, height: 10 })
})
