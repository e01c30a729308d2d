import { type SqlBool, sql } from 'kysely'
import { limitExceeded, notFound, problem } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { lastOccurrence, occurrencesAfter, ruleText } from './occurrences.ts'
import { type OccurrenceReason, type pauseReasons, SHOWN_OCCURRENCES, type variantOrders } from './recurrence.schema.ts'
import type { Variant } from './variants.ts'

const MAX_RECURRING_POSTS = 100

/** The outcome of an occurrence that is still to come. `is_shown`: it has a post that nobody deleted. */
type Decided = { occurs_at: string; post_id: string | null; is_shown: boolean; is_skipped: boolean }

export const selectRecurringPosts = (db: Db, now: Date) =>
  db
    .selectFrom('recurring_post')
    .select(['recurring_post.id', 'recurring_post.workspace_id', 'recurring_post.author_id', 'rule', 'starts_at'])
    .select([
      'timezone',
      'recurring_post.labels',
      'next_variant',
      'paused_at',
      'waiting_detail',
      'split_from',
      'variant_round',
    ])
    .select(['recurring_post.created_at', 'recurring_post.updated_at', 'recurring_post.version'])
    .select([
      sql<Variant[]>`variants`.as('variants'),
      sql<(typeof variantOrders)[number]>`variant_order`.as('variant_order'),
      sql<(typeof pauseReasons)[number] | null>`pause_reason`.as('pause_reason'),
      sql<OccurrenceReason | null>`waiting_reason`.as('waiting_reason'),
      sql<Decided[]>`coalesce((
        select json_agg(json_build_object('occurs_at', o.occurs_at, 'post_id', o.post_id, 'is_skipped', o.status = 'skipped',
          'is_shown', post.id is not null and post.deleted_at is null))
        from post_occurrence as o left join post on post.id = o.post_id
        where o.recurring_post_id = recurring_post.id and o.occurs_at > ${now}), '[]')`.as('decided'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof selectRecurringPosts>['executeTakeFirstOrThrow']>>

/** The next occurrences of a rule, without those that were skipped or whose post a member deleted. */
function nextOccurrences({ decided, ...recurrence }: Row, now: Date) {
  const known = new Map(decided.map((one) => [Date.parse(one.occurs_at), one]))
  const next: { occurs_at: Date; post_id: string | null }[] = []
  for (const occurs_at of occurrencesAfter(recurrence, now)) {
    const one = known.get(occurs_at.getTime())
    if (one && !one.is_shown) continue
    next.push({ occurs_at, post_id: one?.post_id ?? null })
    if (next.length >= SHOWN_OCCURRENCES) break
  }
  return next
}

export function toRecord(row: Row, now: Date) {
  const next_occurrences = row.paused_at ? [] : nextOccurrences(row, now)
  const status = row.paused_at
    ? ('paused' as const)
    : next_occurrences.length
      ? ('active' as const)
      : ('ended' as const)
  return { ...row, status, next_occurrences, last_occurs_at: lastOccurrence(row), rule_text: ruleText(row) }
}

export async function readRecurringPost(db: Db, { workspace_id }: Pick<Member, 'workspace_id'>, id: string, now: Date) {
  const row = await selectRecurringPosts(db, now)
    .where('recurring_post.id', '=', id)
    .where('recurring_post.workspace_id', '=', workspace_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return toRecord(row, now)
}

/** Locks a recurring post for a change. Authors can change only their own. */
export async function lockRecurringPost(tx: Tx, caller: Member, id: string, now: Date) {
  const locked = await tx
    .selectFrom('recurring_post')
    .select('author_id')
    .where('id', '=', id)
    .where('workspace_id', '=', caller.workspace_id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw notFound()
  if (!atLeast(caller.role, 'editor') && locked.author_id !== caller.user_id)
    throw problem('forbidden_role', { detail: 'Authors can change only their own recurring posts.' })
  return readRecurringPost(tx, caller, id, now)
}

/** Locks the workspace, so that concurrent calls do not exceed the limit. Throws if it has too many recurring posts. */
export async function lockWorkspaceWithRoom(tx: Tx, { workspace_id }: Member) {
  const workspace = await tx
    .selectFrom('workspace')
    .select('timezone')
    .where('id', '=', workspace_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
  const { count } = await tx
    .selectFrom('recurring_post')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  if (count >= MAX_RECURRING_POSTS)
    throw limitExceeded(
      'recurring_posts',
      MAX_RECURRING_POSTS,
      count,
      `A workspace can have at most ${MAX_RECURRING_POSTS} recurring posts. Delete one that has ended.`,
    )
  return workspace
}

/** Recurring posts that have these files. */
export const findRecurringMediaUses = async (db: Db, media_ids: string[]) => {
  const { rows } = await sql<{ media_id: string; recurring_post_id: string }>`
    select used.media_id, recurring_post.id as recurring_post_id
    from recurring_post cross join lateral unnest(recurring_post.media_ids) as used (media_id)
    where ${sql<SqlBool>`recurring_post.media_ids && ${media_ids}::uuid[]`} and used.media_id = any(${media_ids}::uuid[])
    limit 1000`.execute(db)
  return rows
}
