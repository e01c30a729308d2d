import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import { databaseUrl } from './database.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from './factories.ts'
import { kill, startMeydan } from './processes.ts'
import { webhookReceiver } from './receiver.ts'
import { timesOf } from './torture/settings.ts'

// More of it: npm run torture -- dispatchers
const KILLS = timesOf('CRASH_KILLS', 8)
const POSTS = timesOf('CRASH_POSTS', 400)
const WEBHOOKS = 20
/** A lease plus the time to notice its end. */
const RESUME_MS = 200_000
const LIMIT_MS = 300_000 + 20_000 * KILLS

let t: TestApp
let owner: WorkspaceOwner
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
let workers: ChildProcess[] = []

beforeEach(async () => {
  t = await testApp()
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
async function startWorker() {
  const worker = await startMeydan({
    ROLE: 'worker',
    HEALTH_PORT: '0',
    SECRET_KEY: String(t.deps.config.SECRET_KEY),
    DATABASE_URL: databaseUrl(t.database.connection),
    BASE_URL: 'http://meydan.test',
  })
  workers.push(worker)
  return worker
}

const webhooks = () =>
  Promise.all(
    Array.from({ length: WEBHOOKS }, async (_, n) => {
      const body = { url: `${receiver.url}/${n}`, events: ['post.created'] }
      return expectStatus(await owner.post('/api/v1/webhooks', body), 201).body.id as string
    }),
  )

/** Creates posts, each an event for every webhook. Returns the ids of those confirmed with 201. */
async function write(posts: number) {
  const ids: string[] = []
  const writing = Array.from({ length: 8 }, async () => {
    while (ids.length < posts) {
      const { body } = expectStatus(await owner.post('/api/v1/posts', { content: `Post ${ids.length}` }), 201)
      ids.push(body.id)
    }
  })
  await Promise.all(writing)
  return ids
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
const allSent = async (pairs: number, timeout: number) => {
  await expect.poll(() => arrivals().size, { timeout, interval: 500 }).toBe(pairs)
  await expect.poll(open, { timeout, interval: 100 }).toBe(0)
}

/** Resident memory of a process in MB, as reported by Linux. */
async function memoryOf({ pid }: ChildProcess) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

describe('a dispatcher that is killed repeatedly', () => {
  test(
    `${KILLS} kills during ${POSTS * WEBHOOKS} deliveries lose none, and repeat only deliveries in flight`,
    async () => {
      await webhooks()
      const writing = write(POSTS)
      const orphaned = new Set<string>()
      for (let round = 0; round < KILLS; round++) {
        const before = receiver.received.length
        const worker = await startWorker()
        // Within the next thousand, or after a second: claims of killed dispatchers may fill the queues.
        const some = Math.ceil(Math.random() * 1000)
        await Promise.race([
          receiver.until((received) => received.length >= before + some),
          new Promise((resolve) => setTimeout(resolve, 1000)),
        ])
        await kill(worker)
        for (const claim of await claims()) orphaned.add(claim)
      }
      const posts = await writing
      await startWorker()
      await allSent(posts.length * WEBHOOKS, RESUME_MS + 20 * POSTS)
      expect(duplicates()).toBeLessThanOrEqual(orphaned.size)
    },
    LIMIT_MS,
  )
})

test('two concurrent dispatchers send nothing twice, and their memory stays constant', async () => {
  await webhooks()
  const both = await Promise.all([startWorker(), startWorker()])
  const early = await write(100)
  await allSent(early.length * WEBHOOKS, 60_000)
  const before = await Promise.all(both.map(memoryOf))
  const late = await write(400)
  await allSent((early.length + late.length) * WEBHOOKS, 120_000)
  expect(duplicates()).toBe(0)
  const after = await Promise.all(both.map(memoryOf))
  for (const [index, megabytes] of after.entries()) expect(megabytes - (before[index] ?? 0)).toBeLessThan(100)
}, 500_000)
