import { sql } from 'kysely'
import { type Db, prepared, type Tx } from '../../../lib/db/database.ts'
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

/**
 * Up to 20 targets of the account of this one that are due and were not tried yet, in their order. None while it is
 * held.
 */
export async function untriedTargets(db: Db, target_id: string, now: Date) {
  const rows = await selectUntried(db, { target_id, now })
  return rows.map(({ id }) => id)
}

const selectUntried = prepared(
  (_, { target_id, now }: { target_id: string; now: Date }) => sql<{ id: string }>`
    select target.id
    from post_target as target join post on post.id = target.post_id join account on account.id = target.account_id
    where account_id = (select account_id from post_target where id = ${target_id})
      and (held_until is null or held_until <= ${now})
      and target.status = 'pending' and attempts = 0 and target.id <> ${target_id}
      and post.status in ('scheduled', 'publishing') and scheduled_at <= greatest(now(), ${now})
      and post.deleted_at is null and post.held is null
    order by scheduled_at, target.id limit 20`,
)
