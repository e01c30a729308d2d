import { tmpdir } from 'node:os'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { watchDisk } from './disk-watch.ts'

test.each([
  [Number.POSITIVE_INFINITY, [expect.stringContaining('nearly full')]],
  [0, []],
])('a disk with less than %d bytes is reported as nearly full', async (lowBytes, expected) => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  const stop = await watchDisk(tmpdir(), log, { lowBytes })
  await stop()
  expect(lines).toEqual(expected)
})
