import type { Tx } from '../../lib/db/database.ts'
import { addJob, removeJob } from '../../lib/runtime/jobs.ts'

const jobKey = (target_id: string) => `publish:${target_id}`

/** Enqueues a target for now or for `runAt`. */
export const enqueuePublish = (tx: Tx, { id, account_id }: { id: string; account_id: string }, runAt?: Date) =>
  addJob(
    tx,
    'publish-target',
    { target_id: id },
    { key: jobKey(id), queue: `account:${account_id}`, maxAttempts: 100, ...(runAt && { runAt }) },
  )

/** Removes the waiting jobs of a post, which is no longer to be published. */
export const removePublishJobs = async (tx: Tx, post_id: string) => {
  const targets = await tx.selectFrom('post_target').select('id').where('post_id', '=', post_id).execute()
  for (const { id } of targets) await removeJob(tx, jobKey(id))
}
