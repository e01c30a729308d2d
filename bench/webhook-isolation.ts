import { atLeast, atMost, type Claim, compareWithBaseline, type Measure } from './harness.ts'
import { deliveriesPerSecond, deliveryDelays, emitAtRate, startWorker, withWebhooks } from './webhook-harness.ts'

const MAX_DELAY_RATIO = 2
const HANGING = 5

/** Compares throughput and delay of healthy endpoints while other endpoints hang with those while none does. */
export const claim: Claim = {
  name: 'webhook-isolation',
  target: atLeast(0.9),
  measure: (bench) =>
    withWebhooks(async (setup) => {
      // Worse than in production: the circuit breaker, which would soon pause a hanging endpoint, never opens here. Its
      // deliveries keep every slot that it has, and fail in bulk.
      await startWorker(setup.connection, { WEBHOOK_TIMEOUT_MS: '2000', WEBHOOK_CIRCUIT: '1000000,1,1' })
      const compare = (unit: string, measure: Measure) =>
        compareWithBaseline(bench, {
          unit,
          rounds: 6,
          seconds: 5,
          value: async (seconds) => {
            await setup.receivers.hang(HANGING)
            const measured = await measure(seconds)
            await setup.receivers.hang(0)
            return measured
          },
          baseline: measure,
        })
      const throughput = await compare('deliveries/s', (seconds) =>
        deliveriesPerSecond(setup, seconds, { from: HANGING }),
      )
      const half = throughput.baseline / 2
      bench.log(`measuring the delay at ${half.toFixed(0)} deliveries a second`)
      const delay = await compare('ms', async (seconds) => {
        const { p99 } = await deliveryDelays(setup, (seconds) => emitAtRate(setup, half, seconds), seconds, HANGING)
        return p99
      })
      const target = atMost(MAX_DELAY_RATIO, `≤ ${MAX_DELAY_RATIO} times`)
      return [throughput, { ...delay, part: 'p99 at half load', target }]
    }),
}
