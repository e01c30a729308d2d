/** Breaks the cluster once under load, and measures what that costs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../bench/harness.ts'
import type { Break } from './breaks.ts'
import { countLeft, countLosses, isWhole, type Losses } from './count.ts'
import { type Setup, startLoad } from './load.ts'
import { askPatroni, databaseNames, type Name, nodeNames, type Site, workerNames } from './site.ts'

const CALM_MS = 8000
/** How long the load goes on once the break has healed. */
const AFTER_MS = 15_000
const SETTLE_SECONDS = 240

export type Result = {
  break: Break
  losses: Losses
  /** Longest time without a 2xx to a write. */
  gapSeconds: number
  /** Time from a new primary to the next 2xx to a write. undefined: the primary stayed. */
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
  await sleep(CALM_MS)
  const watch = watchPrimary(site)
  const begun = performance.now()
  await broken.run(site)
  await sleep(AFTER_MS)
  await waitUntil(
    () => performance.now() - (load.record.written.at(-1) ?? 0) < 1000,
    () => 'writes are acknowledged again',
    { seconds: 120, every: 500 },
  ).catch((error: unknown) => load.record.errors.push(String(error)))
  await load.stop()
  const changes = watch.stop()

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
    recoverySeconds: slowestRecovery(changes, record.written),
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

/** Notes when a server becomes the primary. */
function watchPrimary(site: Site) {
  const changes: number[] = []
  const stopped = new AbortController()
  const loop = async () => {
    // undefined: the first primary is not known yet. null: there is none.
    let last: Name | null | undefined
    while (!stopped.signal.aborted) {
      const current = (await newPrimary(site)) ?? null
      if (last !== undefined && current !== null && current !== last) changes.push(performance.now())
      last = current
      await sleep(200)
    }
  }
  const running = loop()
  return {
    stop: () => {
      stopped.abort()
      void running
      return changes
    },
  }
}

/** The first server that says of itself that it is the primary. One that does not respond is not waited for. */
const newPrimary = (site: Site) =>
  Promise.any(
    databaseNames.map(async (name) => {
      const answer = await askPatroni(site.machine(name), '/primary')
      if (!answer?.ok) throw new Error(`${name} is not the primary`)
      return name
    }),
  ).catch(() => undefined)

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

function slowestRecovery(changes: number[], times: number[]) {
  if (changes.length === 0) return undefined
  const recoveries = changes.map((change) => {
    const next = times.find((time) => time > change)
    return next === undefined ? Number.POSITIVE_INFINITY : (next - change) / 1000
  })
  return Math.max(...recoveries)
}
