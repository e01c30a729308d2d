import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import { databaseUrl } from './database.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from './factories.ts'
import { kill, recoveryTimeout, startMeydan } from './processes.ts'
import { randomNumbers } from './random.ts'
import { webhookReceiver } from './receiver.ts'
import { scaled } from './run/machine.ts'
import { SEED, timesOf } from './torture/settings.ts'

// More of it: npm run torture -- dispatchers
const KILLS = timesOf('CRASH_KILLS', 2)
const POSTS = timesOf('CRASH_POSTS', 60)
const WEBHOOKS = 20
/** Time for some deliveries of each of this many posts. */
const timeFor = (posts: number) => scaled(20_000 + 50 * posts)
vi.setConfig({ testTimeout: scaled(60_000 + 20_000 * KILLS) + timeFor(2 * POSTS) + recoveryTimeout() })

let t: TestApp
let owner: WorkspaceOwner
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
let workers: ChildProcess[] = []

beforeEach(async () => {
  t = await testApp({}, { origin: new Date() })
  owner = await withWorkspace(t)
  receiver = await webhookReceiver()
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => kill(worker)))
  workers = []
  receiver.close()
  await t.close()
})

/** Starts a dispatcher in a separate process, on the database of the test's API. */
async function startWorker(settings: Record<string, string> = {}) {
  const worker = await startMeydan({
    ROLE: 'worker',
    HEALTH_PORT: '0',
    SECRET_KEY: String(t.deps.config.SECRET_KEY),
    DATABASE_URL: databaseUrl(t.database.connection),
    BASE_URL: 'http://meydan.test',
    ...settings,
  })
  workers.push(worker)
  return worker
}

const createWebhooks = () =>
  Promise.all(
    Array.from({ length: WEBHOOKS }, async (_, n) => {
      const body = { url: `${receiver.url}/${n}`, events: ['post.created'] }
      expectStatus(await owner.post('/api/v1/webhooks', body), 201)
    }),
  )

/** Creates posts, each an event for every webhook. */
async function write(posts: number) {
  let begun = 0
  const writing = Array.from({ length: 8 }, async () => {
    while (begun < posts) expectStatus(await owner.post('/api/v1/posts', { content: `Post ${begun++}` }), 201)
  })
  await Promise.all(writing)
}

/** Counts how often each post reached each webhook. */
function arrivals() {
  const counts = new Map<string, number>()
  for (const { raw, path } of receiver.received) {
    const pair = `${path} ${JSON.parse(raw.toString()).data.post.id}`
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}
const duplicates = () => [...arrivals().values()].reduce((sum, count) => sum + count - 1, 0)

/** Lists the claims of killed dispatchers, each once. */
async function claims() {
  const { rows } = await sql<{ claim: string }>`
    select webhook_id || ' ' || id || ' ' || claim_id as claim from delivery where claim_id is not null`.execute(
    t.deps.db,
  )
  return rows.map(({ claim }) => claim)
}
const open = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from delivery`.execute(t.deps.db)
  return rows[0]?.count ?? 0
}
/** Waits until nothing is left to send, and checks that each of these posts has reached each webhook. */
async function expectAllSent(posts: number, timeout: number) {
  await expect.poll(open, { timeout, interval: 100 }).toBe(0)
  expect(arrivals().size).toBe(posts * WEBHOOKS)
}

/** Resident memory of a process in MB, as reported by Linux. */
async function memoryOf({ pid }: ChildProcess) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

describe('a dispatcher that is killed repeatedly', () => {
  test(`${KILLS} kills during ${POSTS * WEBHOOKS} deliveries lose none, and repeat only deliveries in flight (seed ${SEED})`, async () => {
    const random = randomNumbers(SEED)
    await createWebhooks()
    const orphaned = new Set<string>()
    const perRound = Math.ceil(POSTS / KILLS)
    for (let round = 0; round < KILLS; round++) {
      const before = receiver.received.length
      const writing = write(perRound)
      const worker = await startWorker()
      // At least the deliveries of this round arrive, while others wait for the leases of killed processes.
      const some = Math.ceil(random() * perRound * WEBHOOKS)
      await receiver.until((received) => received.length >= before + some)
      await kill(worker)
      for (const claim of await claims()) orphaned.add(claim)
      await writing
    }
    await startWorker()
    await expectAllSent(perRound * KILLS, recoveryTimeout() + timeFor(POSTS))
    expect(duplicates()).toBeLessThanOrEqual(orphaned.size)
  })
})

test('two concurrent dispatchers send nothing twice, and their memory stays constant', async () => {
  await createWebhooks()
  // Nobody is killed here. With the real leases, no delivery of a slow machine is in flight for longer than its lease.
  const settings = { TIMINGS_DIVISOR: '1' }
  const both = await Promise.all([startWorker(settings), startWorker(settings)])
  const early = Math.ceil(POSTS / 2)
  await write(early)
  await expectAllSent(early, timeFor(early))
  const before = await Promise.all(both.map(memoryOf))
  await write(POSTS)
  await expectAllSent(early + POSTS, timeFor(POSTS))
  expect(duplicates()).toBe(0)
  const after = await Promise.all(both.map(memoryOf))
  for (const [index, megabytes] of after.entries()) expect(megabytes - (before[index] ?? 0)).toBeLessThan(100)
})
