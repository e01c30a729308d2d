import { pino } from 'pino'
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createReadiness } from '../../db/readiness.ts'
import { createOutageLog } from './outage-log.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const full = Object.assign(new Error('could not extend file'), { code: '53100' })

test('an outage by a full disk lasts, also without requests, until a file can be written', async () => {
  const lines: { msg: string; failures?: number }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  let isWorking = false
  const outageLog = createOutageLog(log, async () => isWorking)
  onTestFinished(outageLog.close)
  expect(outageLog.note(new Error('a bug'))).toBe(false)
  for (let request = 0; request < 3; request++) expect(outageLog.note(full)).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(outageLog.isDiskFull()).toBe(true)
  isWorking = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(outageLog.isDiskFull()).toBe(false)
  expect(lines).toMatchObject([{ msg: 'the disk of the database is full' }, { failures: 3 }])
})

test('a database that can write a file says so, and one that is away does not', async () => {
  vi.useRealTimers()
  const log = pino({ level: 'silent' })
  const readiness = createReadiness(inject('postgres'), log)
  onTestFinished(readiness.close)
  expect(await readiness.canWrite()).toBe(true)
  const away = createReadiness({ host: '127.0.0.1', port: 1 }, log)
  onTestFinished(away.close)
  expect(await away.canWrite().catch(() => false)).toBe(false)
})
