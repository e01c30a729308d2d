import { randomUUID } from 'node:crypto'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, nextUpdatedAt, prepared, retryOnDeadlock, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { batched } from '../../../lib/runtime/concurrency/batched.ts'
import type { OutageLimit } from '../../../lib/runtime/outages.ts'
import { accountVersion } from '../../accounts/accounts.ts'
import type { AccountLimits } from '../../networks/capabilities.ts'
import type { Network } from '../../networks/network.ts'
import { networkOf, networks } from '../../networks/registry.ts'
import { isApproved } from '../approval/approval.ts'
import { askForApproval } from '../approval/put-in-review.ts'
import type { StoredPart } from '../record/posts.schema.ts'
import { enqueuePublish } from '../record/publish-queue.ts'
import { holdLatePosts, isLate, readOutageLimit } from './held/late-posts.ts'
import { isStopped } from './held/sent-targets.ts'
import { hasUnsettled, type StepEntry } from './step-journal.ts'

export type Target = Awaited<ReturnType<typeof lockTarget>>[number]

type Search = OutageLimit & { now: Date }

/** `now()` is the time by which the job was woken, so a job that runs is due whatever the clock of this node shows. */
const selectTarget = (db: Db, id: string | RawBuilder<string>, search: Search) =>
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
      // No condition of the search: a plan made while there are few posts would walk the index of all that are not deleted.
      'post.deleted_at as post_deleted_at',
      'post.scheduled_at',
      'post.held as post_held',
      sql<boolean>`(post.agent_run_id is not null or coalesce(post.queued_for = post.scheduled_at, false))`.as(
        'is_recallable',
      ),
      isStopped.as('is_stopped'),
      isLate(search).as('is_late'),
      sql<boolean>`post.scheduled_at <= greatest(now(), ${search.now})`.as('is_due'),
      'post.workspace_id',
      'workspace.deleted_at as workspace_deleted_at',
      'account.id as account_id',
      'account.network',
      'account.external_id as account_external_id',
      'account.handle',
      'account.credentials',
      sql<AccountLimits>`account.limits`.as('account_limits'),
      'account.status as account_status',
      'account.paused_by as account_paused_by',
      'account.held_until',
      accountVersion.as('account_version'),
    ])
    .where('post_target.id', '=', id)
    .forUpdate(['post', 'post_target'])

const lockTarget = prepared((db, search: Search & { id: string }) => selectTarget(db, search.id, search))

/** Networks whose posts an earlier version may have left behind with nothing but a key: see `stepsOf`. */
const keyed = networks.filter(({ intentOfKey }) => intentOfKey).map(({ id }) => id)

/** Whether nobody knows what became of a step, also of a post of an earlier version that `stepsOf` finds. */
const isLookup = sql<boolean>`(${hasUnsettled('target.steps')}
  or target.steps = '[]' and target.attempt_key is not null and target.status <> 'pending'
    and target.network = any(${keyed}::text[]))`

type Locked = Target & { new_attempt_id: string }

/**
 * Commits an attempt of each target in `locked` that can be published now. If one cannot, its `attempt` is null. Whether
 * the post is approved is asked once its row is locked. One that had begun without that sends nothing more (`refusalOf`),
 * but what it sent is looked up.
 */
const beginLocked = (db: Db, { now }: Pick<Search, 'now'>, locked: Expression<Locked>) =>
  db
    .with('locked', () => locked)
    .with('target', (query) =>
      query.selectFrom('locked').selectAll().select(sql<boolean>`post_is_approved(locked.post_id)`.as('is_approved')),
    )
    .with('attempt', (query) =>
      query
        .updateTable('post_target')
        .from('target')
        .set({
          status: sql`case when ${isLookup} then 'unconfirmed' else 'publishing' end::target_status`,
          attempt_id: sql`target.new_attempt_id`,
          attempts: sql`target.attempts + 1`,
          attempted_at: sql`case when ${isLookup} and target.post_status <> 'scheduled' then target.attempted_at else ${now} end`,
        })
        .whereRef('post_target.id', '=', 'target.id')
        .where('target.status', 'not in', ['published', 'failed'])
        .where('target.post_deleted_at', 'is', null)
        .where(
          sql<boolean>`(target.post_status = 'publishing' or target.post_status = 'scheduled' and coalesce(target.is_due, true))`,
        )
        .where(
          sql<boolean>`target.post_held is null and not (target.post_status = 'scheduled' and coalesce(target.is_late, false))`,
        )
        .where(sql<boolean>`not target.is_stopped`)
        .where(sql<boolean>`(target.post_status = 'publishing' or target.is_approved)`)
        .where(sql<boolean>`(target.held_until is null or target.held_until <= ${now})`)
        .where(sql<boolean>`target.network = any(${networks.map(({ id }) => id)}::text[])`)
        .returning(['post_target.id', 'post_target.attempts', 'post_target.attempted_at', 'post_target.post_id']),
    )
    .with('begun', (query) =>
      query
        .updateTable('post')
        .from('attempt')
        .set({ status: 'publishing', updated_at: nextUpdatedAt(now) })
        .whereRef('post.id', '=', 'attempt.post_id'),
    )
    .selectFrom('target')
    .leftJoin('attempt', 'attempt.id', 'target.id')
    .selectAll('target')
    .select(['attempt.attempts as attempt', 'attempt.attempted_at as attempt_begun_at'])

/** Waits for a lock on the target. */
const beginAttempt = prepared((db, search: Search & { id: string; attempt_id: string }) =>
  beginLocked(
    db,
    search,
    selectTarget(db, search.id, search).select(sql<string>`${search.attempt_id}::uuid`.as('new_attempt_id')),
  ),
)

/** Leaves out targets that others have locked: waiting for one would delay all. */
const beginAttempts = prepared((db, search: Search & { ids: string[]; attempt_ids: string[] }) => {
  const target = selectTarget(db, sql<string>`wanted.id`, search).skipLocked()
  return beginLocked(
    db,
    search,
    sql<Locked>`(
      select target.*, wanted.attempt_id as new_attempt_id
      from unnest(${search.ids}::uuid[], ${search.attempt_ids}::uuid[]) as wanted (id, attempt_id)
      cross join lateral (${target}) as target)`,
  )
})

/** Targets whose attempts begin in one transaction. */
const MAX_BATCH = 30

const begin = batched({
  max: MAX_BATCH,
  keyOf: ({ target_id }: { target_id: string; attempt_id: string }) => target_id,
  together: async (deps: Deps, begun) => {
    const rows = await beginAttempts(deps.db, {
      ...(await searchNow(deps)),
      ids: begun.map(({ target_id }) => target_id),
      attempt_ids: begun.map(({ attempt_id }) => attempt_id),
    })
    return new Map(rows.map((row) => [row.id, [row]]))
  },
  alone: async (deps, { target_id, attempt_id }) => {
    const search = { ...(await searchNow(deps)), id: target_id, attempt_id }
    return retryOnDeadlock(() => beginAttempt(deps.db, search))
  },
})

const searchNow = async (deps: Deps): Promise<Search> => ({
  now: deps.clock.now(),
  ...(await readOutageLimit(deps)),
})

/** An attempt to publish a target, which is as the intent has left it. */
export type PublishIntent = { target: Target; is_approved: boolean; network: Network; id: string }

/** Stores the intent; undefined if there is nothing to do now. */
export async function commitIntent(deps: Deps, target_id: string): Promise<PublishIntent | undefined> {
  const id = randomUUID()
  const [row] = await begin(deps, { target_id, attempt_id: id })
  if (!row) return
  const { attempt, attempt_begun_at, is_approved, new_attempt_id: _, ...target } = row
  if (attempt === null) {
    const search = { ...(await searchNow(deps)), id: target_id }
    const isHeld = await inTransaction(deps.db, (tx) => postpone(tx, search))
    if (isHeld) await holdLatePosts(deps, target.workspace_id)
    return
  }
  const network = networkOf(target)
  const steps = stepsOf(target, network)
  return { target: { ...target, steps, attempts: attempt, attempted_at: attempt_begun_at }, is_approved, network, id }
}

/**
 * Enqueues a target that could not begin for the time from which it can, unless it is not to be published. Returns
 * whether its post is late, and to be held. Throws if this version does not know its network.
 */
async function postpone(tx: Tx, search: Search & { id: string }) {
  const { now } = search
  const [target] = await lockTarget(tx, search)
  if (!target || target.post_deleted_at || target.status === 'published' || target.status === 'failed') return
  if (
    target.post_held ||
    target.is_stopped ||
    (target.post_status !== 'scheduled' && target.post_status !== 'publishing')
  )
    return
  const { scheduled_at, held_until } = target
  if (target.post_status === 'scheduled' && scheduled_at && !target.is_due) {
    await enqueuePublish(tx, target, scheduled_at)
  } else if (target.post_status === 'scheduled' && target.is_late) {
    return true
  } else if (target.post_status === 'scheduled' && !(await isApproved(tx, target.post_id))) {
    await askForApproval(tx, { id: target.post_id, workspace_id: target.workspace_id }, now)
  } else if (held_until && held_until > now) {
    await postponeTarget(tx, target, held_until, now)
  } else {
    networkOf(target)
    // It was changed since the attempt was refused.
    await enqueuePublish(tx, target)
  }
}

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
