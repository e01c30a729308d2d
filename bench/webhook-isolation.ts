import { type Bench, type Claim, type Measured, sideBySide } from './harness.ts'
import { delays, drain, emitSteadily, inWorld, startWorker, type World } from './webhooks.ts'

const WANTED = 0.9
const TIMES = 2
const HANGING = 5

/** What endpoints that never answer cost the others: how much those get, and how soon after it was due. */
export const claim: Claim = {
  name: 'webhook-isolation',
  wanted: `ratio ≥ ${WANTED.toFixed(2)}`,
  holds: ({ ratio, part }) => (part ? ratio <= TIMES : ratio >= WANTED),
  measure: (bench) =>
    inWorld(async (world) => {
      // Worse than it is: whoever hangs would soon be left to rest, but here its lane is always full, and fails in bulk.
      await startWorker(world.connection, { WEBHOOK_TIMEOUT_MS: '2000', WEBHOOK_CIRCUIT: '1000000,1,1' })
      const throughput = await compare(bench, world, (seconds) => drain(world, seconds, { from: HANGING }))
      const half = throughput.floor / 2
      bench.say(`now ${half.toFixed(0)} deliveries a second, and how long they take`)
      const delay = await compare(bench, world, async (seconds) => {
        const { p99 } = await delays(world, (seconds) => emitSteadily(world, half, seconds), seconds, HANGING)
        return p99
      })
      return [
        { ...throughput, unit: 'deliveries/s' },
        { ...delay, unit: 'ms', part: 'p99 at half load', wanted: `≤ ${TIMES} times` },
      ]
    }),
}

/** The same measured while some hang and while all answer. */
const compare = (
  { quick, say }: Bench,
  { sink }: World,
  measure: (seconds: number) => Promise<number>,
): Promise<Omit<Measured, 'unit'>> =>
  sideBySide({
    rounds: quick ? 2 : 6,
    seconds: quick ? 2 : 5,
    value: async (seconds) => {
      await sink.hang(HANGING)
      const measured = await measure(seconds)
      await sink.hang(0)
      return measured
    },
    floor: measure,
    say,
  })
