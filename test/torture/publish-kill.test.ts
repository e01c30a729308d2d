import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { uploaded } from '../media.ts'
import { networkAccounts, type Server } from '../network-stand-ins.ts'
import { kill } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import { SEED, timesOf } from './settings.ts'
import { startTortureWorker } from './start-worker.ts'

// More of it: npm run torture -- publish-kill
const KILLS = timesOf('PUBLISH_KILLS', 2)
/** Time of a call, so that a kill hits any of the steps. */
const LATENCY_MS = 30
/** Longest time from the posts of a round to the kill. */
const MAX_DELAY_MS = 700

const HOUR = 3_600_000
/** Together they reach every retry, and the end of the search for a lost post. */
const WAITS = [60_000, HOUR, HOUR, 3 * HOUR, 25 * HOUR, 25 * HOUR]

/** An account on a stand-in. `hasThread`: whether a post has a second part. */
type Account = { network: string; id: string; server: Server; hasThread: boolean; canLookUp: boolean }

/** `now`: the time by the clock of whoever sends. */
async function connectAll(t: TestApp, owner: WorkspaceOwner, now: () => number) {
  const accounts: Account[] = []
  for (const [network, { connect, hasThread = false, canLookUp = true }] of Object.entries(networkAccounts(t, now))) {
    // Both kinds of accounts have one stand-in, and one address.
    if (network === 'linkedin_page') continue
    const { server, account } = await connect(owner)
    accounts.push({ network, id: account, server, hasThread, canLookUp })
  }
  return accounts
}

type Sent = { account: Account; id: string; text: (part: number) => string }

/** Publishes a post with an image, and a thread where the network has them. */
async function publish(owner: WorkspaceOwner, account: Account, media_id: string, name: string): Promise<Sent> {
  // Two networks can have one stand-in.
  const text = (part: number) => `${name}at${account.network}part${part}`
  const thread = account.hasThread ? { thread: [{ content: text(1) }] } : {}
  const post = { content: text(0), media_ids: [media_id], account_ids: [account.id], publish_now: true, ...thread }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  return { account, id: String(body.id), text }
}

/** Frees the jobs of the killed worker, as the heartbeat of another does after a while, and runs them to their end. */
async function finish(t: TestApp) {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null`.execute(t.deps.db)
  await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`.execute(t.deps.db)
  await t.runJobs()
  for (const wait of WAITS) {
    t.advance(wait)
    await t.runJobs()
  }
}

test(
  `${KILLS} kills at any moment of publishing leave each post once, or one that a person decides about (seed ${SEED})`,
  async () => {
    const random = randomNumbers(SEED)
    let now = Date.now
    const t = await testApp({}, { origin: new Date() })
    const owner = await withWorkspace(t)
    const accounts = await connectAll(t, owner, () => now())
    let worker: ChildProcess | undefined
    onTestFinished(async () => {
      await kill(worker)
      for (const { server } of accounts) server.close()
      await t.close()
    })
    const setLatency = (ms: number) => {
      for (const { server } of accounts) server.slow(ms)
    }
    setLatency(LATENCY_MS)
    const NETWORK_ORIGINS = Object.entries(t.deps.config.NETWORK_ORIGINS)
      .map((origin) => origin.join('='))
      .join(',')
    const { id: media_id } = await uploaded(owner)
    const sent: Sent[] = []
    for (let round = 0; round < KILLS; round++) {
      worker = await startTortureWorker(t, { DATA_DIR: t.deps.config.DATA_DIR, NETWORK_ORIGINS })
      for (const account of accounts) sent.push(await publish(owner, account, media_id, `round${round}`))
      await sleep(random() * MAX_DELAY_MS)
      await kill(worker)
    }
    setLatency(0)
    now = () => t.clock.now().getTime()
    await finish(t)

    const wrong: unknown[] = []
    for (const { account, id, text } of sent) {
      const { network, server, hasThread, canLookUp } = account
      const [target] = expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body.targets
      const timesSeen = (part: number) =>
        server.stored().filter((post) => !post.deleted && post.text.includes(text(part))).length
      const seen = (hasThread ? [0, 1] : [0]).map(timesSeen)
      const isWhole = target.status === 'published' && seen.every((times) => times === 1)
      const isAsked = !canLookUp && target.needs_resolution && seen.every((times) => times <= 1)
      if (!isWhole && !isAsked) wrong.push([network, text(0), seen, target.status, target.error_code])
    }
    expect(wrong, `seed ${SEED}`).toEqual([])
  },
  scaled(60_000 + 30_000 * KILLS),
)
