import { setTimeout as sleep } from 'node:timers/promises'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { type Bench, type Claim, type Measured, median, quantile, startServer } from './harness.ts'
import { serverSettings } from './meydan.ts'
import type { World } from './webhooks.ts'
import { CONTENT, delays, drain, emitSteadily, FAN_OUT, inWorld, SETTINGS, startWorker, steadily } from './webhooks.ts'

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
  const full = async (posts: number) => {
    await world.sink.count()
    const begun = performance.now()
    let created = 0
    const call = async () => {
      while (created < posts) await create(created++)
    }
    await Promise.all(Array.from({ length: CALLERS }, call))
    while ((await world.sink.report()).received < posts * FAN_OUT) await sleep(10)
    return (posts * 1000) / (performance.now() - begun)
  }
  await full(500)
  const rate = await full(bench.quick ? 500 : 3000)
  bench.say(`${rate.toFixed(0)} posts a second are created and reach ${FAN_OUT} webhooks each`)
  const measured = await waits(bench, world, (seconds) => steadily(rate / 2, seconds, create))
  await stop()
  return { ...measured, part: 'of posts' }
}

/** Events of another process, at a worker that can give all of its time to deliveries. */
async function ofEvents(bench: Bench, world: World): Promise<Measured> {
  await startWorker(world.connection)
  await drain(world, 2)
  const rate = await drain(world, bench.quick ? 2 : 5)
  bench.say(`a worker makes ${rate.toFixed(0)} deliveries a second`)
  const measured = await waits(bench, world, (seconds) => emitSteadily(world, rate / 2, seconds))
  return { ...measured, part: 'of events' }
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
