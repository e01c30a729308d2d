/**
 * Publishes the targets of posts: a target is one post on one account. Each has a job in the queue of its account, which
 * runs one at a time. A job that finds its target early, held or done does nothing.
 *
 *     pending ──attempt──▶ publishing ──▶ published
 *        ▲                     │
 *        ├───────retry─────────┼────────▶ failed
 *        │                     ▼
 *        └──not there─── unconfirmed ───▶ published, failed
 *
 * - An attempt commits its intent, and each step before it runs (`step-journal.ts`). A step that is committed as done is
 *   not repeated, so a later attempt goes on behind it: a thread after its last published part (`publishThread`).
 * - `publishing` → `pending`: the network was unavailable or limits the account. The next attempt has a time.
 * - `publishing` → `unconfirmed`: the response of a step was lost, or its worker was killed. Nothing is sent before a
 *   lookup says whether the step arrived. After 24 hours without a result the target fails, and a person resolves it.
 * - `publishing` stays while the network processes a file. That is asked for again and counts as no attempt.
 * - `failed` → `pending`: somebody retries the post. Parts that are published stay. What a step prepared is used again if
 *   it was made from the same content.
 * - An attempt has an id. One that was overtaken by another writes nothing more (`Superseded`).
 *
 * The status of the post follows from those of its targets: see `statusOfTargets`.
 */
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Failure } from '../../networks/network.ts'
import type { MediaById } from '../record/post-media.ts'
import { enqueuePublish, untriedTargets } from '../record/publish-queue.ts'
import { toPublication } from './publication.ts'
import { commitIntent, type PublishIntent, type Target } from './publish-intent.ts'
import { type Outcome, storeOutcome } from './publish-outcome.ts'
import { readFiles } from './read-files.ts'
import { createStepJournal, failureOf, isUnsettled, type StepJournal, Superseded } from './step-journal.ts'

/** Time in which a job begins with another target after its own. */
const FOLLOWING_MS = 5000

/**
 * Publishes a target, and then others that are due on its account. While this job holds the queue of the account, their
 * jobs wait, so that they would go out one by one with a search for jobs in between.
 */
export async function publishTargets(deps: Deps, { target_id }: { target_id: string }) {
  const begun = performance.now()
  await publishTarget(deps, { target_id })
  const following = await untriedTargets(deps, target_id)
  for (const next of following) {
    if (performance.now() - begun > FOLLOWING_MS) return
    await publishTarget(deps, { target_id: next, isFollowing: true })
  }
}

/**
 * Publishes one post on one account. The intent is committed before the network is called, and each step before it runs.
 * A step without an outcome (the worker was killed or the response lost) is looked up before it is sent again.
 */
export async function publishTarget(
  deps: Deps,
  { target_id, isFollowing = false }: { target_id: string; isFollowing?: boolean },
) {
  const intent = await commitIntent(deps, target_id)
  if (!intent) return
  const { target } = intent
  const files = await readFiles(deps, intent)
  const journal = createStepJournal(deps, intent, refusalOf(target, files))
  const startedAt = performance.now()
  const outcome = await publishInSteps(deps, intent, { journal, media: files.media })
  if (!outcome) return
  const seconds = (performance.now() - startedAt) / 1000
  // A job that runs removes itself.
  await storeOutcome(deps, { intent, attempt: { outcome, journal }, ownJobWaits: isFollowing })
  countAttempt(deps, target, outcome, seconds)
}

function countAttempt(
  { metrics, clock }: Pick<Deps, 'metrics' | 'clock'>,
  { network, scheduled_at }: Target,
  { kind }: Outcome,
  seconds: number,
) {
  metrics.publishAttempts.inc({ network, outcome: kind })
  metrics.publishCalls.observe({ network, outcome: kind }, seconds)
  if (kind === 'published' && scheduled_at)
    metrics.publishLateness.observe({ network }, Math.max(0, clock.now().getTime() - scheduled_at.getTime()) / 1000)
}

/** Undefined if another worker has taken over. */
async function publishInSteps(
  deps: Deps,
  intent: PublishIntent,
  { journal, media }: { journal: StepJournal; media: MediaById },
): Promise<Outcome | undefined> {
  if (intent.target.needs_resolution)
    return {
      kind: 'unconfirmed',
      message: 'The response was lost. Only a person can find out.',
      needs_resolution: true,
    }
  try {
    const published = await intent.network.publish(deps, toPublication(deps, intent.target, { journal, media }))
    return { kind: 'published', ...published }
  } catch (thrown) {
    if (thrown instanceof Superseded) return
    return failureOf(deps, thrown, journal.entries.some(isUnsettled) ? 'unconfirmed' : 'unavailable')
  }
}

/** Reason why nothing more may be sent. What was sent is looked up nevertheless. */
function refusalOf(
  target: Target,
  { missing, isApproved }: { missing: unknown[]; isApproved: boolean },
): Failure | undefined {
  if (target.workspace_deleted_at)
    return {
      kind: 'failed',
      code: 'workspace_deleted',
      message: 'The workspace was deleted before the post was published.',
    }
  if (target.account_status !== 'connected')
    return {
      kind: 'failed',
      code: 'account_disconnected',
      message: 'The account is disconnected. Connect it again, then retry.',
    }
  if (target.account_paused_by !== null)
    return {
      kind: 'failed',
      code: 'account_paused',
      message:
        target.account_paused_by === 'plan'
          ? 'The account is paused because the plan allows fewer accounts. Resume it, then retry.'
          : 'The account is paused. Resume it, then retry.',
    }
  // A post that had not begun is held instead.
  if (target.is_late)
    return {
      kind: 'failed',
      code: 'late',
      message: 'Meydan did not run for a long time before this attempt. Retry to publish the post now.',
    }
  // A post that had not begun is put in review instead.
  if (!isApproved)
    return {
      kind: 'failed',
      code: 'not_approved',
      message: 'The post, or a policy, was changed after its approval. Retry to ask for another one.',
    }
  if (missing.length > 0) return { kind: 'failed', code: 'media_missing', message: 'A file of the post was deleted.' }
}

/**
 * Enqueues due targets without a job, so that none is lost silently, even when a job was given up after errors of Meydan.
 */
export const requeueStuckTargets = (db: Db, now: Date) =>
  inTransaction(db, async (tx) => {
    const stuck = await tx
      .selectFrom('post_target')
      .innerJoin('post', 'post.id', 'post_target.post_id')
      .select(['post_target.id', 'post_target.account_id'])
      .where('post.deleted_at', 'is', null)
      .where(sql<boolean>`post.status in ('scheduled', 'publishing')`)
      .where('post.held', 'is', null)
      .where('post.scheduled_at', '<', new Date(now.getTime() - 120_000))
      .where('post_target.status', 'in', ['pending', 'publishing', 'unconfirmed'])
      .where(sql<boolean>`not exists (
        select from graphile_worker.jobs where key = 'publish:' || post_target.id and attempts < max_attempts)`)
      .limit(1000)
      .execute()
    for (const target of stuck) await enqueuePublish(tx, target)
    return stuck.length
  })
