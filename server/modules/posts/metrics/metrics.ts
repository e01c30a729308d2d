import { sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { errorOf, everyPostMetric, sumOf } from '../../networks/metrics.schema.ts'
import type { PostMetrics } from '../../networks/metrics.ts'
import type { TargetMetrics } from './metrics.schema.ts'

/** Readings of a post on one account: more than the plan has, because one that is published again is read again. */
const MAX_HISTORY = 100

type Reading = { read_at: Date; metrics: PostMetrics }

const targetsOf = (db: Db, post_id: string) =>
  db
    .selectFrom('post_target')
    .innerJoin('account', 'account.id', 'post_target.account_id')
    .leftJoin('post_metrics as read', 'read.target_id', 'post_target.id')
    .select(['post_target.id', 'post_target.account_id', 'account.network', 'post_target.status'])
    .select(['read.target_id', 'read_at', 'due_at', 'is_absent', 'read.error_code', 'read.error_message'])
    .select(sql<PostMetrics>`coalesce(read.metrics, '{}')`.as('metrics'))
    .where('post_id', '=', post_id)
    .orderBy('position')
    .execute()

type Target = Awaited<ReturnType<typeof targetsOf>>[number]

function stateOf({ target_id, status, read_at, is_absent }: Target): Static<typeof TargetMetrics>['state'] {
  if (target_id === null || (status !== 'published' && read_at === null)) return 'unsupported'
  if (is_absent && read_at !== null) return 'absent'
  return read_at === null ? 'planned' : 'read'
}

const readingsOf = async (db: Db, targets: Target[]) => {
  const rows = await db
    .selectFrom('post_metrics_reading')
    .select(['target_id', 'read_at'])
    .select(sql<PostMetrics>`metrics`.as('metrics'))
    .where(sql<boolean>`target_id = any(${targets.map(({ id }) => id)}::uuid[])`)
    .orderBy('read_at', 'desc')
    .limit(MAX_HISTORY * targets.length)
    .execute()
  return Map.groupBy(rows, ({ target_id }) => target_id)
}

const toReading = ({ read_at, metrics }: Reading) => ({ read_at, ...everyPostMetric(metrics) })

/** The numbers of a post on its accounts, from the last readings. No network is called. */
export async function readMetricsOfPost(db: Db, { workspace_id }: Member, post_id: string) {
  const post = await db
    .selectFrom('post')
    .select('id')
    .where('id', '=', post_id)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!post) throw notFound()
  const targets = await targetsOf(db, post.id)
  const readings = await readingsOf(db, targets)
  return {
    post_id: post.id,
    total: sumOf(targets.map(({ metrics }) => metrics)),
    targets: targets.map((target) => ({
      account_id: target.account_id,
      network: target.network,
      state: stateOf(target),
      metrics: everyPostMetric(target.metrics),
      read_at: target.read_at,
      next_read_at: target.status === 'published' ? target.due_at : null,
      error: errorOf(target),
      history: (readings.get(target.id) ?? []).slice(0, MAX_HISTORY).reverse().map(toReading),
    })),
  }
}
