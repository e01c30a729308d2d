import { type Claim, median, quantile, startServer, temporaryFolder } from './harness.ts'

const BOUND_S = 3

/** How long it takes to come back: process, embedded database, migrations, until it answers. */
export const claim: Claim = {
  name: 'start',
  wanted: `value ≤ ${BOUND_S} s`,
  holds: ({ value }) => value <= BOUND_S,
  measure: async ({ quick, say }) => {
    const DATA_DIR = await temporaryFolder()
    const start = async () => {
      const { seconds, stop } = await startServer(new URL('../server/cli.ts', import.meta.url), { DATA_DIR }, ['serve'])
      await stop()
      return seconds
    }
    say(`the first start, which makes the database, took ${(await start()).toFixed(2)} s`)
    const rounds = quick ? 2 : 5
    const times: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const seconds = await start()
      times.push(seconds)
      say(`round ${round}/${rounds}: ${seconds.toFixed(2)} s`)
    }
    return {
      value: median(times),
      floor: BOUND_S,
      unit: 's',
      ratio: median(times) / BOUND_S,
      spread: [quantile(times, 0.25) / BOUND_S, quantile(times, 0.75) / BOUND_S],
    }
  },
}
