import type { Updateable } from 'kysely'
import { emit } from '../../../events.ts'
import { system } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { PostTarget } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { holdAccount, markDisconnected } from '../../accounts/accounts.ts'
import { personById } from '../../auth/users/users.ts'
import type { Failure, Postponement, Published } from '../../networks/network.ts'
import { nextUpdatedAt, readPost } from '../posts.ts'
import { noteFailure } from './failure-mails.ts'
import type { PublishIntent, Target } from './publish-intent.ts'
import { enqueuePublish } from './publish-queue.ts'
import { publishedParts, type StepJournal } from './step-journal.ts'

/** Outcome of an attempt, as far as known. */
export type Outcome = ({ kind: 'published' } & Published) | Failure

type Attempt = { outcome: Outcome; journal: StepJournal }

/** Waits before each retry after a certain failure, in seconds. After the last one the target fails. */
const RETRY_AFTER_S = [15, 60, 300, 1800]
/** Waits before each lookup of a post without a response, in seconds; the last one repeats. */
const LOOK_UP_AFTER_S = [5, 15, 60, 300, 1800]
/** Time to look up a post without a response, from the attempt. */
const UNCONFIRMED_MS = 24 * 3600_000

const NEVER_CONFIRMED =
  'The response was lost and the post was not found on the network within 24 hours. It may have been published.'

/**
 * Limit in bytes. Fifty targets with two of these each fit in the space that `validateAndRead` reserves for publishing.
 */
const MAX_NAME_BYTES = 500

/** Id or address from a network. Null if too long, because a part of it would name something else. */
const nameOf = (text: string | null) =>
  text !== null && Buffer.byteLength(JSON.stringify(text)) - 2 <= MAX_NAME_BYTES ? text : null

const inSeconds = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Stores the outcome, unless another attempt has started since. true: no further attempt follows. */
export async function settle(
  { clock }: Deps,
  tx: Tx,
  { target, id }: PublishIntent,
  { outcome, journal: { entries, hasProgress } }: Attempt,
) {
  const now = clock.now()
  await tx.selectFrom('post').select('id').where('id', '=', target.post_id).forUpdate().executeTakeFirst()
  const current = await tx
    .selectFrom('post_target')
    .select(['attempts', 'attempted_at'])
    .where('id', '=', target.id)
    .where('attempt_id', '=', id)
    .where('status', 'in', ['publishing', 'unconfirmed'])
    .executeTakeFirst()
  if (!current) return false

  // Failures of one step must not use up the attempts of the next.
  const attempts = hasProgress() ? 1 : current.attempts
  const journal = { steps: JSON.stringify(entries), published_parts: publishedParts(entries) }
  const update = (values: Updateable<PostTarget>) =>
    tx
      .updateTable('post_target')
      .set({ ...journal, needs_resolution: false, ...values })
      .where('id', '=', target.id)
      .execute()
  const failTarget = (error_code: string, message: string, needs_resolution = false) =>
    update({ status: 'failed', error_code, error_message: sanitizeExternalText(message), needs_resolution })
  const nth = (waits: number[]) => waits[Math.min(attempts, waits.length) - 1] ?? 0
  let isDone = true
  const enqueueAfter = async (wait_s: number, { retry_after_s = 0, is_limited }: Postponement) => {
    isDone = false
    const until = inSeconds(now, Math.max(wait_s, Math.min(retry_after_s, 86_400)))
    if (is_limited) await holdAccount(tx, target.account_id, until)
    await enqueuePublish(tx, target, until)
  }

  switch (outcome.kind) {
    case 'published':
      await update({
        status: 'published',
        external_id: nameOf(outcome.external_id),
        // Else what a member gave when resolving it stays.
        ...(outcome.url !== null && { url: nameOf(outcome.url) }),
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
      if (attempts > RETRY_AFTER_S.length) {
        await failTarget('network_unavailable', outcome.message)
        break
      }
      await update({
        status: 'pending',
        attempts,
        error_code: 'network_unavailable',
        error_message: sanitizeExternalText(outcome.message),
      })
      await enqueueAfter(nth(RETRY_AFTER_S), outcome)
      break
    case 'processing':
      // Waiting is no attempt: only a failure of ours would be one.
      await update({ attempts: attempts - 1, error_code: null, error_message: null })
      await enqueueAfter(1, outcome)
      break
    case 'unconfirmed': {
      const { needs_resolution = false, message } = outcome
      const lookUpUntil = new Date((current.attempted_at ?? now).getTime() + UNCONFIRMED_MS)
      if (now >= lookUpUntil) {
        await failTarget('unconfirmed', NEVER_CONFIRMED, needs_resolution)
        break
      }
      await update({
        status: 'unconfirmed',
        attempts,
        error_code: 'unconfirmed',
        error_message: sanitizeExternalText(message),
        needs_resolution,
      })
      // Only a person can find out, so asking the network again is of no use.
      await enqueueAfter(
        needs_resolution ? (lookUpUntil.getTime() - now.getTime()) / 1000 : nth(LOOK_UP_AFTER_S),
        outcome,
      )
      break
    }
  }
  await settlePost(tx, target, now)
  return isDone
}

/** Updates the post of a changed target. It is done with its last target; a mixed outcome emits both events. */
export async function settlePost(
  tx: Tx,
  { post_id, workspace_id }: Pick<Target, 'post_id' | 'workspace_id'>,
  now: Date,
) {
  const targets = await tx
    .selectFrom('post_target')
    .select(['status', 'published_parts'])
    .where('post_id', '=', post_id)
    .execute()
  const count = (status: string) => targets.filter((target) => target.status === status).length
  const [published, failed] = [count('published'), count('failed')]
  const isDone = published + failed === targets.length
  // Of a thread that broke in the middle, readers see the first parts.
  const isVisible = targets.some((target) => target.published_parts > 0)
  await tx
    .updateTable('post')
    .set({
      ...(isDone && {
        status: failed === 0 ? 'published' : published > 0 || isVisible ? 'partially_published' : 'failed',
      }),
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
