import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { type CutSide, postgresProxy } from '../postgres-proxy.ts'
import { kill, processTimings, recoveryTimeout } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { webhookReceiver } from '../receiver.ts'
import { scaled } from '../run/machine.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { ONLY_KIND, SEED, timesOf } from './settings.ts'
import { startTortureWorker } from './start-worker.ts'

// More of it: npm run torture -- workers
const HITS = timesOf('TORTURE_HITS', 6)
const ACCOUNTS = 4
const POSTS_PER_HIT = 6
/** Longer than the leases that a hit can leave, one after the other, and than the waits after them. */
const patient = { timeout: 2 * recoveryTimeout() }
vi.setConfig({ testTimeout: scaled(60_000 + 10_000 * HITS) + 3 * recoveryTimeout() })

type Worker = { process: ChildProcess; proxy: Awaited<ReturnType<typeof postgresProxy>> }

let t: TestApp
let owner: WorkspaceOwner
let accounts: string[]
let bluesky: Awaited<ReturnType<typeof blueskyServer>>
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
let workers: Worker[] = []

beforeEach(async () => {
  t = await testApp({}, { origin: new Date() })
  owner = await withWorkspace(t)
  bluesky = await blueskyServer({ latencyMs: () => 30 })
  receiver = await webhookReceiver()
  expectStatus(await owner.post('/api/v1/webhooks', { url: receiver.url, events: ['post.published'] }), 201)
  accounts = []
  for (let n = 0; n < ACCOUNTS; n++) {
    const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
    accounts.push(expectStatus(await owner.post('/api/v1/accounts', fields), 201).body.id)
  }
  workers = await Promise.all([startWorker(), startWorker()])
})
afterEach(async () => {
  for (const worker of workers) {
    await kill(worker.process)
    worker.proxy.close()
  }
  bluesky.close()
  receiver.close()
  await t.close()
})

const startOn = ({ connection }: Worker['proxy']) => startTortureWorker(t, {}, connection)

async function startWorker(): Promise<Worker> {
  const proxy = await postgresProxy(inject('postgres'))
  return { proxy, process: await startOn(proxy) }
}

/** Ways to hit a worker. Each resolves when the worker, or the one in its place, can work again. */
const hits = {
  cut: async ({ proxy }: Worker, random: () => number) => {
    const side: CutSide = random() < 0.5 ? 'request' : 'response'
    await proxy.cutAfter(1 + Math.floor(random() * 60), side)
  },
  terminate: async (_: Worker, random: () => number) => {
    await sleep(random() * 300)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(t.deps.db)
  },
  kill: async (worker: Worker, random: () => number) => {
    await sleep(random() * 300)
    await kill(worker.process)
    worker.process = await startOn(worker.proxy)
  },
  /** Stops the worker until another has counted it as dead and taken its work. */
  pause: async (worker: Worker, random: () => number) => {
    await sleep(random() * 300)
    worker.process.kill('SIGSTOP')
    await expect.poll(living, patient).toBe(1)
    await sleep(random() * 1000)
    worker.process.kill('SIGCONT')
  },
}
type Kind = keyof typeof hits

/** Nodes that were not silent for longer than a living worker may be. */
async function living() {
  const silence = processTimings().nodeSilence / 1000
  const { rows } = await sql`
    select from worker_node where seen_at > now() - make_interval(secs => ${silence})`.execute(t.deps.db)
  return rows.length
}

const publish = async (content: string, account: string | undefined) => {
  const body = { content, account_ids: [account], publish_now: true }
  // A response is lost with the connection, although the post may be stored.
  const repeatable = owner.with({ 'idempotency-key': content })
  await expect.poll(async () => (await repeatable.post('/api/v1/posts', body)).status, patient).toBe(201)
}

/** Counts unfinished posts, jobs and mails, and the locks that are held. */
async function leftOvers() {
  const { rows } = await sql<{ posts: number; jobs: number; locks: number; mails: number }>`
    select (select count(*)::int from post where status in ('scheduled', 'publishing')) as posts,
      (select count(*)::int from graphile_worker._private_jobs where key like 'publish:%') as jobs,
      (select count(*)::int from graphile_worker._private_job_queues where locked_at is not null) as locks,
      (select count(*)::int from mail where state = 'queued') as mails`.execute(t.deps.db)
  return rows[0]
}

const isOpen = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from delivery`.execute(t.deps.db)).rows[0]?.count

const sample: Kind[] = ['cut', 'kill', 'pause', 'terminate', 'cut', 'cut']
const kinds = ONLY_KIND ? [ONLY_KIND as Kind] : sample

test(`${HITS} hits at any moment of a job lose no post, double none, and leave no lock behind (seed ${SEED})`, async () => {
  const random = randomNumbers(SEED)
  const posts: string[] = []
  for (let round = 0; round < HITS; round++) {
    const kind = kinds[round % kinds.length] ?? 'cut'
    const worker = workers[Math.floor(random() * workers.length)]
    if (!worker) throw new Error('no worker')
    const hit = hits[kind](worker, random)
    for (let n = 0; n < POSTS_PER_HIT; n++) {
      const content = `${round}.${n}`
      await publish(content, accounts[Math.floor(random() * ACCOUNTS)])
      posts.push(content)
    }
    await expect(hit, `${kind} in round ${round} of seed ${SEED}`).resolves.toBeUndefined()
  }
  const done = { posts: 0, jobs: 0, locks: 0, mails: 0 }
  await expect.poll(leftOvers, { ...patient, message: `seed ${SEED}` }).toEqual(done)
  const texts = [...bluesky.records.values()].map(({ value }) => value.text)
  expect(texts.toSorted()).toEqual(posts.toSorted())

  // Deliveries of killed dispatchers are sent when their leases have ended.
  await expect.poll(isOpen, patient).toBe(0)
  const arrived = new Set(receiver.received.map(({ raw }) => JSON.parse(raw.toString()).data.post.content))
  expect([...arrived].toSorted()).toEqual(posts.toSorted())
})
