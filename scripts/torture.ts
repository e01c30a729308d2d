import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** Randomized tests of the suite, with the settings of a run of this length. */
const sweeps: Record<
  string,
  { files: string | string[]; settings: (times: number) => Record<string, number | string> }
> = {
  workers: { files: 'test/torture/torture.test', settings: (times) => ({ TORTURE_HITS: 8 * times }) },
  connections: {
    files: 'test/torture/torture.test',
    settings: (times) => ({ TORTURE_HITS: 8 * times, TORTURE_KIND: 'cut' }),
  },
  pauses: {
    files: 'test/torture/torture.test',
    settings: (times) => ({ TORTURE_HITS: 8 * times, TORTURE_KIND: 'pause' }),
  },
  kills: {
    files: 'test/torture/torture.test',
    settings: (times) => ({ TORTURE_HITS: 8 * times, TORTURE_KIND: 'kill' }),
  },
  'publish-kill': { files: 'test/torture/publish-kill', settings: (times) => ({ PUBLISH_KILLS: 2 * times }) },
  'agent-kill': { files: 'test/torture/agent-kill', settings: (times) => ({ AGENT_KILLS: 2 * times }) },
  'agent-boundaries': { files: 'test/torture/agent-kill', settings: (times) => ({ AGENT_BOUNDARY_KILLS: 10 * times }) },
  'agent-limits': { files: 'runs/limits-model', settings: (times) => ({ AGENT_LIMIT_RUNS: 30 * times }) },
  'renewal-kill': { files: 'test/torture/renewal-kill', settings: (times) => ({ RENEWAL_KILLS: 5 * times }) },
  'occurrence-kill': { files: 'test/torture/occurrence-kill', settings: (times) => ({ OCCURRENCE_KILLS: 5 * times }) },
  dispatchers: { files: 'webhooks-crash', settings: (times) => ({ CRASH_KILLS: 8 * times, CRASH_POSTS: 400 * times }) },
  'billing-kill': { files: 'billing-kill', settings: (times) => ({ BILLING_KILLS: 20 * times }) },
  'order-kill': { files: 'torture/order-kill', settings: (times) => ({ ORDER_KILLS: 20 * times }) },
  'subscription-kill': {
    files: 'torture/subscription-kill',
    settings: (times) => ({ SUBSCRIPTION_KILLS: 20 * times }),
  },
  'billing-model': { files: 'manual-model', settings: (times) => ({ BILLING_MODEL_RUNS: 50 * times }) },
  'billing-order': { files: 'any-order', settings: (times) => ({ BILLING_ORDER_RUNS: 2 * times }) },
  orders: { files: 'order-model', settings: (times) => ({ ORDER_RUNS: 20 * times }) },
  payouts: { files: 'payouts-model', settings: (times) => ({ PAYOUT_RUNS: 10 * times }) },
  'lost-responses': { files: 'publishing-lost-responses', settings: (times) => ({ LOST_RESPONSE_RUNS: 10 * times }) },
  approvals: { files: 'approval/approval-model', settings: (times) => ({ APPROVAL_RUNS: 1000 * times }) },
  recurrence: { files: 'recurrence/occurrences', settings: (times) => ({ RECURRENCE_RUNS: 100 * times }) },
  cron: { files: 'record/schedule-library', settings: (times) => ({ CRON_RUNS: 1000 * times }) },
  phrases: { files: 'drafts/phrases', settings: (times) => ({ PHRASE_RUNS: 500 * times }) },
  'media-fitting': { files: 'files/client/fitting', settings: (times) => ({ FITTING_RUNS: 10 * times }) },
  'media-videos': { files: 'media/changed-videos', settings: (times) => ({ VIDEO_RUNS: 100 * times }) },
  'network-faults': {
    files: ['server/modules/networks/', 'server/modules/posts/publishing/'],
    settings: () => ({ CASES: 'every' }),
  },
  interrupts: { files: 'run/interrupted', settings: () => ({ CASES: 'every' }) },
  upgrades: { files: 'test/upgrades', settings: () => ({ UPGRADES: 'every' }) },
  sweeps: { files: 'test/sweeps', settings: () => ({ ROUTES: 'every' }) },
  routes: { files: 'test/routes.test', settings: () => ({ ROUTES: 'every' }) },
  statuses: { files: 'test/openapi.test', settings: () => ({ ROUTES: 'every' }) },
  fuzz: { files: 'test/fuzz', settings: (times) => ({ FUZZ_REQUESTS: 10_000 * times }) },
  postgres: {
    files: 'test/crash.test',
    settings: (times) => ({ CRASH_POSTGRES_KILLS: times, CRASH_WRITTEN_POSTS: 100 }),
  },
  'real-timings': {
    files: 'test/crash.test',
    settings: () => ({ TIMINGS_DIVISOR: 1, CRASH_WRITTEN_POSTS: 100 }),
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '10' }, seed: { type: 'string' } },
})
const unknown = positionals.filter((name) => !(name in sweeps))
if (unknown.length > 0) {
  process.stderr.write(`Unknown sweep: ${unknown.join(', ')}. Known sweeps: ${Object.keys(sweeps).join(', ')}.\n`)
  process.exit(2)
}

let failed = false
for (const [name, { files, settings }] of Object.entries(sweeps)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const given = Object.entries(settings(Number(values.times))).map(([key, value]) => [key, String(value)])
  process.stdout.write(`${name}: ${given.map(([key, value]) => `${key}=${value}`).join(' ')}\n`)
  const { status } = spawnSync(
    process.execPath,
    [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--maxWorkers=1', ...[files].flat()],
    {
      stdio: 'inherit',
      env: { ...process.env, ...Object.fromEntries(given), ...(values.seed && { TORTURE_SEED: values.seed }) },
    },
  )
  failed ||= status !== 0
}
process.exit(failed ? 1 : 0)
