import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { cpuOf } from './cpu.ts'
import { atMost, type Claim, compareWithLimit } from './harness.ts'
import { startMeydan } from './meydan.ts'
import { temporaryFolder } from './processes.ts'

const MAX_SECONDS = 3
/** Time after a start in which the memory of a node without work is about what it stays. */
const IDLE_MS = 5000

const memoryOf = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Measures a restart: process, embedded database and migrations, until /readyz responds with 200. */
export const claim: Claim = {
  name: 'start',
  target: atMost(1, `value ≤ ${MAX_SECONDS} s`),
  measure: async ({ quick, log }) => {
    const DATA_DIR = await temporaryFolder()
    const start = async (idleMs = 0) => {
      const { seconds, pid, stop } = await startMeydan({ DATA_DIR })
      const cpu = (await cpuOf(pid)) / 1000
      await setTimeout(idleMs)
      const megabytes = await memoryOf(pid)
      await stop()
      return { seconds, cpu, megabytes }
    }
    const text = ({ seconds, cpu }: { seconds: number; cpu: number }) =>
      `${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU in Node`
    log(`the first start, which creates the database: ${text(await start())}`)
    log(`the memory of Node without work: ${Math.round((await start(IDLE_MS)).megabytes)} MB`)
    const rounds = quick ? 2 : 7
    const times: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const measured = await start()
      times.push(measured.seconds)
      log(`round ${round}/${rounds}: ${text(measured)}`)
    }
    return compareWithLimit(times, MAX_SECONDS, 's')
  },
}
