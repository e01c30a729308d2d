import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { openAccount } from '../../accounts/renewals.ts'
import { readMediaForPost, type StoredMedia } from '../../media/media.ts'
import { mediaUrl, openMedia } from '../../media/open-media.ts'
import type { Failure, Part, PartMedia, Publication } from '../../networks/network.ts'
import { capabilitiesOf } from '../../networks/registry.ts'
import type { MediaById } from '../post-media.ts'
import { commitIntent, type PublishIntent } from './publish-intent.ts'
import { type Outcome, settle } from './publish-outcome.ts'
import { enqueuePublish, removePublishJob, untriedTargets } from './publish-queue.ts'
import { createStepJournal, failureOf, isUnsettled, type StepJournal, Superseded } from './step-journal.ts'

/** Time for which a network can fetch a file. */
const URL_MS = 24 * 3600_000

/** Targets that a job publishes after its own, and the time in which it begins with another. */
const MAX_FOLLOWING = 20
const FOLLOWING_MS = 5000

/**
 * Publishes a target, and then others that are due on its account. While this job holds the queue of the account, their
 * jobs wait, so that they would go out one by one with a search for jobs in between.
 */
export async function publishTargets(deps: Deps, { target_id }: { target_id: string }) {
  const begun = performance.now()
  await publishTarget(deps, { target_id })
  const following = await untriedTargets(deps.db, target_id, { now: deps.clock.now(), limit: MAX_FOLLOWING })
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
  const media = await readTargetMedia(deps, intent)
  const journal = createStepJournal(deps, intent, refusalOf(intent, media))
  const outcome = await publishInSteps(deps, intent, { journal, media })
  if (!outcome) return
  await inTransaction(deps.db, async (tx) => {
    const isDone = await settle(deps, tx, intent, { outcome, journal })
    // The job of this target still waits. One that runs removes itself.
    if (isDone && isFollowing) await removePublishJob(tx, target_id)
  })
}

/** Undefined if another worker has taken over. */
async function publishInSteps(deps: Deps, intent: PublishIntent, attempt: Attempt): Promise<Outcome | undefined> {
  if (intent.target.needs_resolution)
    return {
      kind: 'unconfirmed',
      message: 'The response was lost. Only a person can find out.',
      needs_resolution: true,
    }
  try {
    const published = await intent.network.publish(deps, toPublication(deps, intent, attempt))
    return { kind: 'published', ...published }
  } catch (thrown) {
    if (thrown instanceof Superseded) return
    return failureOf(deps, thrown, attempt.journal.entries.some(isUnsettled) ? 'unconfirmed' : 'unavailable')
  }
}

type Attempt = { journal: StepJournal; media: MediaById }

const toPublication = (deps: Deps, { target }: PublishIntent, { journal: { step }, media }: Attempt): Publication => ({
  ...openAccount(deps, {
    id: target.account_id,
    workspace_id: target.workspace_id,
    external_id: target.account_external_id,
    handle: target.handle,
    credentials: target.credentials,
    version: target.account_version,
  }),
  // Of an attempt by an earlier version, which chose the key.
  key: target.attempt_key ?? target.id,
  parts: [toPart(deps, target, media), ...target.thread.map((part) => toPart(deps, { ...target, ...part }, media))],
  first_comment: target.first_comment,
  options: target.options,
  now: deps.clock.now(),
  step,
})

const mediaIdsOf = ({ media_ids, thread }: PublishIntent['target']) => [
  ...media_ids,
  ...thread.flatMap((part) => part.media_ids),
]

async function readTargetMedia({ db }: Deps, { target }: PublishIntent): Promise<MediaById> {
  const ids = mediaIdsOf(target)
  const files = ids.length > 0 ? await readMediaForPost(db, target.workspace_id, ids) : []
  return new Map(files.map((file) => [file.id, file]))
}

type StoredTarget = Pick<PublishIntent['target'], 'content' | 'media_ids' | 'network' | 'account_limits'>

/** A part with its files, made to fit the account when they are opened. */
function toPart(deps: Deps, { content, media_ids, network, account_limits }: StoredTarget, media: MediaById): Part {
  const rules = capabilitiesOf({ network, limits: account_limits }).media
  const toFile = (file: StoredMedia): PartMedia => ({
    ...file,
    open: () => openMedia(deps, file, rules),
    url: () => mediaUrl(deps, file, { expires: new Date(deps.clock.now().getTime() + URL_MS) }, rules),
  })
  return { text: content, media: media_ids.flatMap((id) => media.get(id) ?? []).map(toFile) }
}

/** Reason why nothing more may be sent. What was sent is looked up nevertheless. */
function refusalOf({ target }: PublishIntent, media: MediaById): Failure | undefined {
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
  if (mediaIdsOf(target).some((id) => !media.has(id)))
    return { kind: 'failed', code: 'media_missing', message: 'A file of the post was deleted.' }
}

/**
 * Enqueues due targets without a job, so that none is lost silently, even when a job was given up after errors of ours.
 */
export const requeueStuckTargets = (db: Db, now: Date) =>
  inTransaction(db, async (tx) => {
    const stuck = await tx
      .selectFrom('post_target')
      .innerJoin('post', 'post.id', 'post_target.post_id')
      .select(['post_target.id', 'post_target.account_id'])
      .where('post.deleted_at', 'is', null)
      .where(sql<boolean>`post.status in ('scheduled', 'publishing')`)
      .where('post.scheduled_at', '<', new Date(now.getTime() - 120_000))
      .where('post_target.status', 'in', ['pending', 'publishing', 'unconfirmed'])
      .where(sql<boolean>`not exists (
        select from graphile_worker.jobs where key = 'publish:' || post_target.id and attempts < max_attempts)`)
      .limit(1000)
      .execute()
    for (const target of stuck) await enqueuePublish(tx, target)
    return stuck.length
  })
