import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalidTransition } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt } from '../../../lib/db/database.ts'
import { type PageInput, page, pageOfWorkspace } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { distinctLabels } from '../../../lib/text.ts'
import { actingUser } from '../../notifications/notify.ts'
import { readActingMember } from '../../workspaces/members/acting-member.ts'
import { keepDays } from './changes/keep-days.ts'
import { removeUpcoming } from './changes/remove-upcoming.ts'
import { enqueueOccurrences, firstTimes } from './horizon.ts'
import { notifyPaused } from './notify-paused.ts'
import { checkRecurrence } from './occurrences.ts'
import type { ChangeRecurringPost, NewRecurringPost, OccurrenceReason } from './recurrence.schema.ts'
import {
  lockRecurringPost,
  lockWorkspaceWithRoom,
  readRecurringPost,
  selectRecurringPosts,
  toRecord,
} from './recurring-post.ts'
import { normalizedRule } from './rule.ts'
import { checkedVariants, mediaOf, rewound } from './variants.ts'

const audited = ['rule', 'starts_at', 'timezone', 'labels', 'variant_order'] as const

export async function listRecurringPosts({ db, clock }: Deps, { workspace_id }: Member, cut: PageInput) {
  const now = clock.now()
  const { data, next_cursor } = await pageOfWorkspace(
    selectRecurringPosts(db, now),
    'recurring_post',
    workspace_id,
    cut,
  )
  const records: ReturnType<typeof toRecord>[] = []
  for (const row of data) {
    records.push(toRecord(row, now))
    // Some rules take a tenth of a second to compute. Other requests run in between.
    await setImmediate()
  }
  return { data: records, next_cursor }
}

export const readOwnRecurringPost = ({ db, clock }: Deps, caller: Member, id: string) =>
  readRecurringPost(db, caller, id, clock.now())

/** Lists what became of the occurrences of a recurring post, the latest decision first. */
export async function listOccurrences({ db, clock }: Deps, caller: Member, id: string, cut: PageInput) {
  await readRecurringPost(db, caller, id, clock.now())
  const query = db
    .selectFrom('post_occurrence')
    .select(['id', 'occurs_at', 'status', 'variant', 'post_id', 'detail', 'created_at'])
    .select(sql<OccurrenceReason | null>`reason`.as('reason'))
    .where('recurring_post_id', '=', id)
  return page(query, 'post_occurrence.id', cut)
}

export const createRecurringPost = (deps: Deps, caller: Member, input: Static<typeof NewRecurringPost>) =>
  inTransaction(deps.db, async (tx) => {
    const { workspace_id, user_id: author_id } = caller
    const now = deps.clock.now()
    const workspace = await lockWorkspaceWithRoom(tx, caller)
    const { starts_at, timezone = workspace.timezone, labels = [], variant_order = 'in_order' } = input
    const recurrence = { rule: normalizedRule(input.rule), starts_at, timezone }
    checkRecurrence(recurrence, now)
    const variants = await checkedVariants({ ...deps, db: tx }, caller, input.variants)
    const { id } = await tx
      .insertInto('recurring_post')
      .values({
        workspace_id,
        author_id,
        ...recurrence,
        variants: JSON.stringify(variants),
        variant_order,
        media_ids: mediaOf(variants),
        labels: distinctLabels(labels),
        ...firstTimes(recurrence, now),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueueOccurrences(tx)
    await audit(tx, caller, 'recurring_post.created', id, { ...recurrence, variants: variants.length })
    return readRecurringPost(tx, caller, id, now)
  })

/** Changes a recurring post, and replaces the posts to come that nobody edited. */
export const changeRecurringPost = (
  deps: Deps,
  caller: Member,
  id: string,
  input: Static<typeof ChangeRecurringPost>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const within = { ...deps, db: tx }
    const before = await lockRecurringPost(tx, caller, id, now)
    ifMatch(before.version)
    const { rule, starts_at, timezone, labels, variant_order } = { ...before, ...input }
    const recurrence = { rule: normalizedRule(rule), starts_at, timezone }
    if (input.rule ?? input.starts_at ?? input.timezone) checkRecurrence(recurrence, now)
    const variants = input.variants && (await checkedVariants(within, caller, input.variants))
    const { removed, remove } = await removeUpcoming(within, tx, caller, id, now)
    await keepDays(tx, id, { from: before, to: recurrence, now })
    const { due_at, ...times } = firstTimes(recurrence, now)
    await tx
      .updateTable('recurring_post')
      .set({
        ...recurrence,
        labels: distinctLabels(labels),
        ...(variants && { variants: JSON.stringify(variants), media_ids: mediaOf(variants) }),
        variant_order,
        ...rewound(before, removed, (variants ?? before.variants).length),
        ...times,
        due_at: before.paused_at ? null : due_at,
        updated_at: nextUpdatedAt(now),
      })
      .where('id', '=', id)
      .execute()
    await enqueueOccurrences(tx)
    const after = await readRecurringPost(tx, caller, id, now)
    await audit(tx, caller, 'recurring_post.updated', id, {
      ...changedFields(
        before,
        after,
        audited.filter((field) => input[field] !== undefined),
      ),
      fields: Object.keys(input),
    })
    await remove()
    return after
  })

/** Deletes a recurring post, and the posts to come that nobody edited. The others stay. */
export const deleteRecurringPost = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const { rule } = await lockRecurringPost(tx, caller, id, now)
    const { remove } = await removeUpcoming({ ...deps, db: tx }, tx, caller, id, now)
    await tx.deleteFrom('recurring_post').where('id', '=', id).execute()
    await audit(tx, caller, 'recurring_post.deleted', id, { rule })
    await remove()
  })

/** Stops a recurring post, and removes the posts to come that nobody edited. */
export const pauseRecurringPost = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const before = await lockRecurringPost(tx, caller, id, now)
    if (before.paused_at) throw invalidTransition('paused', 'pause a recurring post')
    const { removed, remove } = await removeUpcoming({ ...deps, db: tx }, tx, caller, id, now)
    await tx
      .updateTable('recurring_post')
      .set({
        paused_at: now,
        pause_reason: 'by_member',
        due_at: null,
        waiting_reason: null,
        waiting_detail: null,
        ...rewound(before, removed),
        updated_at: nextUpdatedAt(now),
      })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'recurring_post.paused', id, { reason: 'by_member' })
    const to = { user_ids: [before.author_id] }
    await notifyPaused(tx, before, { actor_id: actingUser(caller), reason: 'by_member', to, now })
    await remove()
    return readRecurringPost(tx, caller, id, now)
  })

/** Goes on with the first occurrence after now. What was to come during the pause is not caught up. */
export const resumeRecurringPost = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const before = await lockRecurringPost(tx, caller, id, now)
    if (!before.paused_at) throw invalidTransition(before.status, 'resume a recurring post')
    const author = await readActingMember(
      tx,
      { user_id: before.author_id, workspace_id: before.workspace_id },
      'author',
    )
    await tx
      .updateTable('recurring_post')
      .set({
        ...(!author && { author_id: caller.user_id }),
        paused_at: null,
        pause_reason: null,
        ...firstTimes(before, now),
        updated_at: nextUpdatedAt(now),
      })
      .where('id', '=', id)
      .execute()
    await enqueueOccurrences(tx)
    await audit(tx, caller, 'recurring_post.resumed', id)
    return readRecurringPost(tx, caller, id, now)
  })
