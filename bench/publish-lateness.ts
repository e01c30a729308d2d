import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { connectAccount } from '../server/modules/accounts/connect.ts'
import { createPost } from '../server/modules/posts/authoring/create-and-change.ts'
import { blueskyServer } from '../test/stand-ins/bluesky.ts'
import {
  atMost,
  type Bench,
  type Claim,
  compareWithLimit,
  createMany,
  type Measurement,
  quantile,
  waitUntil,
} from './harness.ts'
import { createOwner, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { startPostgres } from './processes.ts'

const POSTS = 200
const MAX_LATENESS_MS = 5000
const SETTINGS = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
/** Time to create the posts of a round before they are due. */
const AHEAD_MS = 8000

type Setup = { deps: Deps; owner: Member; bluesky: Awaited<ReturnType<typeof blueskyServer>> }

/**
 * Schedules posts for the same second on one server that takes 100 to 200 ms for each call, and measures how late they
 * arrive there.
 */
export const claim: Claim = {
  name: 'publish-lateness',
  target: atMost(1, `p99 ≤ ${MAX_LATENESS_MS / 1000} s`),
  measure: async (bench) => {
    const bluesky = await blueskyServer({ latencyMs: () => 100 + Math.random() * 100 })
    const connection = await startPostgres()
    try {
      return await withDeps(
        connection,
        async (deps) => {
          const owner = await createOwner(deps)
          await startMeydan({ ...serverSettings(connection), ...SETTINGS, ROLE: 'all' })
          const setup = { deps, owner, bluesky }
          return [await lateness(bench, setup, POSTS), await lateness(bench, setup, POSTS / 10)]
        },
        SETTINGS,
      )
    } finally {
      bluesky.close()
    }
  },
}

async function lateness({ quick, log }: Bench, setup: Setup, accounts: number): Promise<Measurement> {
  const { deps, owner, bluesky } = setup
  const ids = await createMany(accounts, async () => {
    const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
    return (await connectAccount(deps, owner, fields)).id
  })
  const p99s: number[] = []
  for (let round = 0; round <= (quick ? 1 : 3); round++) {
    const delays = await publishTogether(setup, ids)
    const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)]
    log(`${accounts} accounts, round ${round}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`)
    // The first round loads the library of the network.
    if (round > 0) p99s.push(p99)
  }
  return { ...compareWithLimit(p99s, MAX_LATENESS_MS, 'ms'), part: `over ${accounts} accounts` }
}

/** Returns the delay of each post in milliseconds. */
async function publishTogether({ deps, owner, bluesky }: Setup, accounts: string[]) {
  const due = Math.ceil((Date.now() + AHEAD_MS) / 1000) * 1000
  const before = bluesky.calls.length
  await createMany(POSTS, (index) =>
    createPost(deps, owner, {
      content: `Post ${index}`,
      account_ids: [accounts[index % accounts.length] ?? ''],
      scheduled_at: new Date(due).toISOString(),
    }),
  )
  await sleep(due - Date.now())
  const arrived = () => bluesky.calls.slice(before).filter(({ name }) => name.endsWith('putRecord'))
  await waitUntil(
    () => arrived().length >= POSTS,
    () => `${POSTS} posts arrive`,
    { seconds: 120 },
  )
  await waitUntil(
    async () =>
      (await sql`select from post where status in ('scheduled', 'publishing')`.execute(deps.db)).rows.length === 0,
    () => 'all posts are settled',
  )
  return arrived().map(({ at }) => at - due)
}
