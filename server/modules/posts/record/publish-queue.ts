import { sql } from 'kysely'
import { prepared, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { batched } from '../../../lib/runtime/concurrency/batched.ts'
import { addJob, addJobs, removeJobs } from '../../../lib/runtime/jobs.ts'

const jobKey = (target_id: string) => `publish:${target_id}`

/** The jobs of one account run one after the other. */
export const accountQueue = (account_id: string) => `account:${account_id}`

type Waiting = { id: string; account_id: string }

const publishJob = ({ id, account_id }: Waiting, runAt?: Date) => ({
  payload: { target_id: id },
  options: { key: jobKey(id), queue: accountQueue(account_id), maxAttempts: 100, ...(runAt && { runAt }) },
})

/** Enqueues a target for now or for `runAt`. */
export const enqueuePublish = (tx: Tx, target: Waiting, runAt?: Date) => {
  const { payload, options } = publishJob(target, runAt)
  return addJob(tx, 'publish-targets', payload, options)
}

/** The same for many targets, each for its time. */
export const enqueuePublishes = (tx: Tx, targets: readonly (Waiting & { runAt: Date })[]) =>
  addJobs(
    tx,
    'publish-targets',
    targets.map(({ runAt, ...target }) => publishJob(target, runAt)),
  )

/** Removes the waiting jobs of posts, which are no longer to be published. */
export const removePublishJobs = async (tx: Tx, post_ids: string[]) => {
  const targets = await tx
    .selectFrom('post_target')
    .select('id')
    .where('post_id', '=', sql<string>`any(${post_ids}::uuid[])`)
    .execute()
  await removePublishJobsOf(
    tx,
    targets.map(({ id }) => id),
  )
}

/** Removes the waiting jobs of targets that are settled. */
export const removePublishJobsOf = (tx: Tx, target_ids: string[]) => removeJobs(tx, target_ids.map(jobKey))

/** Targets for which others are looked up in one statement. */
const MAX_BATCH = 30
/** Targets of an account that the search reads: those of drafts and of later posts are among them. */
const MAX_READ = 500

/**
 * Up to 20 targets of the account of this one that are due and were not tried yet, in their order. None while it is
 * held, and none if more than 500 of the account were not tried: they go out one by one, each by its own job.
 */
export const untriedTargets = batched({
  max: MAX_BATCH,
  keyOf: (target_id: string) => target_id,
  together: async ({ db, clock }: Pick<Deps, 'db' | 'clock' | 'log'>, target_ids) => {
    const rows = await selectUntried(db, { target_ids, now: clock.now() })
    return new Map(target_ids.map((id) => [id, rows.filter(({ after }) => after === id).map((row) => row.id)]))
  },
  alone: async ({ db, clock }, target_id) => {
    const rows = await selectUntried(db, { target_ids: [target_id], now: clock.now() })
    return rows.map(({ id }) => id)
  },
})

/**
 * `offset 0` makes PostgreSQL read the posts by their ids. By its statistics nearly no post is due, so it would read all
 * that are, thousands at a full hour, to find those of one account.
 */
const selectUntried = prepared(
  (_, { target_ids, now }: { target_ids: readonly string[]; now: Date }) => sql<{ after: string; id: string }>`
    select wanted.id as after, untried.id
    from unnest(${target_ids}::uuid[]) as wanted (id)
    join post_target on post_target.id = wanted.id
    join account on account.id = post_target.account_id and (held_until is null or held_until <= ${now})
    cross join lateral (
      select target.id, scheduled_at
      from (
        select id, post_id, count(*) over () as count
        from (
          select id, post_id from post_target
          where account_id = account.id and status = 'pending' and attempts = 0
          limit ${sql.lit(MAX_READ + 1)}
        ) as first
      ) as target
      cross join lateral (
        select status, scheduled_at, deleted_at, held from post where post.id = target.post_id offset 0
      ) as post
      where target.count <= ${sql.lit(MAX_READ)} and target.id <> wanted.id
        and post.status in ('scheduled', 'publishing') and scheduled_at <= greatest(now(), ${now})
        and deleted_at is null and held is null
      order by scheduled_at, target.id limit 20
    ) as untried
    order by scheduled_at, untried.id`,
)
