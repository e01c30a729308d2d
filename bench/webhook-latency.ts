import { createToken } from '../server/modules/tokens/tokens.ts'
import {
  atMost,
  type Bench,
  type Claim,
  callAtRate,
  callInLoops,
  compareWithLimit,
  type Measurement,
  waitUntil,
} from './harness.ts'
import { postJson } from './http.ts'
import { serverSettings, startMeydan } from './meydan.ts'
import {
  CONTENT_LENGTH,
  createEmitter,
  DELIVERIES_PER_EVENT,
  deliveryDelays,
  SETTINGS,
  startWorker,
  type WebhookSetup,
  withWebhooks,
} from './webhook-harness.ts'

const MAX_DELAY_MS = 250
const CALLERS = 16

/** Causes the event with this index. */
type Cause = (index: number) => Promise<unknown>

/**
 * Measures the time from an event to the arrival of its deliveries, at half of the highest rate. An event carries the
 * time at which its transaction began, so the delay includes the commit.
 */
export const claim: Claim = {
  name: 'webhook-latency',
  target: atMost(1, `p99 ≤ ${MAX_DELAY_MS} ms`),
  measure: (bench) => withWebhooks(async (setup) => [await ofPosts(bench, setup), await ofEvents(bench, setup)]),
}

/** Measures posts created over HTTP at a node that also delivers, as on a small installation. */
async function ofPosts(bench: Bench, setup: WebhookSetup): Promise<Measurement> {
  const { url, stop } = await startMeydan({ ...serverSettings(setup.connection), ...SETTINGS, ROLE: 'all' })
  const measurement = await delaysAtHalfRate(bench, setup, await postCreator(setup, url))
  await stop()
  return { ...measurement, part: 'of posts' }
}

/** Measures events of another process, at a worker that does nothing but deliver. */
async function ofEvents(bench: Bench, setup: WebhookSetup): Promise<Measurement> {
  await startWorker(setup.connection)
  return { ...(await delaysAtHalfRate(bench, setup, await createEmitter(setup))), part: 'of events' }
}

async function delaysAtHalfRate(bench: Bench, setup: WebhookSetup, cause: Cause) {
  const { quick, log } = bench
  const rate = await highestRate(bench, setup, cause)
  log(`${rate.toFixed(0)} events a second are created and delivered to ${DELIVERIES_PER_EVENT} webhooks each`)
  const p99s: number[] = []
  for (let round = 1; round <= (quick ? 2 : 5); round++) {
    const causeAtHalfRate = (seconds: number) => callAtRate(rate / 2, seconds, cause)
    const { received, p50, p99 } = await deliveryDelays(setup, causeAtHalfRate, quick ? 2 : 8)
    log(`round ${round}: ${received} deliveries, p50 ${p50} ms, p99 ${p99} ms`)
    p99s.push(p99)
  }
  return compareWithLimit(p99s, MAX_DELAY_MS, 'ms')
}

/** Events a second that can be caused and delivered. */
async function highestRate({ quick }: Bench, { receivers }: WebhookSetup, cause: Cause) {
  const run = async (events: number) => {
    await receivers.count()
    const start = performance.now()
    await callInLoops(CALLERS, (begun) => begun >= events, cause)
    const deliveries = events * DELIVERIES_PER_EVENT
    await waitUntil(
      async () => (await receivers.report()).received >= deliveries,
      () => `${deliveries} deliveries arrive`,
      { seconds: 300 },
    )
    return (events * 1000) / (performance.now() - start)
  }
  await run(500)
  return run(quick ? 500 : 3000)
}

/** Returns a function that creates a post, in each of the workspaces in turn. */
async function postCreator({ deps, owners }: WebhookSetup, url: string): Promise<Cause> {
  const tokens: string[] = []
  for (const owner of owners)
    tokens.push((await createToken(deps, owner, { name: 'bench', scopes: ['posts:write'] })).token)
  const post = { content: 'x'.repeat(CONTENT_LENGTH) }
  return async (index) => {
    const authorization = `Bearer ${tokens[index % tokens.length]}`
    const response = await postJson(`${url}/api/v1/public/posts`, post, { authorization })
    await response.arrayBuffer()
  }
}
