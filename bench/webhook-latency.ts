import { setTimeout as sleep } from 'node:timers/promises'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { type Bench, type Claim, type Measured, median, quantile, startServer } from './harness.ts'
import { serverSettings } from './meydan.ts'
import type { World } from './webhooks.ts'
import { CONTENT, delays, emitter, FAN_OUT, inWorld, SETTINGS, startWorker, steadily } from './webhooks.ts'

const BOUND_MS = 250
const CALLERS = 16

/**
 * How long after an event its deliveries begin to arrive, at half of what can be done at most. An event has the time of
 * the begin of its transaction, so what the commit takes is in it.
 */
export const claim: Claim = {
  name: 'webhook-latency',
  wanted: `p99 < ${BOUND_MS} ms`,
  holds: ({ ratio }) => ratio < 1,
  measure: (bench) => inWorld(async (world) => [await ofPosts(bench, world), await ofEvents(bench, world)]),
}

/** Posts created over HTTP at a Meydan that also delivers, which is how it comes. */
async function ofPosts(bench: Bench, world: World): Promise<Measured> {
  const { url, stop } = await startServer(
    new URL('../server/cli.ts', import.meta.url),
    { ...serverSettings(world.connection), ...SETTINGS, ROLE: 'all' },
    ['serve'],
  )
  const create = await creator(world, url)
  const rate = await fullRate(bench, world, create)
  bench.say(`${rate.toFixed(0)} posts a second are created and reach ${FAN_OUT} webhooks each`)
  const measured = await waits(bench, world, (seconds) => steadily(rate / 2, seconds, create))
  await stop()
  return { ...measured, part: 'of posts' }
}

/** Events of another process, at a worker that can give all of its time to deliveries. */
async function ofEvents(bench: Bench, world: World): Promise<Measured> {
  await startWorker(world.connection)
  const cause = await emitter(world)
  const rate = await fullRate(bench, world, cause)
  bench.say(`${rate.toFixed(0)} events a second are written and reach ${FAN_OUT} webhooks each`)
  const measured = await waits(bench, world, (seconds) => steadily(rate / 2, seconds, cause))
  return { ...measured, part: 'of events' }
}

/** How many a second can be caused and delivered, all of them. */
async function fullRate({ quick }: Bench, world: World, cause: (n: number) => Promise<unknown>) {
  const run = async (amount: number) => {
    await world.sink.count()
    const begun = performance.now()
    let caused = 0
    const call = async () => {
      while (caused < amount) await cause(caused++)
    }
    await Promise.all(Array.from({ length: CALLERS }, call))
    while ((await world.sink.report()).received < amount * FAN_OUT) await sleep(10)
    return (amount * 1000) / (performance.now() - begun)
  }
  await run(500)
  return run(quick ? 500 : 3000)
}

async function waits({ quick, say }: Bench, world: World, cause: (seconds: number) => Promise<unknown>) {
  const all: number[] = []
  for (let round = 1; round <= (quick ? 2 : 5); round++) {
    const { received, p50, p99 } = await delays(world, cause, quick ? 2 : 8)
    say(`round ${round}: ${received} deliveries, half of them after ${p50} ms, 99 of 100 after ${p99} ms`)
    all.push(p99)
  }
  return {
    value: median(all),
    floor: BOUND_MS,
    unit: 'ms',
    ratio: median(all) / BOUND_MS,
    spread: [quantile(all, 0.25) / BOUND_MS, quantile(all, 0.75) / BOUND_MS] satisfies [number, number],
  }
}

/** Creates a post in each of the workspaces in turn. */
async function creator({ deps, owners }: World, url: string) {
  const tokens: string[] = []
  for (const owner of owners)
    tokens.push((await createToken(deps, owner, { name: 'b', scopes: ['posts:write'] })).token)
  const body = JSON.stringify({ content: 'x'.repeat(CONTENT) })
  return async (n: number) => {
    const answer = await fetch(`${url}/api/v1/public/posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[n % tokens.length]}`, 'content-type': 'application/json' },
      body,
    })
    if (answer.status !== 201) throw new Error(`creating a post answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
}
