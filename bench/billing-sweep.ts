import type { Deps } from '../server/lib/deps.ts'
import { runBillingTimers } from '../server/modules/billing/processes/run-timers.ts'
import { atMost, type Bench, type Claim, compareWithBaseline, type Measure } from './harness.ts'
import { createOwner, runLongStatement, withDeps } from './meydan.ts'
import { createDatabase, startPostgres } from './processes.ts'

const MANY = 1_000_000
const FEW = 10_000
const DUE = 500

/** Compares the time in which due renewals are found and carried out among many subscriptions with that among few. */
export const claim: Claim = {
  name: 'billing-sweep',
  target: atMost(1.3),
  measure: async (bench) => {
    const connection = await startPostgres()
    const few = await createDatabase(connection, 'few')
    return withDeps(connection, async (ofMany) =>
      withDeps(few, async (ofFew) => {
        await fill(ofMany, bench.quick ? MANY / 10 : MANY, bench)
        await fill(ofFew, FEW, bench)
        return compareWithBaseline(bench, {
          unit: `ms for ${DUE}`,
          rounds: 12,
          seconds: 1,
          value: sweep(ofMany),
          baseline: sweep(ofFew),
        })
      }),
    )
  },
}

/** Creates subscriptions by hand, each of its own workspace, whose renewals are due over the next month. */
async function fill(deps: Deps, count: number, { log }: Bench) {
  await createOwner(deps)
  await runLongStatement(
    deps.pool,
    `with made as (
      insert into workspace (name, slug) select 'Workspace ' || n, 'workspace-' || n from generate_series(1, $1::int) as n
      returning id
    ), numbered as (select id, row_number() over () as n from made)
    insert into subscription (workspace_id, plan_code, status, anchor, current_period_start, current_period_end,
      billing_currency, billing_period, amount, provider, timer_at, due_at)
    select id, 'pro', 'active', now() - age, now() - age, now() - age + interval '1 month', 'TRY', 'monthly', 49900,
      'manual', now(), now() - age + interval '1 month' - interval '7 days'
    from numbered, lateral (select make_interval(secs => n * 86400.0 * 20 / $1::int) as age) as aged`,
    [count],
  )
  await runLongStatement(deps.pool, 'vacuum analyze')
  log(`created ${count} subscriptions`)
}

/** Makes the next subscriptions due, and measures how many milliseconds pass until none is left. */
function sweep(deps: Deps): Measure {
  return async () => {
    // Those whose renewal is not issued yet have no checkout.
    await deps.pool.query(
      `update subscription set timer_at = now() - interval '1 day', due_at = now() - interval '1 hour',
        current_period_end = now() + interval '7 days' - interval '1 hour'
      where id in (select id from subscription where due_at > now() + interval '1 day' order by due_at desc limit $1)`,
      [DUE],
    )
    const start = performance.now()
    const ran = await runBillingTimers(deps)
    if (ran !== DUE) throw new Error(`${ran} renewals were carried out instead of ${DUE}`)
    return performance.now() - start
  }
}
