import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { openAccount } from '../../accounts/renewals.ts'
import type { Outcome, Publication } from '../../networks/network.ts'
import { commitIntent, type PublishIntent } from './publish-intent.ts'
import { settle } from './publish-outcome.ts'
import { enqueuePublish, removePublishJob, untriedTargets } from './publish-queue.ts'

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
 * Publishes one post on one account. The intent is committed before the network is called. If it has no outcome (the
 * worker was killed or the response lost), the next run looks the post up before it sends.
 */
export async function publishTarget(
  deps: Deps,
  { target_id, isFollowing = false }: { target_id: string; isFollowing?: boolean },
) {
  const intent = await commitIntent(deps, target_id)
  if (!intent) return
  const publication = toPublication(deps, intent)
  let outcome = intent.isLookup ? await lookUp(deps, intent, publication) : await send(deps, intent, publication)
  if (outcome === 'absent') {
    outcome = await send(deps, intent, publication)
    // The earlier attempt may have arrived since then and caused the failure.
    if (outcome.kind === 'failed') {
      const again = await lookUp(deps, intent, publication)
      if (again !== 'absent') outcome = again
    }
  }
  const settled = outcome
  await inTransaction(deps.db, async (tx) => {
    const isDone = await settle(deps, tx, intent, settled)
    // The job of this target still waits. One that runs removes itself.
    if (isDone && isFollowing) await removePublishJob(tx, target_id)
  })
}

const toPublication = (deps: Deps, { target, key }: PublishIntent): Publication => ({
  ...openAccount(deps, {
    id: target.account_id,
    workspace_id: target.workspace_id,
    external_id: target.account_external_id,
    handle: target.handle,
    credentials: target.credentials,
    version: target.account_version,
  }),
  content: target.own_content ?? target.post_content,
  options: target.options,
  attempt_key: key,
  now: deps.clock.now(),
})

async function send(deps: Deps, { target, network }: PublishIntent, publication: Publication): Promise<Outcome> {
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
  try {
    return await network.publish(deps, publication)
  } catch (error) {
    // Networks return failures as outcomes. A thrown error is unexpected and may follow the sending.
    deps.log.error({ err: error, network: network.id }, 'a network failed unexpectedly')
    return { kind: 'unconfirmed', message: error instanceof Error ? error.message : String(error) }
  }
}

async function lookUp(deps: Deps, { network }: PublishIntent, publication: Publication): Promise<Outcome | 'absent'> {
  try {
    const finding = await network.find(deps, publication)
    if (finding.kind === 'published') return finding
    if (finding.kind === 'unknown') return { ...finding, kind: 'unconfirmed' }
    return network.idempotent ? 'absent' : { kind: 'unconfirmed', message: 'The network does not show the post yet.' }
  } catch (error) {
    deps.log.error({ err: error, network: network.id }, 'a network failed unexpectedly')
    return { kind: 'unconfirmed', message: error instanceof Error ? error.message : String(error) }
  }
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
