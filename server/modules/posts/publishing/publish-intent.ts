import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction, nextUpdatedAt, prepared, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { accountVersion } from '../../accounts/accounts.ts'
import type { AccountLimits, Network } from '../../networks/network.ts'
import { networkOf } from '../../networks/registry.ts'
import type { StoredPart } from '../posts.schema.ts'
import { enqueuePublish } from './publish-queue.ts'
import { isUnsettled, type StepEntry } from './step-journal.ts'

export type Target = Awaited<ReturnType<typeof findTarget>>[number]

/** `now()` is the time by which the job was woken, so a job that runs is due whatever the clock of this node says. */
const findTarget = prepared((db, { id, now }: { id: string; now: Date }) =>
  db
    .selectFrom('post_target')
    .innerJoin('post', 'post.id', 'post_target.post_id')
    .innerJoin('account', 'account.id', 'post_target.account_id')
    .innerJoin('workspace', 'workspace.id', 'post.workspace_id')
    .select([
      'post_target.id',
      'post_target.post_id',
      'post_target.status',
      'post_target.options',
      sql<StepEntry[]>`post_target.steps`.as('steps'),
      'post_target.attempt_key',
      'post_target.needs_resolution',
      'post_target.attempts',
      'post_target.attempted_at',
      sql<string>`coalesce(post_target.content, post.content)`.as('content'),
      sql<StoredPart[]>`coalesce(post_target.thread, post.thread)`.as('thread'),
      sql<string | null>`coalesce(post_target.first_comment, post.first_comment)`.as('first_comment'),
      sql<string[]>`coalesce(post_target.media_ids, post.media_ids)`.as('media_ids'),
      'post.status as post_status',
      'post.scheduled_at',
      sql<boolean>`post.scheduled_at <= greatest(now(), ${now})`.as('is_due'),
      'post.workspace_id',
      'workspace.deleted_at as workspace_deleted_at',
      'account.id as account_id',
      'account.network',
      'account.external_id as account_external_id',
      'account.handle',
      'account.credentials',
      sql<AccountLimits>`account.limits`.as('account_limits'),
      'account.status as account_status',
      'account.held_until',
      accountVersion.as('account_version'),
    ])
    .where('post_target.id', '=', id)
    .where('post.deleted_at', 'is', null)
    .forUpdate(['post', 'post_target']),
)

/** An attempt to publish a target, which is as the intent has left it. */
export type PublishIntent = { target: Target; network: Network; id: string }

/** Stores the intent; undefined if there is nothing to do. */
export const commitIntent = ({ db, clock }: Deps, target_id: string) =>
  inTransaction(db, async (tx): Promise<PublishIntent | undefined> => {
    const now = clock.now()
    const [target] = await findTarget(tx, { id: target_id, now })
    if (!target || target.status === 'published' || target.status === 'failed') return
    if (target.post_status !== 'scheduled' && target.post_status !== 'publishing') return
    if (target.post_status === 'scheduled' && target.scheduled_at && !target.is_due) {
      await enqueuePublish(tx, target, target.scheduled_at)
      return
    }
    if (target.held_until && target.held_until > now) {
      await postponeTarget(tx, target, target.held_until, now)
      return
    }
    const network = networkOf(target)
    const steps = stepsOf(target, network)
    const isLookup = steps.some(isUnsettled)
    const id = randomUUID()
    const attempts = target.attempts + 1
    const attempted_at = isLookup && target.post_status !== 'scheduled' ? target.attempted_at : now
    await tx
      .with('attempt', (query) =>
        query
          .updateTable('post_target')
          .set({ status: isLookup ? 'unconfirmed' : 'publishing', attempt_id: id, attempts, attempted_at })
          .where('id', '=', target_id),
      )
      .updateTable('post')
      .set({ status: 'publishing', updated_at: nextUpdatedAt(now) })
      .where('id', '=', target.post_id)
      .execute()
    return { target: { ...target, steps, attempts, attempted_at }, network, id }
  })

/**
 * The journal of a target. An earlier version of Meydan, which can still run on another node during an update, committed
 * only the key of its one step.
 */
function stepsOf({ steps, status, attempt_key, attempted_at }: Target, { intentOfKey }: Network): StepEntry[] {
  if (steps.length > 0 || attempt_key === null || status === 'pending' || !intentOfKey) return steps
  const begun_at = (attempted_at ?? new Date(0)).toISOString()
  return [{ name: 'post 0', state: 'begun', part: 0, begun_at, intent: intentOfKey(attempt_key) }]
}

/** Makes a target wait for the end of its account's hold. It stays as it is otherwise, and this is no attempt. */
async function postponeTarget(tx: Tx, target: Target, until: Date, now: Date) {
  await enqueuePublish(tx, target, until)
  if (target.status !== 'pending') return
  const error_message = `The network limits how much is sent on this account. It is sent after ${until.toISOString()}.`
  await tx
    .updateTable('post_target')
    .set({ error_code: 'network_unavailable', error_message })
    .where('id', '=', target.id)
    .execute()
  await tx
    .updateTable('post')
    .set({ updated_at: nextUpdatedAt(now) })
    .where('id', '=', target.post_id)
    .execute()
}
