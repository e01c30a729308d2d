import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid } from '../../../../errors.ts'
import { audit } from '../../../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { emitEach } from '../../../../lib/events/emit.ts'
import type { Member } from '../../../../lib/http/access.ts'
import type { IfMatch } from '../../../../lib/http/etag.ts'
import { distinctLabels } from '../../../../lib/text.ts'
import { doneBy } from '../../../auth/event-actor.ts'
import { postEvents } from '../../record/posts.events.ts'
import { readPosts } from '../../record/select-posts.ts'
import { enqueueOccurrences, firstTimes } from '../horizon.ts'
import { checkRecurrence, type Recurrence, splitAt } from '../occurrences.ts'
import type { ChangeImpactQuery, SplitRecurringPost } from '../recurrence.schema.ts'
import { lockRecurringPost, lockWorkspaceWithRoom, readRecurringPost } from '../recurring-post.ts'
import { normalizedRule } from '../rule.ts'
import { checkedVariants, mediaOf, rewound } from '../variants.ts'
import { keepDays } from './keep-days.ts'
import { removeUpcoming, untouched } from './remove-upcoming.ts'

/** The two parts of a recurrence, cut before an occurrence to come. */
function partsOf(recurrence: Recurrence, from: Date, now: Date) {
  const parts = from > now ? splitAt(recurrence, from) : undefined
  if (parts) return parts
  throw invalid('/from', {
    en: 'This is not the time of an occurrence to come. Take one of `next_occurrences`.',
    tr: 'Bu, sıradaki tekrarlardan birinin zamanı değil. `next_occurrences` içinden birini seçin.',
  })
}

/** Has what was decided from a time on belong to another recurring post, so that edited and skipped ones keep their place. */
async function moveDecided(
  tx: Tx,
  caller: Member,
  { id, into, from, now }: { id: string; into: string; from: Date; now: Date },
) {
  const moved = await tx
    .updateTable('post')
    .set({ recurring_post_id: into, updated_at: nextUpdatedAt(now) })
    .where('recurring_post_id', '=', id)
    .where(sql<SqlBool>`id in (
      select post_id from post_occurrence where recurring_post_id = ${id} and occurs_at >= ${from})`)
    .returning(['id', 'deleted_at'])
    .execute()
  await tx
    .updateTable('post_occurrence')
    .set({ recurring_post_id: into })
    .where('recurring_post_id', '=', id)
    .where('occurs_at', '>=', from)
    .execute()
  const posts = await readPosts(
    tx,
    moved.flatMap((post) => (post.deleted_at ? [] : [post.id])),
  )
  const by = doneBy(caller)
  const updated = posts.map((post) => ({ post, change: 'edited' as const, by }))
  await emitEach(tx, postEvents['post.updated'], caller.workspace_id, updated, now)
}

/** Ends a recurring post before an occurrence, and begins a new one with it that has the changes. */
export const splitRecurringPost = (
  deps: Deps,
  caller: Member,
  id: string,
  { from: time, ...input }: Static<typeof SplitRecurringPost>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const from = new Date(time)
    const within = { ...deps, db: tx }
    await lockWorkspaceWithRoom(tx, caller)
    const before = await lockRecurringPost(tx, caller, id, now)
    ifMatch(before.version)
    const { former, following } = partsOf(before, from, now)
    if (!former)
      throw invalid('/from', {
        en: 'This is the first occurrence. Change the recurring post itself.',
        tr: 'Bu ilk tekrar. Yinelenen gönderinin kendisini değiştirin.',
      })
    const { rule, starts_at, timezone, labels, variant_order } = { ...before, ...following, ...input }
    const recurrence = { rule: normalizedRule(rule), starts_at, timezone }
    checkRecurrence(recurrence, now)
    if (starts_at.slice(0, 10) < following.starts_at.slice(0, 10))
      throw invalid('/starts_at', {
        en: `Start on or after the day of \`from\`, ${following.starts_at.slice(0, 10)}.`,
        tr: `\`from\` gününde ya da sonrasında başlayın: ${following.starts_at.slice(0, 10)}.`,
      })
    const variants = input.variants ? await checkedVariants(within, caller, input.variants) : before.variants
    const { removed, remove } = await removeUpcoming(within, tx, caller, id, new Date(from.getTime() - 1))
    const { paused_at, pause_reason, author_id, workspace_id } = before
    const timesOf = (part: Recurrence) => {
      const times = firstTimes(part, now)
      return { ...times, due_at: paused_at ? null : times.due_at }
    }
    const { id: into } = await tx
      .insertInto('recurring_post')
      .values({
        ...{ workspace_id, author_id, ...recurrence, split_from: id, paused_at, pause_reason },
        variants: JSON.stringify(variants),
        media_ids: mediaOf(variants),
        labels: distinctLabels(labels),
        variant_order,
        ...rewound(before, removed, variants.length),
        ...timesOf(recurrence),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await moveDecided(tx, caller, { id, into, from, now })
    await keepDays(tx, into, { from: before, to: recurrence, now })
    await tx
      .updateTable('recurring_post')
      .set({ rule: former.rule, ...timesOf(former), updated_at: nextUpdatedAt(now) })
      .where('id', '=', id)
      .execute()
    await enqueueOccurrences(tx)
    await audit(tx, caller, 'recurring_post.split', id, { from, into, fields: Object.keys(input) })
    await remove()
    return readRecurringPost(tx, caller, into, now)
  })

/** What a change would concern: that of all posts to come, or of those from a time on. Changes nothing. */
export async function readChangeImpact(
  { db, clock }: Deps,
  caller: Member,
  id: string,
  { from }: Static<typeof ChangeImpactQuery>,
) {
  const now = clock.now()
  const recurring = await readRecurringPost(db, caller, id, now)
  const parts = from === undefined ? undefined : partsOf(recurring, new Date(from), now)
  const since = from === undefined ? now : new Date(new Date(from).getTime() - 1)
  const isToCome = sql<SqlBool>`(occurs_at > ${since} and post.status in ('draft', 'scheduled'))`
  const counts = await db
    .selectFrom('post_occurrence')
    .innerJoin('post', 'post.id', 'post_occurrence.post_id')
    .select([
      sql<number>`(count(*) filter (where ${isToCome} and ${untouched}))::int`.as('replaced'),
      sql<number>`(count(*) filter (where ${isToCome} and ${untouched} is not true))::int`.as('edited'),
      sql<number>`(count(*) filter (where post.status not in ('draft', 'scheduled')))::int`.as('published'),
    ])
    .where('post_occurrence.recurring_post_id', '=', id)
    .where('post.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const { rule, starts_at } = parts?.following ?? recurring
  return { ...counts, rule, starts_at, is_first: parts !== undefined && !parts.former }
}
