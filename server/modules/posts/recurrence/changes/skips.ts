import { type NotNull, sql } from 'kysely'
import { DAY } from '../../../../../shared/time.ts'
import { invalid, invalidTransition } from '../../../../errors.ts'
import { audit } from '../../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { emit } from '../../../../lib/events/emit.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { deletePost } from '../../authoring/deletion.ts'
import { dueAt, enqueueOccurrences } from '../horizon.ts'
import { isOccurrence, nextOccurrence } from '../occurrences.ts'
import { recurrenceEvents } from '../recurrence.events.ts'
import { lockRecurringPost, readRecurringPost } from '../recurring-post.ts'
import { nextVariant } from '../variants.ts'

/** Decisions ahead are read with their recurring post, so there are not more of them than days in this time. */
const MAX_AHEAD_MS = 366 * DAY

export const findDecided = (tx: Tx, recurring_post_id: string, occurs_at: Date) =>
  tx
    .selectFrom('post_occurrence')
    .leftJoin('post', (join) => join.onRef('post.id', '=', 'post_id').on('post.deleted_at', 'is', null))
    .select(['post_occurrence.id', 'post_occurrence.status', 'post.id as post_id', 'post.status as post_status'])
    .where('post_occurrence.recurring_post_id', '=', recurring_post_id)
    .where('occurs_at', '=', occurs_at)
    .executeTakeFirst()

/** Locks the post of an occurrence, so that it is not being restored. One that is restored later is a draft. */
const lockDeletedPost = (tx: Tx, recurring_post_id: string, occurs_at: Date) =>
  tx
    .selectFrom('post')
    .select('id')
    .where('id', 'in', (where) =>
      where
        .selectFrom('post_occurrence')
        .select('post_id')
        .where('recurring_post_id', '=', recurring_post_id)
        .where('occurs_at', '=', occurs_at)
        .$narrowType<{ post_id: NotNull }>(),
    )
    .forUpdate()
    .execute()

export const notToCome = () =>
  invalid('/occurs_at', {
    en: 'This is not the time of an occurrence to come. Take one of `next_occurrences`.',
    tr: 'Bu, sıradaki tekrarlardan birinin zamanı değil. `next_occurrences` içinden birini seçin.',
  })

export function refuseFarAhead(occurs_at: Date, now: Date) {
  if (occurs_at.getTime() - now.getTime() > MAX_AHEAD_MS)
    throw invalid('/occurs_at', {
      en: 'Choose a time at most a year ahead.',
      tr: 'En çok bir yıl sonraki bir zamanı seçin.',
    })
}

/** Skips an occurrence to come. Its post, if it has one that is not published, is deleted as by a member. */
export const skipOccurrence = (deps: Deps, caller: Member, id: string, input: { occurs_at: string }) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const before = await lockRecurringPost(tx, caller, id, now)
    const occurs_at = new Date(input.occurs_at)
    refuseFarAhead(occurs_at, now)
    const decided = await findDecided(tx, id, occurs_at)
    if (!decided && (occurs_at <= now || !isOccurrence(before, occurs_at))) throw notToCome()
    if (decided?.status === 'skipped') return before
    if (decided?.post_id && decided.post_status !== 'scheduled' && decided.post_status !== 'draft')
      throw invalidTransition(decided.post_status ?? 'published', 'skip an occurrence')
    if (decided?.post_id) await deletePost({ ...deps, db: tx }, caller, decided.post_id)
    const skipped = { status: 'skipped', reason: 'by_member', detail: null } as const
    if (decided) await tx.updateTable('post_occurrence').set(skipped).where('id', '=', decided.id).execute()
    else
      await tx
        .insertInto('post_occurrence')
        .values({ recurring_post_id: id, occurs_at, variant: nextVariant(before), ...skipped, created_at: now })
        .execute()
    // It may be the one that waits.
    const next_at = nextOccurrence(before, occurs_at)
    await tx
      .updateTable('recurring_post')
      .set({ next_at, due_at: before.paused_at ? null : dueAt(next_at), waiting_reason: null, waiting_detail: null })
      .where('id', '=', id)
      .where('next_at', '=', occurs_at)
      .execute()
    const data = { recurring_post_id: id, occurs_at, reason: skipped.reason, detail: null }
    await emit(tx, recurrenceEvents['recurring_post.occurrence_skipped'], caller.workspace_id, data, now)
    await audit(tx, caller, 'recurring_post.occurrence_skipped', id, { occurs_at, reason: skipped.reason })
    return readRecurringPost(tx, caller, id, now)
  })

/** Undoes the skip of an occurrence to come: its post is created again. */
export const unskipOccurrence = (deps: Deps, caller: Member, id: string, input: { occurs_at: string }) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const before = await lockRecurringPost(tx, caller, id, now)
    const occurs_at = new Date(input.occurs_at)
    await lockDeletedPost(tx, id, occurs_at)
    const decided = await findDecided(tx, id, occurs_at)
    if (occurs_at <= now) throw notToCome()
    if (decided?.status !== 'skipped') throw invalidTransition(decided?.status ?? 'planned', 'undo a skip')
    // A post that was restored after the skip takes the place.
    if (decided.post_id)
      await tx
        .updateTable('post_occurrence')
        .set({ status: 'created', reason: null })
        .where('id', '=', decided.id)
        .execute()
    else await tx.deleteFrom('post_occurrence').where('id', '=', decided.id).execute()
    // The job goes on from here, and leaves out the occurrences that exist.
    if (!decided.post_id && isOccurrence(before, occurs_at))
      await tx
        .updateTable('recurring_post')
        .set({
          next_at: occurs_at,
          due_at: before.paused_at ? null : dueAt(occurs_at),
          waiting_reason: null,
          waiting_detail: null,
        })
        .where('id', '=', id)
        .where(sql<boolean>`(next_at is null or next_at > ${occurs_at})`)
        .execute()
    await enqueueOccurrences(tx)
    await audit(tx, caller, 'recurring_post.skip_undone', id, { occurs_at })
    return readRecurringPost(tx, caller, id, now)
  })
