import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import { rowsOf } from '../../../lib/db/rows.ts'
import type { Deps } from '../../../lib/deps.ts'
import { batched } from '../../../lib/runtime/concurrency/batched.ts'
import { planPostMetrics } from '../metrics/read-metrics.ts'
import { removePublishJobsOf } from '../record/publish-queue.ts'
import type { PublishIntent } from './publish-intent.ts'
import { type Attempt, publishedValues, settle, settlePosts } from './publish-outcome.ts'
import { publishedParts } from './step-journal.ts'

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
