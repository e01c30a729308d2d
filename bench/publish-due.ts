import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { connectAccount } from '../server/modules/accounts/connect.ts'
import { createPost } from '../server/modules/posts/authoring/create-and-change.ts'
import { HOUR } from '../shared/time.ts'
import {
  aim,
  atMost,
  type Bench,
  type Claim,
  compareWithLimit,
  createMany,
  digits,
  type Measurement,
  quantile,
  waitUntil,
} from './harness.ts'
import { createOwner, runLongStatement, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { createUser, credentialsOf, delaysOf } from './neighbour.ts'
import { startPostgres } from './processes.ts'

const POSTS = 10_000
const ACCOUNTS = 500
const MAX_LATENESS_MS = 45_000
const AIMED_SECONDS = 20
/** Times by which the p99 of other users' requests may grow. */
const MAX_RATIO = 3

/** Publishes posts that are due in the same minute, and measures how late they are and what other users notice. */
export const claim: Claim = {
  name: 'publish-due',
  target: atMost(1, `p99 ≤ ${MAX_LATENESS_MS / 1000} s`),
  measure: async (bench) => {
    const posts = bench.quick ? POSTS / 5 : POSTS
    const connection = await startPostgres()
    return withDeps(connection, async (deps) => {
      const owner = await createOwner(deps)
      const neighbour = await credentialsOf(deps, await createUser(deps, owner, 'neighbour'), 20)
      bench.log(`creating ${posts} posts`)
      await schedule(deps, owner, posts)
      const { url } = await startMeydan({ ...serverSettings(connection), ROLE: 'all' })
      return publishAtOnce(bench, deps.pool, { posts, delays: delaysOf(url, neighbour) })
    })
  },
}

/** Schedules posts for a time that is far enough away to create them all. */
async function schedule(deps: Deps, owner: Member, posts: number) {
  const accounts = await createMany(ACCOUNTS, () => connectAccount(deps, owner, { network: 'playground' }))
  const scheduled_at = new Date(Date.now() + HOUR).toISOString()
  await createMany(posts, (index) => {
    const account_ids = [accounts[index % ACCOUNTS]?.id ?? '']
    return createPost(deps, owner, { content: `Post ${index}`, account_ids, scheduled_at })
  })
  await deps.pool.query('vacuum analyze')
}

type Load = { posts: number; delays: ReturnType<typeof delaysOf> }

async function publishAtOnce({ quick, log }: Bench, pool: pg.Pool, { posts, delays }: Load): Promise<Measurement[]> {
  await delays(3)
  const alone = await delays(quick ? 4 : 10)
  const due = new Date(Date.now() + 1000)
  await runLongStatement(pool, 'update post set scheduled_at = $1', [due])
  await runLongStatement(pool, `update graphile_worker._private_jobs set run_at = $1 where key like 'publish:%'`, [due])
  await sleep(due.getTime() - Date.now())
  const beside: number[] = []
  let isDone = false
  const watch = async () => {
    while (!isDone) beside.push((await delays(2)).all)
  }
  const published = waitUntil(
    async () =>
      (await pool.query(`select from post where status in ('scheduled', 'publishing') limit 1`)).rowCount === 0,
    () => `${posts} posts are published`,
    { seconds: 600, every: 250 },
  ).finally(() => {
    isDone = true
  })
  await Promise.all([published, watch()])

  const { rows } = await pool.query<{ late: number }>(
    'select (extract(epoch from published_at - $1::timestamptz) * 1000)::float8 as late from post_target',
    [due],
  )
  const late = rows.map((row) => row.late)
  const [p50, p99, most] = [quantile(late, 0.5), quantile(late, 0.99), Math.max(...late)]
  const rate = (posts * 1000) / most
  const others = quantile(beside, 0.5)
  log(`late by ${digits(p50 / 1000)} s (p50), ${digits(p99 / 1000)} s (p99), ${digits(most / 1000)} s (max)`)
  return [
    { ...compareWithLimit([p99], MAX_LATENESS_MS, 'ms'), part: 'p99 lateness' },
    {
      ...compareWithLimit([rate], POSTS / AIMED_SECONDS, 'posts/s'),
      part: 'throughput',
      target: aim(`${POSTS / AIMED_SECONDS} posts/s`),
    },
    {
      ...compareWithLimit([others], alone.all, 'ms p99'),
      part: 'other requests',
      target: atMost(MAX_RATIO, `≤ ${MAX_RATIO} times`),
    },
  ]
}
