import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import { rowsOf } from '../../../lib/db/rows.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { failedReading, openForMetrics } from '../../accounts/metrics/metrics-access.ts'
import { type NetworkMetrics, nextReading, type PostMetrics } from '../../networks/metrics.ts'
import { NetworkFault } from '../../networks/network.ts'
import { findNetwork } from '../../networks/registry.ts'

/** Accounts enqueued a minute. Those left over are the first of the next minute. */
const MAX_A_MINUTE = 500

type PublishedTarget = { id: string; account_id: string; network: string }

/** Plans the readings of posts that were published on an account, if its network reports numbers of posts. */
export async function planPostMetrics(tx: Tx, targets: readonly PublishedTarget[], now: Date) {
  const planned = targets.flatMap(({ id, account_id, network }) => {
    const metrics = findNetwork(network)?.metrics
    return metrics?.readPosts ? [{ target_id: id, account_id, due_at: nextReading(metrics, now, now) }] : []
  })
  if (planned.length === 0) return
  const columns = { target_id: 'uuid', account_id: 'uuid', due_at: 'timestamptz' } as const
  await sql`
    insert into post_metrics (target_id, account_id, due_at, is_absent)
    select target_id, account_id, due_at, false from ${rowsOf(planned, columns, 'planned')}
    on conflict (target_id) do update
      set account_id = excluded.account_id, due_at = excluded.due_at, is_absent = excluded.is_absent`.execute(tx)
}

/** Enqueues the reading of posts that are due. One job per account, so that all nodes share them. */
export const findDuePostMetrics = ({ workerDatabase: { db }, clock }: Deps) =>
  inTransaction(db, async (tx) => {
    const due = await tx
      .selectFrom('post_metrics')
      .select('account_id')
      .where('due_at', '<=', clock.now())
      .groupBy('account_id')
      .orderBy((rows) => rows.fn.min('due_at'))
      .limit(MAX_A_MINUTE)
      .execute()
    for (const { account_id } of due)
      await addJob(
        tx,
        'read-post-metrics',
        { account_id },
        { key: `post-metrics:${account_id}`, queue: `post-metrics:${account_id}`, maxAttempts: 1, keepsRunAt: true },
      )
  })

/** The posts of an account that are due. `external_id`: null if the post is no longer on the network. */
const duePosts = (db: Db, account_id: string, { now, limit }: { now: Date; limit: number }) =>
  db
    .selectFrom('post_metrics')
    .innerJoin('post_target', 'post_target.id', 'target_id')
    .select(['target_id', 'published_at'])
    .select(sql<string | null>`case when status = 'published' then external_id end`.as('external_id'))
    .where('post_metrics.account_id', '=', account_id)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute()

type Due = Awaited<ReturnType<typeof duePosts>>[number]

type Read = { read: Map<string, PostMetrics>; refused: Map<string, NetworkFault> }

/** Reads posts together, or one by one if the network refuses: one that it refuses must not keep the others. */
async function readPosts(ids: string[], call: (ids: string[]) => Promise<Map<string, PostMetrics>>): Promise<Read> {
  if (ids.length === 0) return { read: new Map(), refused: new Map() }
  try {
    return { read: await call(ids), refused: new Map() }
  } catch (thrown) {
    if (!(thrown instanceof NetworkFault) || thrown.failure.kind !== 'failed') throw thrown
    const [only, ...others] = ids
    if (only !== undefined && others.length === 0) return { read: new Map(), refused: new Map([[only, thrown]]) }
  }
  const all: Read = { read: new Map(), refused: new Map() }
  for (const id of ids) {
    const { read, refused } = await readPosts([id], call)
    for (const [key, found] of read) all.read.set(key, found)
    for (const [key, fault] of refused) all.refused.set(key, fault)
  }
  return all
}

/** Reads the numbers of the posts of an account that are due. */
export async function readPostMetrics(deps: Deps, { account_id }: { account_id: string }) {
  const { db, clock } = deps
  const now = clock.now()
  const update = (values: { due_at: Date | null; error_code?: string; error_message?: string | null }) =>
    db.updateTable('post_metrics').set(values).where('account_id', '=', account_id).where('due_at', '<=', now).execute()
  const access = await openForMetrics(deps, account_id)
  if (access.kind === 'later') return update({ due_at: access.due_at })
  const { metrics, opened } = access
  const call = metrics.readPosts
  if (!call) return update({ due_at: null })
  const due = await duePosts(db, account_id, { now, limit: metrics.max_posts })
  const ids = due.flatMap(({ external_id }) => external_id ?? [])
  try {
    const result = await readPosts(ids, (some) => call(deps, opened, some))
    await inTransaction(db, async (tx) => {
      for (const post of due) await storeReading(tx, deps, { post, metrics }, result)
    })
  } catch (thrown) {
    await update(failedReading(deps, thrown))
  }
}

type Reading = { post: Due; metrics: NetworkMetrics }

async function storeReading(tx: Tx, deps: Deps, { post, metrics }: Reading, { read, refused }: Read) {
  const now = deps.clock.now()
  const { target_id, external_id, published_at } = post
  const found = external_id === null ? undefined : read.get(external_id)
  const refusal = external_id === null ? undefined : refused.get(external_id)
  const values = JSON.stringify(found ?? {})
  const isPublished = external_id !== null && published_at !== null
  const stored = await tx
    .updateTable('post_metrics')
    .set({
      ...(refusal ? failedReading(deps, refusal) : { error_code: null, error_message: null }),
      due_at: isPublished ? nextReading(metrics, published_at, now) : null,
      // A network can take its time before it shows a new post to its own API.
      is_absent: isPublished && !found && !refusal,
      ...(found && { metrics: values, read_at: now }),
    })
    .where('target_id', '=', target_id)
    .returning('target_id')
    .executeTakeFirst()
  if (stored && found)
    await tx.insertInto('post_metrics_reading').values({ target_id, read_at: now, metrics: values }).execute()
}
