import { sql } from 'kysely'
import { invalid, invalidTransition, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { type Complete, nothingToKeep } from '../../../lib/http/idempotency.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { accountVersion, markDisconnected } from '../../accounts/accounts.ts'
import { openAccount } from '../../accounts/open-account.ts'
import { doneBy } from '../../auth/event-actor.ts'
import type { AccountLimits } from '../../networks/capabilities.ts'
import { type Failure, NetworkFault, networkNames, type PublishedPost } from '../../networks/network.ts'
import { capabilitiesOf, networkOf, textFor } from '../../networks/registry.ts'
import { updateStatus } from '../publishing/publish-outcome.ts'
import { isUnsettled, type StepEntry } from '../publishing/step-journal.ts'
import { changedBy, lockPost } from '../record/lock-post.ts'
import { assertFitsEvents, postEvents } from '../record/posts.events.ts'
import { readPost } from '../record/select-posts.ts'
import { addedLength, textProblems } from '../validation/problems.ts'

/** Fifty networks that each take as long as a call may. */
export const UNPUBLISH_MS = 50 * 30_000

type Target = Awaited<ReturnType<typeof publishedTargets>>[number]

/** Targets that readers see, whole or in part. The caller may change the post; nothing stays locked. */
const publishedTargets = ({ db }: Pick<Deps, 'db'>, caller: Member, id: string, ifMatch?: IfMatch) =>
  inTransaction(db, async (tx) => {
    const post = await lockPost(tx, caller, id)
    ifMatch?.(post.version)
    if (post.status !== 'published' && post.status !== 'partially_published')
      throw invalidTransition(post.status, 'change what was published')
    return tx
      .selectFrom('post_target')
      .innerJoin('post', 'post.id', 'post_id')
      .innerJoin('account', 'account.id', 'account_id')
      .select([
        'post_target.id',
        'post_target.status',
        'post_target.external_id',
        'post_target.url',
        'post_target.attempt_id',
        'needs_resolution',
        'post_target.options',
        sql<boolean>`cardinality(coalesce(post_target.media_ids, post.media_ids)) > 0`.as('has_media'),
        'account_id',
        'network',
        'account.external_id as account_external_id',
        'handle',
        'credentials',
        'account.status as account_status',
        sql<AccountLimits>`account.limits`.as('limits'),
        sql<StepEntry[]>`post_target.steps`.as('steps'),
        accountVersion.as('version'),
      ])
      .where('post_id', '=', id)
      .where((where) => where.or([where('post_target.status', '=', 'published'), where('published_parts', '>', 0)]))
      .where('post_target.status', 'in', ['published', 'failed'])
      .orderBy('position')
      .execute()
  })

const toPublishedPost = (deps: Deps, { workspace_id }: Member, target: Target): PublishedPost => ({
  ...openAccount(deps, {
    id: target.account_id,
    workspace_id,
    external_id: target.account_external_id,
    handle: target.handle,
    credentials: target.credentials,
    version: target.version,
  }),
  external_id: target.external_id ?? '',
  url: target.url,
  results: Object.fromEntries(target.steps.map(({ name, result }) => [name, result])),
})

/** Undefined when the network did it. Repeating these calls is harmless, so a lost response needs no lookup. */
async function failureOf(deps: Deps, work: Promise<void>): Promise<Failure | undefined> {
  try {
    await work
    return
  } catch (thrown) {
    if (thrown instanceof NetworkFault) return thrown.failure
    deps.log.error({ err: thrown }, 'a network failed unexpectedly')
    return { kind: 'unavailable', message: 'The network could not be reached.' }
  }
}

/** Marks the account of a call that the network refused for its credentials. */
async function noteRefusal(tx: Tx, caller: Member, { account_id, version }: Target, failure: Failure, now: Date) {
  if (failure.kind !== 'unauthorized') return
  const { workspace_id } = caller
  await markDisconnected(tx, caller, { workspace_id, id: account_id, version }, failure.message, now)
}

/** Keeps a retry from continuing a thread whose first parts are being deleted. */
const beginUnpublishing = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const { status } = await lockPost(tx, caller, id)
    if (status !== 'published' && status !== 'partially_published')
      throw invalidTransition(status, 'change what was published')
    const unpublishing_until = new Date(clock.now().getTime() + UNPUBLISH_MS)
    await tx.updateTable('post').set({ unpublishing_until }).where('id', '=', id).execute()
  })

/**
 * Deletes the post on every network that allows it, then stores what was deleted. A target whose network fails stays
 * published with the error; a further call tries it again.
 */
export async function unpublishPost(deps: Deps, caller: Member, id: string, complete: Complete = nothingToKeep) {
  const found = await publishedTargets(deps, caller, id)
  // Nobody knows what to delete for a part whose response was lost.
  const unsure = found.find((target) => target.needs_resolution || target.steps.some(isUnsettled))
  if (unsure) throw invalidTransition('unconfirmed', 'delete a post on its networks')
  const targets = found.filter((target) => capabilitiesOf(target).delete)
  if (targets.length === 0) throw problem('not_supported_by_network')
  await beginUnpublishing(deps, caller, id)
  const failures = new Map<string, Failure | undefined>()
  for (const target of targets) {
    const work = networkOf(target).remove?.(deps, toPublishedPost(deps, caller, target))
    failures.set(target.id, await failureOf(deps, work ?? Promise.resolve()))
  }
  return inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    await lockPost(tx, caller, id)
    for (const target of targets) {
      const failure = failures.get(target.id)
      if (failure) await noteRefusal(tx, caller, target, failure, now)
      await tx
        .updateTable('post_target')
        .set(
          failure
            ? { error_code: 'unpublish_failed', error_message: sanitizeExternalText(failure.message) }
            : { status: 'unpublished', published_parts: 0, steps: '[]', error_code: null, error_message: null },
        )
        .where('id', '=', target.id)
        .where('status', '=', target.status)
        .where(sql<boolean>`attempt_id is not distinct from ${target.attempt_id}`)
        .execute()
    }
    await updateStatus(tx, id)
    await tx
      .updateTable('post')
      .set({ unpublishing_until: null, ...changedBy(caller, now) })
      .where('id', '=', id)
      .execute()
    const post = await readPost(tx, caller, id)
    await emit(
      tx,
      postEvents['post.updated'],
      caller.workspace_id,
      { post, change: 'unpublished', by: doneBy(caller) },
      now,
    )
    await audit(tx, caller, 'post.unpublished', id, {
      targets: targets.map((target) => ({ id: target.id, failed: failures.get(target.id) !== undefined })),
    })
    await complete(tx, post)
    return post
  })
}

/** Refuses a text that nobody approves: an edit goes out at once. */
async function assertEditable({ db }: Deps, caller: Member, { review }: { review: string }, { account_id }: Target) {
  const { rows } = await sql<{ asks: boolean }>`
    select approval_policy_of(${caller.workspace_id}, ${account_id}) is not null as asks`.execute(db)
  if (rows[0]?.asks || (review !== 'none' && !atLeast(caller.role, 'editor')))
    throw problem('post_not_approved', {
      detail: 'Posts on this account need an approval, so their text cannot be changed on the network.',
    })
}

/** Changes the text of a published post on one account, there and then here. */
export async function editPublished(
  deps: Deps,
  caller: Member,
  { id, target_id }: { id: string; target_id: string },
  content: string,
  ifMatch: IfMatch,
) {
  const target = (await publishedTargets(deps, caller, id, ifMatch)).find((one) => one.id === target_id)
  if (target?.status !== 'published') throw notFound()
  const network = networkOf(target)
  const { edit } = network
  const name = networkNames(network)
  if (!edit || !capabilitiesOf(target).edit) throw problem('not_supported_by_network')
  const capabilities = capabilitiesOf(target)
  const added = addedLength(target, capabilities)
  const errors = textProblems(content, { pointer: '/content', name, capabilities, hasMedia: target.has_media, added })
  if (errors.length > 0) throw problem('validation_failed', { errors })
  const post = await readPost(deps.db, caller, id)
  await assertEditable(deps, caller, post, target)
  assertFitsEvents({
    ...post,
    targets: post.targets.map((one) => (one.id === target_id ? { ...one, content } : one)),
  })
  const failure = await failureOf(deps, edit(deps, toPublishedPost(deps, caller, target), textFor(network, content)))
  if (failure) {
    await inTransaction(deps.db, (tx) => noteRefusal(tx, caller, target, failure, deps.clock.now()))
    const detail = sanitizeExternalText(failure.message)
    if (failure.kind === 'failed')
      throw invalid('/content', {
        en: `${name} rejected the change: ${detail}`,
        tr: `${name} değişikliği reddetti: ${detail}`,
      })
    throw problem(failure.kind === 'unauthorized' ? 'account_refused' : 'account_unreachable', { detail })
  }
  return inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    await lockPost(tx, caller, id)
    const { numUpdatedRows } = await tx
      .updateTable('post_target')
      .set({ content })
      .where('id', '=', target_id)
      .where('status', '=', 'published')
      .executeTakeFirst()
    // Deleted on its network while this call was there.
    if (numUpdatedRows === 0n) throw invalidTransition('unpublished', 'change what was published')
    await tx.updateTable('post').set(changedBy(caller, now)).where('id', '=', id).execute()
    const post = await readPost(tx, caller, id)
    await emit(tx, postEvents['post.updated'], caller.workspace_id, { post, change: 'edited', by: doneBy(caller) }, now)
    await audit(tx, caller, 'post.edited_on_network', id, { target_id })
    return post
  })
}
