import { type RawBuilder, sql, type Updateable } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { notFound } from '../../../errors.ts'
import { system } from '../../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { PostStatus, PostTarget } from '../../../lib/db/database-types.ts'
import { rowsOf } from '../../../lib/db/rows.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit, emitEach } from '../../../lib/events/emit.ts'
import type { EventData } from '../../../lib/events/event-type.ts'
import { batched } from '../../../lib/runtime/concurrency/batched.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { holdAccount, markDisconnected } from '../../accounts/accounts.ts'
import type { Failure, Postponement, Published } from '../../networks/network.ts'
import { httpUrl } from '../../networks/text/http-url.ts'
import { notify } from '../../notifications/notify.ts'
import { planPostMetrics } from '../metrics/read-metrics.ts'
import { postEvents } from '../record/posts.events.ts'
import { enqueuePublish, removePublishJobsOf } from '../record/publish-queue.ts'
import { readPost, readPosts } from '../record/select-posts.ts'
import { noteFailure } from './failure-mails.ts'
import type { PublishIntent, Target } from './publish-intent.ts'
import { publishedParts, type StepJournal } from './step-journal.ts'

/** Outcome of an attempt, as far as known. */
export type Outcome = ({ kind: 'published' } & Published) | Failure

type Author = NonNullable<EventData<(typeof postEvents)['post.published']>['author']>

type Attempt = { outcome: Outcome; journal: StepJournal }

/** Members who can publish a post again. */
const EDITORS = ['editor', 'admin', 'owner'] as const

/** Least time until a network that processes a post is asked again. */
const PROCESSING_POLL_MS = 1000
/** Time to look up a post without a response, from the attempt. */
const UNCONFIRMED_MS = DAY

const NEVER_CONFIRMED =
  'The response was lost and the post was not found on the network within 24 hours. It may have been published.'

/**
 * Limit in bytes. Fifty targets with two of these each fit in the space that `assertFitsEvents` reserves for publishing.
 */
const MAX_NAME_BYTES = 500

/** Id or address from a network. Null if too long, because a part of it would name something else. */
const nameOf = (text: string | null) =>
  text !== null && Buffer.byteLength(JSON.stringify(text)) - 2 <= MAX_NAME_BYTES ? text : null

type Change = {
  values: Updateable<PostTarget>
  /** Time of the next attempt or lookup. null: none follows. */
  next_at: Date | null
}

/** Values of a published target. Those without `url` keep the one that a member entered. */
const publishedValues = ({ external_id, url }: Published, now: Date) => ({
  status: 'published' as const,
  external_id: nameOf(external_id),
  ...(url !== null && { url: nameOf(httpUrl(url)) }),
  published_at: now,
  error_code: null,
  error_message: null,
})

/** Decides what an outcome changes on its target. */
function changeOf(
  { publishRetries, postLookups }: Deps['timings'],
  { attempts, attempted_at }: Pick<Target, 'attempts' | 'attempted_at'>,
  outcome: Outcome,
  now: Date,
): Change {
  const fail = (error_code: string, message: string, needs_resolution = false): Change => ({
    values: { status: 'failed', error_code, error_message: sanitizeExternalText(message), needs_resolution },
    next_at: null,
  })
  const nth = (waits: readonly number[]) => waits[Math.min(attempts, waits.length) - 1] ?? 0
  const after = (ms: number, { retry_after_s = 0 }: Postponement) =>
    new Date(now.getTime() + Math.max(ms, Math.min(retry_after_s, 86_400) * 1000))

  switch (outcome.kind) {
    case 'published':
      return {
        values: publishedValues(outcome, now),
        next_at: null,
      }
    case 'failed':
      return fail(outcome.code, outcome.message)
    case 'unauthorized':
      return fail('account_disconnected', `The network no longer accepts the credentials: ${outcome.message}`)
    case 'unavailable': {
      if (attempts > publishRetries.length) return fail('network_unavailable', outcome.message)
      const error_message = sanitizeExternalText(outcome.message)
      return {
        values: { status: 'pending', attempts, error_code: 'network_unavailable', error_message },
        next_at: after(nth(publishRetries), outcome),
      }
    }
    case 'processing':
      // Waiting counts as no attempt: only an error of Meydan would.
      return {
        values: { attempts: attempts - 1, error_code: null, error_message: null },
        next_at: after(PROCESSING_POLL_MS, outcome),
      }
    case 'unconfirmed': {
      const { needs_resolution = false, message } = outcome
      const lookUpUntil = new Date((attempted_at ?? now).getTime() + UNCONFIRMED_MS)
      if (now >= lookUpUntil) return fail('unconfirmed', NEVER_CONFIRMED, needs_resolution)
      const error_message = sanitizeExternalText(message)
      // Only a person can find out, so asking the network again is of no use.
      const wait = needs_resolution ? lookUpUntil.getTime() - now.getTime() : nth(postLookups)
      return {
        values: { status: 'unconfirmed', attempts, error_code: 'unconfirmed', error_message, needs_resolution },
        next_at: after(wait, outcome),
      }
    }
  }
}

/** Stores the outcome, unless another attempt has started since. true: no further attempt follows. */
async function settle(
  { clock, timings }: Deps,
  tx: Tx,
  { target, id }: PublishIntent,
  { outcome, journal: { entries, hasProgress } }: Attempt,
) {
  const now = clock.now()
  // Failures of one step must not use up the attempts of the next.
  const attempts = hasProgress() ? 1 : target.attempts
  const { values, next_at } = changeOf(timings, { ...target, attempts }, outcome, now)
  const { numUpdatedRows } = await tx
    // Every change of a target locks its post first.
    .with('locked', (query) => query.selectFrom('post').select('id').where('id', '=', target.post_id).forUpdate())
    .updateTable('post_target')
    .from('locked')
    .set({
      steps: JSON.stringify(entries),
      published_parts: publishedParts(entries),
      needs_resolution: false,
      ...values,
    })
    .where('post_target.id', '=', target.id)
    .where('attempt_id', '=', id)
    .where('status', 'in', ['publishing', 'unconfirmed'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  if (outcome.kind === 'unauthorized' || (outcome.kind === 'unconfirmed' && outcome.is_unauthorized)) {
    const { workspace_id, account_id, account_version: version } = target
    await markDisconnected(tx, system(workspace_id), { workspace_id, id: account_id, version }, outcome.message, now)
  }
  if (values.status === 'published' && values.external_id) await planPostMetrics(tx, [target], now)
  if (next_at) {
    if ('is_limited' in outcome && outcome.is_limited) await holdAccount(tx, target.account_id, next_at)
    await enqueuePublish(tx, target, next_at)
  }
  await settlePost(tx, target, now)
  if (values.status === 'unconfirmed' && values.needs_resolution) await notifyUnconfirmed(tx, target, id, now)
  return next_at === null
}

/** Tells that only a person can find out whether a post was published. */
async function notifyUnconfirmed(tx: Tx, { post_id, workspace_id }: Target, attempt_id: string, now: Date) {
  const { content, author_id } = await readPost(tx, { workspace_id }, post_id)
  await notify(
    tx,
    {
      ...{ kind: 'post.unconfirmed', workspace_id, cause: attempt_id },
      subject: { id: post_id, name: content },
      to: { user_ids: [author_id], roles: EDITORS },
    },
    now,
  )
}

/** The status of a post by the counts of its targets. */
const statusOfTargets = sql<PostStatus>`case when open > 0 then post.status
  when published + failed = 0 then 'unpublished' when failed = 0 then 'published'
  when published > 0 or is_visible then 'partially_published' else 'failed' end`

const countTargets = (post_id: string | RawBuilder<string>) => sql`(
  select count(*) filter (where status = 'published')::int as published,
    count(*) filter (where status = 'failed')::int as failed,
    count(*) filter (where status in ('pending', 'publishing', 'unconfirmed'))::int as open,
    coalesce(bool_or(published_parts > 0), false) as is_visible
  from post_target where post_id = ${post_id}) as targets`

/** Updates the status of a post whose targets were deleted on their networks. */
export const updateStatus = (tx: Tx, post_id: string) =>
  sql`update post set status = ${statusOfTargets} from ${countTargets(post_id)} where id = ${post_id}`.execute(tx)

type ChangedPost = Pick<Target, 'post_id' | 'workspace_id'>

/** Updates the post of a changed target. It is done with its last target; a mixed outcome emits both events. */
export const settlePost = (tx: Tx, post: ChangedPost, now: Date) => settlePosts(tx, [post], now)

/** The same for different posts, in as many statements as for one. */
async function settlePosts(tx: Tx, posts: readonly ChangedPost[], now: Date) {
  const ids = posts.map(({ post_id }) => post_id)
  // Readers already see the first parts of a thread that failed midway.
  const { rows } = await sql<{ id: string; published: number; failed: number; author: Author | null }>`
    with counted as (
      update post set
        status = ${statusOfTargets},
        published_at = case when open = 0 and published > 0 then ${now}::timestamptz else published_at end,
        updated_at = ${nextUpdatedAt(now)}
      from unnest(${ids}::uuid[]) as listed (post_id) cross join lateral ${countTargets(sql`listed.post_id`)}
      where id = listed.post_id
      returning id, author_id, published, failed, open
    )
    select id, published, failed,
      (select json_build_object('id', id, 'name', name, 'email', email) from "user" where id = author_id) as author
    from counted where open = 0`.execute(tx)
  if (rows.length === 0) return
  const counts = new Map(rows.map((row) => [row.id, row]))
  const records = await readPosts(tx, [...counts.keys()])
  if (records.length < rows.length) throw notFound()
  const done = records.flatMap((post) => {
    const { published = 0, failed = 0, author = null } = counts.get(post.id) ?? {}
    return { post, author, published, failed }
  })
  const published = Map.groupBy(
    done.filter((each) => each.published > 0),
    ({ post }) => post.workspace_id,
  )
  for (const [workspace_id, some] of published) {
    const data = some.map(({ post, author }) => ({ post, author }))
    await emitEach(tx, postEvents['post.published'], workspace_id, data, now)
  }
  for (const { post, author, failed } of done) if (failed > 0) await tellFailure(tx, { post, author }, now)
}

type FailedPost = { post: Awaited<ReturnType<typeof readPosts>>[number]; author: Author | null }

async function tellFailure(tx: Tx, { post, author }: FailedPost, now: Date) {
  const { workspace_id } = post
  await emit(tx, postEvents['post.failed'], workspace_id, { post, author }, now)
  await noteFailure(tx, post, now)
  const target = post.targets.find(({ status }) => status === 'failed')
  // Failures on one account within an hour are shown as one.
  const group = `${target?.account_id}:${now.toISOString().slice(0, 13)}`
  await notify(
    tx,
    {
      ...{
        kind: 'post.failed',
        workspace_id,
        cause: String(post.version),
        group,
        detail: target?.error_message ?? null,
      },
      subject: { id: post.id, name: post.content },
      to: { user_ids: [post.author_id], roles: EDITORS },
    },
    now,
  )
}

/** `ownJobWaits`: the job of another target published this one. */
type Ended = { intent: PublishIntent; attempt: Attempt; ownJobWaits: boolean }

/** Outcomes that are stored in one transaction. */
const MAX_BATCH = 30

/**
 * Stores the outcome of an attempt in one transaction with its event, unless another attempt has started since. Posts that
 * were published at the same time share that transaction.
 */
export const storeOutcome = (deps: Deps, ended: Ended) =>
  ended.attempt.outcome.kind === 'published' ? storePublished(deps, ended) : storeAlone(deps, ended)

/** Returns whether no further attempt follows. */
const storeAlone = (deps: Deps, { intent, attempt, ownJobWaits }: Ended) =>
  inTransaction(deps.db, async (tx) => {
    const isDone = await settle(deps, tx, intent, attempt)
    if (isDone && ownJobWaits) await removePublishJobsOf(tx, [intent.target.id])
    return isDone
  })

const storePublished = batched({
  max: MAX_BATCH,
  // The status of a post follows from all of its targets.
  keyOf: ({ intent }: Ended) => intent.target.post_id,
  together: (deps: Deps, ended) =>
    inTransaction(deps.db, async (tx) => {
      const now = deps.clock.now()
      // Events wait while the webhooks of a workspace change, which must not delay posts of others.
      await sql`set local lock_timeout = '100ms'`.execute(tx)
      const stored = await storeTargets(tx, ended, now)
      const settled = ended.filter(({ intent }) => stored.has(intent.target.id))
      const targets = settled.map(({ intent }) => intent.target)
      if (targets.length === 0) return new Map()
      const named = targets.filter(({ id }) => stored.get(id)?.external_id)
      await planPostMetrics(tx, named, now)
      await settlePosts(tx, targets, now)
      const waiting = settled.filter(({ ownJobWaits }) => ownJobWaits)
      await removePublishJobsOf(
        tx,
        waiting.map(({ intent }) => intent.target.id),
      )
      return new Map(targets.map(({ post_id }) => [post_id, true]))
    }),
  alone: storeAlone,
})

const columns = {
  id: 'uuid',
  attempt_id: 'uuid',
  steps: 'text',
  published_parts: 'int',
  external_id: 'text',
  url: 'text',
  keeps_url: 'boolean',
} as const

/** Returns what was stored by target. Leaves out targets that others have locked: waiting for one would delay all. */
async function storeTargets(tx: Tx, ended: readonly Ended[], now: Date) {
  const rows = ended.flatMap(({ intent, attempt: { outcome, journal } }) => {
    if (outcome.kind !== 'published') return []
    const { external_id, url } = publishedValues(outcome, now)
    return {
      id: intent.target.id,
      attempt_id: intent.id,
      steps: JSON.stringify(journal.entries),
      published_parts: publishedParts(journal.entries),
      external_id,
      url: url ?? null,
      keeps_url: url === undefined,
    }
  })
  const stored = await tx
    .with(
      'free',
      () => sql<(typeof rows)[number]>`(
        select listed.* from ${rowsOf(rows, columns, 'listed')}
        cross join lateral (
          select from post_target as target join post on post.id = target.post_id
          where target.id = listed.id and target.attempt_id = listed.attempt_id
            and target.status in ('publishing', 'unconfirmed')
          for update of post, target skip locked
        ) as locked)`,
    )
    .updateTable('post_target')
    .from('free')
    .set({
      steps: sql`free.steps::jsonb`,
      published_parts: sql`free.published_parts`,
      needs_resolution: false,
      status: 'published',
      external_id: sql`free.external_id`,
      url: sql`case when free.keeps_url then post_target.url else free.url end`,
      published_at: now,
      error_code: null,
      error_message: null,
    })
    .whereRef('post_target.id', '=', 'free.id')
    .returning(['post_target.id', 'post_target.external_id'])
    .execute()
  return new Map(stored.map((target) => [target.id, target]))
}
