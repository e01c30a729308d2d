import { type SqlBool, sql } from 'kysely'
import { invalidTransition } from '../../../../errors.ts'
import { audit } from '../../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { readActingMember } from '../../../workspaces/members/acting-member.ts'
import { createPost } from '../../authoring/create-and-change.ts'
import { byMember } from '../../authoring/insert-posts.ts'
import { readPost } from '../../record/select-posts.ts'
import { dueAt } from '../horizon.ts'
import { isOccurrence, occurrencesAfter } from '../occurrences.ts'
import { lockRecurringPost } from '../recurring-post.ts'
import { afterUse, nextInOrder, nextVariant, targetsOf } from '../variants.ts'
import { findDecided, notToCome, refuseFarAhead } from './skips.ts'

type Recurring = Awaited<ReturnType<typeof lockRecurringPost>>

/** The index of the variant that an occurrence gets in its turn. Shuffled ones have no places: it gets the next. */
async function variantOf(tx: Tx, recurring: Recurring, occurs_at: Date) {
  if (recurring.variant_order === 'shuffled') return nextVariant(recurring)
  const { next_at } = await tx
    .selectFrom('recurring_post')
    .select('next_at')
    .where('id', '=', recurring.id)
    .executeTakeFirstOrThrow()
  const decided = await tx
    .selectFrom('post_occurrence')
    .select(['occurs_at', 'status', 'variant'])
    .where('recurring_post_id', '=', recurring.id)
    .where(sql<SqlBool>`occurs_at >= ${next_at} and occurs_at < ${occurs_at}`)
    .execute()
  const known = new Map(decided.map((one) => [one.occurs_at.getTime(), one]))
  let turn = recurring.next_variant
  for (const time of next_at ? occurrencesAfter(recurring, new Date(next_at.getTime() - 1)) : []) {
    if (time >= occurs_at) break
    const one = known.get(time.getTime())
    if (one?.status !== 'skipped') turn = nextInOrder(one?.variant ?? turn, recurring)
  }
  return turn
}

/** Creates the post of an occurrence before its time, or returns the one that it has. The job finds it created. */
export const createOccurrencePost = (deps: Deps, caller: Member, id: string, input: { occurs_at: string }) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const recurring = await lockRecurringPost(tx, caller, id, now)
    const occurs_at = new Date(input.occurs_at)
    refuseFarAhead(occurs_at, now)
    const decided = await findDecided(tx, id, occurs_at)
    if (decided?.post_id) return readPost(tx, caller, decided.post_id)
    if (!decided && (occurs_at <= now || !isOccurrence(recurring, occurs_at))) throw notToCome()
    const state = recurring.paused_at ? 'paused' : decided && (decided.status === 'skipped' ? 'skipped' : 'deleted')
    if (state) throw invalidTransition(state, 'create the post of an occurrence')

    const index = await variantOf(tx, recurring, occurs_at)
    const variant = recurring.variants[index]
    if (!variant) throw new Error(`No variant ${index}`)
    const { existing } = await targetsOf(tx, variant)
    const recorded = await tx
      .insertInto('post_occurrence')
      .values({ recurring_post_id: id, occurs_at, status: 'created', variant: index, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (recurring.variant_order === 'shuffled')
      await tx.updateTable('recurring_post').set(afterUse(recurring)).where('id', '=', id).execute()
    // It may be the one that waits.
    await tx
      .updateTable('recurring_post')
      .set({ due_at: dueAt(occurs_at), waiting_reason: null, waiting_detail: null })
      .where('id', '=', id)
      .where('next_at', '=', occurs_at)
      .execute()
    await audit(tx, caller, 'recurring_post.post_created', id, { occurs_at })
    const author =
      recurring.author_id === caller.user_id
        ? caller
        : ((await readActingMember(tx, { ...recurring, user_id: recurring.author_id }, 'author')) ?? caller)
    const post = await createPost(
      { ...deps, db: tx },
      author,
      { ...variant, targets: existing, labels: recurring.labels, scheduled_at: occurs_at.toISOString() },
      { ...byMember, recurring_post_id: id },
    )
    await tx.updateTable('post_occurrence').set({ post_id: post.id }).where('id', '=', recorded.id).execute()
    return post
  })
