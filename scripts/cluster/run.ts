/** Breaks the cluster once under load, and measures what that costs. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { waitUntil } from '../../bench/harness.ts'
import type { Break } from './breaks.ts'
import { countLeft, countLosses, isWhole, type Losses } from './count.ts'
import { type Setup, startLoad } from './load.ts'
import { databaseNames, type Name, nodeNames, type Site, workerNames } from './site.ts'

const CALM_MS = 8000
/** How long the load goes on once the break has healed. */
const AFTER_MS = 15_000
const WATCH_MS = 200
const SETTLE_SECONDS = 240

export type Result = {
  break: Break
  losses: Losses
  /** Longest time without a 2xx to a write. */
  gapSeconds: number
  /** Time from when a server began to take writes to the next 2xx to one. undefined: the primary stayed. */
  recoverySeconds: number | undefined
  statuses: Map<number, number>
  givenUp: number
  /** Times that Meydan had to be started again besides by the break itself. */
  restarts: number
  /** From the end of the load until everything was published and delivered. */
  settleSeconds: number
  errors: string[]
}

export async function breakOnce(site: Site, setup: Setup, broken: Break, number: number): Promise<Result> {
  await waitUntilWhole(site)
  const crashes = site.crashes.length
  const load = startLoad(site, setup, `break ${number}`)
  const watch = watchPrimary(site)
  let begun = 0
  try {
    await sleep(CALM_MS)
    begun = performance.now()
    await broken.run(site)
    await sleep(AFTER_MS)
    await waitUntil(
      () => performance.now() - (load.record.written.at(-1) ?? 0) < 1000,
      () => 'writes are acknowledged again',
      { seconds: 120, every: 500 },
    ).catch((error: unknown) => load.record.errors.push(String(error)))
  } finally {
    await load.stop()
    watch.stop()
  }

  const stopped = performance.now()
  let restarts = 0
  const settle = () =>
    waitUntil(
      async () => {
        const { unpublished, undelivered } = await countLeft(site, load.record, setup).catch(() => unknown)
        return unpublished + undelivered === 0
      },
      () => 'everything is published and delivered',
      { seconds: SETTLE_SECONDS, every: 1000 },
    ).then(
      () => true,
      () => false,
    )
  if (!(await settle())) {
    for (const name of workerNames) {
      restarts++
      await site.killAndStart(name)
    }
    await settle()
  }
  const settleSeconds = (performance.now() - stopped) / 1000
  await waitUntilWhole(site)
  const { record } = load
  const ended = site.crashes.slice(crashes)
  return {
    break: broken,
    losses: await countLosses(site, record, setup),
    gapSeconds: longestGap(begun, record.written),
    recoverySeconds: slowestRecovery(
      watch.times.filter((time) => time > begun),
      record.written,
    ),
    statuses: record.statuses,
    givenUp: record.givenUp,
    restarts: restarts + ended.filter(({ name }) => nodeNames.includes(name)).length,
    settleSeconds,
    errors: [...record.errors, ...ended.map(({ name, code }) => `${name} exited with ${code}`)],
  }
}

const unknown = { unpublished: 1, undelivered: 0 }

/** Waits for a primary with two replicas, and for all nodes of Meydan. */
export async function waitUntilWhole(site: Site) {
  await waitUntil(
    () => isWhole(site),
    () => 'the primary has two replicas',
    { seconds: 240, every: 500 },
  )
  for (const name of nodeNames)
    await waitUntil(
      () => site.isReady(name),
      () => `${name} is ready`,
      { seconds: 120, every: 500 },
    )
}

const watchPrimary = (site: Site) => {
  const times: number[] = []
  const stopped = new AbortController()
  for (const name of databaseNames) void watchServer(site, name, stopped.signal, () => times.push(performance.now()))
  return { times, stop: () => stopped.abort() }
}

/** Calls `found` whenever a server takes writes that did not take them before, or did not respond. */
async function watchServer(site: Site, name: Name, stopped: AbortSignal, found: () => void) {
  // The one that is the primary at the beginning is not new.
  let tookWrites: boolean | undefined
  while (!stopped.aborted) {
    const client = new pg.Client({ ...site.connection(name), connectionTimeoutMillis: 1000, query_timeout: 1000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      while (!stopped.aborted) {
        const { rows } = await client.query<{ takes_writes: boolean }>('select not pg_is_in_recovery() as takes_writes')
        const takesWrites = rows[0]?.takes_writes === true
        if (takesWrites && tookWrites === false) found()
        tookWrites = takesWrites
        await sleep(WATCH_MS)
      }
    } catch {
      tookWrites = false
      await sleep(WATCH_MS)
    } finally {
      client.end().catch(() => undefined)
    }
  }
}

/** `times`: in their order. */
function longestGap(begun: number, times: number[]) {
  let longest = 0
  let last = begun
  for (const time of times.filter((candidate) => candidate > begun)) {
    longest = Math.max(longest, time - last)
    last = time
  }
  return longest / 1000
}

function slowestRecovery(primaries: number[], times: number[]) {
  if (primaries.length === 0) return undefined
  const recoveries = primaries.map((begun) => {
    const next = times.find((time) => time > begun)
    return next === undefined ? Number.POSITIVE_INFINITY : (next - begun) / 1000
  })
  return Math.max(...recoveries)
}
