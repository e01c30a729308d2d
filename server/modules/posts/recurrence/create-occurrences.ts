import { sql } from 'kysely'
import { MINUTE } from '../../../../shared/time.ts'
import { Problem } from '../../../errors.ts'
import { audit, system } from '../../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { readActingMember } from '../../workspaces/members/acting-member.ts'
import { createPost } from '../authoring/create-and-change.ts'
import { byMember } from '../authoring/insert-posts.ts'
import { dueAt } from './horizon.ts'
import { notifyPaused } from './notify-paused.ts'
import { nextOccurrence, occurrencesAfter } from './occurrences.ts'
import { recurrenceEvents } from './recurrence.events.ts'
import type { OccurrenceReason } from './recurrence.schema.ts'
import { afterCreated, afterUse, nextVariant, targetsOf, type Variant } from './variants.ts'

/** Time after which an occurrence that could not be created is tried again. */
const RETRY_MS = 15 * MINUTE
/** Time before an occurrence from which it no longer waits for all of its accounts. */
const LAST_CALL_MS = 60 * MINUTE
/** Missed occurrences that are recorded; the latest ones, because a recurring post can have slept for years. */
const MAX_RECORDED = 50

/** Locks a recurring post if it is due and no other node is working on it. */
async function lockDue(tx: Tx, id: string, now: Date) {
  const row = await tx
    .selectFrom('recurring_post')
    .innerJoin('workspace', 'workspace.id', 'recurring_post.workspace_id')
    .select(['recurring_post.id', 'workspace_id', 'author_id', 'rule', 'starts_at', 'recurring_post.timezone'])
    .select(['labels', 'next_variant', 'variant_order', 'variant_round', 'next_at', 'waiting_reason', 'waiting_detail'])
    .select(sql<Variant[]>`variants`.as('variants'))
    .where('recurring_post.id', '=', id)
    .where('due_at', '<=', now)
    .where('workspace.deleted_at', 'is', null)
    .forUpdate('recurring_post')
    .skipLocked()
    .executeTakeFirst()
  return row && { ...row, waiting_reason: row.waiting_reason as OccurrenceReason | null }
}

type Due = NonNullable<Awaited<ReturnType<typeof lockDue>>>
type Refusal = { reason: OccurrenceReason; detail: string }

/** Runs `work` in a savepoint: when a rule refuses it, its writes are undone, and the refusal is returned. */
async function attempt<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result | Refusal> {
  await sql`savepoint occurrence`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint occurrence`.execute(tx)
    return result
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await sql`rollback to savepoint occurrence`.execute(tx)
    const detail = [error.message, ...(error.options.errors ?? []).map(({ message }) => message)]
      .join(' ')
      .slice(0, 400)
    return { reason: error.code === 'limit_exceeded' ? 'limit_reached' : 'not_valid', detail }
  }
}

type Recorded = { occurs_at: Date; status: 'created' | 'skipped'; variant: number; reason: OccurrenceReason | null }

/** Records what became of an occurrence. The lock on the recurring post keeps others from doing so. */
async function record(
  tx: Tx,
  { id }: Due,
  { detail = null, ...row }: Recorded & { detail?: string | null },
  now: Date,
) {
  const added = await tx
    .insertInto('post_occurrence')
    .values({ recurring_post_id: id, ...row, detail, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return added.id
}

type Taken = Partial<ReturnType<typeof afterUse>>

/**
 * Reads the occurrences of a span that were decided before, such as by a post that was created ahead. Returns the turns of
 * the variants after each, by its time.
 */
async function readTaken(tx: Tx, due: Due, from: Date, to: Date) {
  const decided = await tx
    .selectFrom('post_occurrence')
    .select(['occurs_at', 'status', 'variant'])
    .where('recurring_post_id', '=', due.id)
    .where('occurs_at', '>=', from)
    .where('occurs_at', '<=', to)
    .execute()
  return new Map<number, Taken>(
    decided.map(({ occurs_at, status, variant }) => [
      occurs_at.getTime(),
      status === 'created' ? afterCreated(due, variant) : {},
    ]),
  )
}

async function skip(
  tx: Tx,
  due: Due,
  occurs_at: Date,
  { reason, detail }: { reason: OccurrenceReason; detail: string | null },
  now: Date,
) {
  const { id, workspace_id } = due
  const variant = nextVariant(due)
  await record(tx, due, { occurs_at, status: 'skipped', variant, reason, detail }, now)
  const data = { recurring_post_id: id, occurs_at, reason, detail }
  await emit(tx, recurrenceEvents['recurring_post.occurrence_skipped'], workspace_id, data, now)
  await audit(tx, system(workspace_id), 'recurring_post.occurrence_skipped', id, { occurs_at, reason, detail })
}

/** Skips what is past and was not decided, and moves on to the first occurrence after now. */
async function skipPast(tx: Tx, due: Due, next_at: Date, now: Date) {
  const { waiting_reason, waiting_detail } = due
  const past = [next_at]
  let next: Date | null = null
  for (const time of occurrencesAfter(due, next_at)) {
    if (time > now) {
      next = time
      break
    }
    past.push(time)
  }
  const taken = await readTaken(tx, due, next_at, now)
  const missed: { time: Date; turns: Taken }[] = []
  let turns: Taken = {}
  for (const time of past) {
    const after = taken.get(time.getTime())
    if (after) turns = { ...turns, ...after }
    else missed.push({ time, turns })
  }
  // The one that waited stays.
  for (const { time, turns } of missed.toSpliced(1, missed.length - MAX_RECORDED)) {
    const why = time === next_at && waiting_reason ? { reason: waiting_reason, detail: waiting_detail } : null
    await skip(tx, { ...due, ...turns }, time, why ?? { reason: 'missed', detail: null }, now)
  }
  return moveTo(tx, due, next, turns)
}

/** Moves to the next occurrence. `turns`: those of the variants after this one. */
async function moveTo(tx: Tx, due: Due, next_at: Date | null, turns: Taken) {
  await tx
    .updateTable('recurring_post')
    .set({
      next_at,
      due_at: dueAt(next_at),
      ...turns,
      waiting_reason: null,
      waiting_detail: null,
    })
    .where('id', '=', due.id)
    .execute()
}

const wait = (tx: Tx, { id }: Due, { reason, detail }: Refusal, now: Date) =>
  tx
    .updateTable('recurring_post')
    .set({ due_at: new Date(now.getTime() + RETRY_MS), waiting_reason: reason, waiting_detail: detail })
    .where('id', '=', id)
    .execute()

async function pauseWithoutAuthor(tx: Tx, due: Due, now: Date) {
  const { id, workspace_id } = due
  await tx
    .updateTable('recurring_post')
    .set({ paused_at: now, pause_reason: 'author_gone', due_at: null, updated_at: nextUpdatedAt(now) })
    .where('id', '=', id)
    .execute()
  await audit(tx, system(workspace_id), 'recurring_post.paused', id, { reason: 'author_gone' })
  const to = { roles: ['editor', 'admin', 'owner'] } as const
  await notifyPaused(tx, due, { actor_id: null, reason: 'author_gone', to, now })
}

const noAccount: Refusal = {
  reason: 'account_unavailable',
  detail: 'An account is disconnected, paused or removed. Connect or resume it, or change the recurring post.',
}

/** Creates the post of an occurrence, or finds out why it cannot be created now. */
async function create(
  deps: Deps,
  tx: Tx,
  due: Due,
  author: Member,
  { occurs_at, now }: { occurs_at: Date; now: Date },
) {
  // A post that somebody edited or created ahead takes the place, whatever became of its accounts.
  const taken = (await readTaken(tx, due, occurs_at, occurs_at)).get(occurs_at.getTime())
  if (taken) return { turns: taken }
  const index = nextVariant(due)
  const variant = due.variants[index]
  if (!variant) throw new Error(`No variant ${index}`)
  const { existing, usable } = await targetsOf(tx, variant)
  const unavailable = existing.length - usable.length
  const isLastCall = occurs_at.getTime() - now.getTime() <= LAST_CALL_MS
  if (usable.length === 0 || (unavailable > 0 && !isLastCall)) return noAccount
  return attempt(tx, async () => {
    const reason = unavailable > 0 ? 'accounts_left_out' : null
    const recorded = await record(tx, due, { occurs_at, status: 'created', variant: index, reason }, now)
    const input = { ...variant, targets: usable, labels: due.labels, scheduled_at: occurs_at.toISOString() }
    const origin = { ...byMember, recurring_post_id: due.id }
    const post = await createPost({ ...deps, db: tx }, author, input, origin)
    await tx.updateTable('post_occurrence').set({ post_id: post.id }).where('id', '=', recorded).execute()
    return { turns: afterUse(due) }
  })
}

/** Decides one occurrence. Returns whether there may be more. */
const decideOne = (deps: Deps, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const due = await lockDue(tx, id, now)
    if (!due?.next_at) return false
    const { next_at: occurs_at } = due
    if (occurs_at <= now) {
      await skipPast(tx, due, occurs_at, now)
      return true
    }
    const author = await readActingMember(tx, { user_id: due.author_id, workspace_id: due.workspace_id }, 'author')
    if (!author) {
      await pauseWithoutAuthor(tx, due, now)
      return true
    }
    const created = await create(deps, tx, due, author, { occurs_at, now })
    if ('turns' in created) await moveTo(tx, due, nextOccurrence(due, occurs_at), created.turns)
    else await wait(tx, due, created, now)
    return true
  })

/** Recurring posts that one run looks at. The next run, a minute later, goes on with the others. */
const BATCH = 1000

/**
 * Creates the posts of all occurrences that are due, one in a transaction each. A row lock gives each recurring post to
 * one node, and a constraint creates each occurrence once.
 */
export async function createOccurrences(deps: Deps) {
  const { db, clock } = deps
  const due = await db
    .selectFrom('recurring_post')
    .innerJoin('workspace', 'workspace.id', 'recurring_post.workspace_id')
    .select('recurring_post.id')
    .where('due_at', '<=', clock.now())
    .where('workspace.deleted_at', 'is', null)
    .orderBy('due_at')
    .limit(BATCH)
    .execute()
  const errors: unknown[] = []
  for (const { id } of due)
    try {
      while (await decideOne(deps, id));
    } catch (error) {
      errors.push(error)
      // One that fails again and again must not stay the first of every run, and hold up the others.
      const due_at = new Date(clock.now().getTime() + RETRY_MS)
      await db.updateTable('recurring_post').set({ due_at }).where('id', '=', id).execute()
    }
  if (errors.length) throw new AggregateError(errors, 'Some recurring posts could not be looked at.')
}
