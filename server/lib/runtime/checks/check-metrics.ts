import { Gauge, Registry } from 'prom-client'
import { MINUTE } from '../../../../shared/time.ts'
import { type Check, type CheckContext, levels } from './check.ts'
import { runChecks } from './run-checks.ts'

/** Milliseconds for which results are reused: checks call mail servers and buckets. */
const MAX_AGE_MS = 5 * MINUTE

/** The results of checks as a metric. The returned function runs them when the former results are too old. */
export function createCheckMetrics(context: CheckContext, checks: readonly Check[]) {
  const registry = new Registry()
  const gauge = new Gauge({
    name: 'meydan_check',
    help: '1 for the level that a check of the system status found, else 0.',
    labelNames: ['name', 'level'],
    registers: [registry],
  })
  const run = async () => {
    for (const { name, level: found } of await runChecks(context, checks))
      for (const level of levels) gauge.set({ name, level }, found === level ? 1 : 0)
  }
  let ranAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  return async () => {
    if (performance.now() - ranAt > MAX_AGE_MS)
      running ??= run().finally(() => {
        ranAt = performance.now()
        running = undefined
      })
    await running
    return registry
  }
}
