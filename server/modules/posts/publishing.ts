import { randomUUID } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { emit } from '../../events.ts'
import { system } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { PostTarget } from '../../lib/db/database-types.ts'
import type { Deps } from '../../lib/deps.ts'
import { sanitizeExternalText } from '../../lib/text.ts'
import { accountVersion, markDisconnected, openCredentials } from '../accounts/accounts.ts'
import { renewals } from '../accounts/renewals.ts'
import { personById } from '../auth/users/users.ts'
import type { Network, Outcome, Publication } from '../networks/network.ts'
import { networkOf } from '../networks/registry.ts'
import { noteFailure } from './failure-mails.ts'
import { nextUpdatedAt, readPost } from './posts.ts'
import { enqueuePublish } from './publish-queue.ts'

/** Waits before each retry after a certain failure, in seconds. After the last one the target fails. */
const RETRY_AFTER_S = [15, 60, 300, 1800]
/** Waits before each lookup of a post without a response, in seconds; the last one repeats. */
const LOOK_UP_AFTER_S = [5, 15, 60, 300, 1800]
/** Time to look up a post without a response, from the attempt. */
const UNCONFIRMED_MS = 24 * 3600_000

type Target = NonNullable<Awaited<ReturnType<typeof findTarget>>>

/** `now()` is the time by which the job was woken, so a job that runs is due whatever the clock of this node says. */
const findTarget = (tx: Tx, id: string, now: Date) =>
  tx
    .selectFrom('post_target')
    .innerJoin('post', 'post.id', 'post_target.post_id')
    .innerJoin('account', 'account.id', 'post_target.account_id')
    .innerJoin('workspace', 'workspace.id', 'post.workspace_id')
    .select([
      'post_target.id',
      'post_target.post_id',
      'post_target.status',
      'post_target.options',
      'post_target.attempt_key',
      'post_target.attempts',
      'post_target.attempted_at',
      'post_target.content as own_content',
      'post.content as post_content',
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
      'account.status as account_status',
      accountVersion.as('account_version'),
    ])
    .where('post_target.id', '=', id)
    .where('post.deleted_at', 'is', null)
    .forUpdate(['post', 'post_target'])
    .executeTakeFirst()

type PublishIntent = { target: Target; network: Network; id: string; key: string; isLookup: boolean }

/**
 * Publishes one post on one account. The intent is committed before the network is called. If it has no outcome (the
 * worker was killed or the response lost), the next run looks the post up before it sends.
 */
export async function publishTarget(deps: Deps, { target_id }: { target_id: string }) {
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
  await inTransaction(deps.db, (tx) => settle(deps, tx, intent, settled))
}

/** Stores the intent; undefined if there is nothing to do. */
const commitIntent = ({ db, clock }: Deps, target_id: string) =>
  inTransaction(db, async (tx): Promise<PublishIntent | undefined> => {
    const now = clock.now()
    const target = await findTarget(tx, target_id, now)
    if (!target || target.status === 'published' || target.status === 'failed') return
    if (target.post_status !== 'scheduled' && target.post_status !== 'publishing') return
    if (target.post_status === 'scheduled' && target.scheduled_at && !target.is_due) {
      await enqueuePublish(tx, target, target.scheduled_at)
      return
    }
    const network = networkOf(target)
    const isLookup = target.status !== 'pending'
    const key = target.attempt_key ?? network.newAttemptKey(now)
    const id = randomUUID()
    await tx
      .updateTable('post_target')
      .set({
        status: isLookup ? 'unconfirmed' : 'publishing',
        attempt_id: id,
        attempt_key: key,
        attempts: target.attempts + 1,
        ...((!isLookup || target.post_status === 'scheduled') && { attempted_at: now }),
      })
      .where('id', '=', target_id)
      .execute()
    await tx
      .updateTable('post')
      .set({ status: 'publishing', updated_at: nextUpdatedAt(now) })
      .where('id', '=', target.post_id)
      .execute()
    return { target, network, id, key, isLookup }
  })

const toPublication = (deps: Deps, { target, key }: PublishIntent): Publication => ({
  ...renewals(deps, {
    id: target.account_id,
    workspace_id: target.workspace_id,
    credentials: target.credentials,
    version: target.account_version,
  }),
  account: {
    id: target.account_id,
    workspace_id: target.workspace_id,
    external_id: target.account_external_id,
    handle: target.handle,
    credentials: openCredentials(deps, { id: target.account_id, credentials: target.credentials }),
  },
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
    if (finding.kind === 'unknown') return { kind: 'unconfirmed', message: finding.message }
    return network.idempotent ? 'absent' : { kind: 'unconfirmed', message: 'The network does not show the post yet.' }
  } catch (error) {
    deps.log.error({ err: error, network: network.id }, 'a network failed unexpectedly')
    return { kind: 'unconfirmed', message: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Limit in bytes. Fifty targets with two of these each fit in the space that `validateAndRead` reserves for publishing.
 */
const MAX_NAME_BYTES = 500

/** Id or address from a network. Null if too long, because a part of it would name something else. */
const nameOf = (text: string | null) =>
  text !== null && Buffer.byteLength(JSON.stringify(text)) - 2 <= MAX_NAME_BYTES ? text : null

const inSeconds = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Stores the outcome, unless another attempt has started since. */
async function settle({ clock }: Deps, tx: Tx, { target, id }: PublishIntent, outcome: Outcome) {
  const now = clock.now()
  await tx.selectFrom('post').select('id').where('id', '=', target.post_id).forUpdate().executeTakeFirst()
  const current = await tx
    .selectFrom('post_target')
    .select(['attempts', 'attempted_at'])
    .where('id', '=', target.id)
    .where('attempt_id', '=', id)
    .where('status', 'in', ['publishing', 'unconfirmed'])
    .executeTakeFirst()
  if (!current) return

  const update = (values: Updateable<PostTarget>) =>
    tx.updateTable('post_target').set(values).where('id', '=', target.id).execute()
  const failTarget = (error_code: string, message: string) =>
    update({ status: 'failed', error_code, error_message: sanitizeExternalText(message) })
  const nth = (waits: number[]) => waits[Math.min(current.attempts, waits.length) - 1] ?? 0

  switch (outcome.kind) {
    case 'published':
      await update({
        status: 'published',
        external_id: nameOf(outcome.external_id),
        url: nameOf(outcome.url),
        published_at: now,
        error_code: null,
        error_message: null,
      })
      break
    case 'failed':
      await failTarget(outcome.code, outcome.message)
      break
    case 'unauthorized':
      await markDisconnected(
        tx,
        system(target.workspace_id),
        { workspace_id: target.workspace_id, id: target.account_id, version: target.account_version },
        outcome.message,
        now,
      )
      await failTarget('account_disconnected', `The network no longer accepts the credentials: ${outcome.message}`)
      break
    case 'unavailable':
      if (current.attempts > RETRY_AFTER_S.length) {
        await failTarget('network_unavailable', outcome.message)
        break
      }
      await update({
        status: 'pending',
        error_code: 'network_unavailable',
        error_message: sanitizeExternalText(outcome.message),
      })
      await enqueuePublish(
        tx,
        target,
        inSeconds(now, Math.max(nth(RETRY_AFTER_S), Math.min(outcome.retry_after_s ?? 0, 86_400))),
      )
      break
    case 'unconfirmed':
      if (current.attempted_at && now.getTime() - current.attempted_at.getTime() >= UNCONFIRMED_MS) {
        await failTarget(
          'unconfirmed',
          'The response was lost and the post was not found on the network within 24 hours. It may have been published.',
        )
        break
      }
      await update({
        status: 'unconfirmed',
        error_code: 'unconfirmed',
        error_message: sanitizeExternalText(outcome.message),
      })
      await enqueuePublish(tx, target, inSeconds(now, nth(LOOK_UP_AFTER_S)))
      break
  }
  await settlePost(tx, target, now)
}

/** Updates the post of a changed target. It is done with its last target; a mixed outcome emits both events. */
async function settlePost(tx: Tx, { post_id, workspace_id }: Target, now: Date) {
  const targets = await tx.selectFrom('post_target').select('status').where('post_id', '=', post_id).execute()
  const count = (status: string) => targets.filter((target) => target.status === status).length
  const [published, failed] = [count('published'), count('failed')]
  const isDone = published + failed === targets.length
  await tx
    .updateTable('post')
    .set({
      ...(isDone && { status: failed === 0 ? 'published' : published === 0 ? 'failed' : 'partially_published' }),
      ...(isDone && published > 0 && { published_at: now }),
      updated_at: nextUpdatedAt(now),
    })
    .where('id', '=', post_id)
    .execute()
  if (!isDone) return
  const post = await readPost(tx, { workspace_id }, post_id)
  const author = (await personById(tx, post.author_id)) ?? null
  if (published > 0) await emit(tx, 'post.published', workspace_id, { post, author }, now)
  if (failed === 0) return
  await emit(tx, 'post.failed', workspace_id, { post, author }, now)
  await noteFailure(tx, { ...post, workspace_id }, now)
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
      .where('post.status', 'in', ['scheduled', 'publishing'])
      .where('post.scheduled_at', '<', new Date(now.getTime() - 120_000))
      .where('post_target.status', 'in', ['pending', 'publishing', 'unconfirmed'])
      .where(sql<boolean>`not exists (
        select from graphile_worker.jobs where key = 'publish:' || post_target.id and attempts < max_attempts)`)
      .limit(1000)
      .execute()
    for (const target of stuck) await enqueuePublish(tx, target)
    return stuck.length
  })
