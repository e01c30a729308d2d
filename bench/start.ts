import { atMost, type Claim, compareWithLimit } from './harness.ts'
import { startMeydan } from './meydan.ts'
import { temporaryFolder } from './processes.ts'

const MAX_SECONDS = 3

/** Measures a restart: process, embedded database and migrations, until /readyz responds with 200. */
export const claim: Claim = {
  name: 'start',
  target: atMost(1, `value ≤ ${MAX_SECONDS} s`),
  measure: async ({ quick, log }) => {
    const DATA_DIR = await temporaryFolder()
    const start = async () => {
      const { seconds, stop } = await startMeydan({ DATA_DIR })
      await stop()
      return seconds
    }
    log(`the first start, which creates the database, took ${(await start()).toFixed(2)} s`)
    const rounds = quick ? 2 : 5
    const times: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const seconds = await start()
      times.push(seconds)
      log(`round ${round}/${rounds}: ${seconds.toFixed(2)} s`)
    }
    return compareWithLimit(times, MAX_SECONDS, 's')
  },
}
