import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { wholeCharacters } from '../../../lib/text.ts'
import { occurrencesAfter } from './occurrences.ts'
import { MAX_UPCOMING, type UpcomingOccurrence, type UpcomingQuery } from './recurrence.schema.ts'
import { selectRecurringPosts } from './recurring-post.ts'

/** A calendar shows six weeks. */
const MAX_SPAN_MS = 62 * DAY
const DEFAULT_SPAN_MS = 30 * DAY
/** The last time that RFC 3339 can write. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
/** Characters of a text that name its recurring post. */
const EXCERPT = 120

type Row = Awaited<ReturnType<ReturnType<typeof selectRecurringPosts>['executeTakeFirstOrThrow']>>

/** The occurrences between two times that have no post: they are to be created, or a member skipped them. */
function* withoutPost({ decided, ...recurrence }: Row, after: Date, to: Date) {
  const known = new Map(decided.map((one) => [Date.parse(one.occurs_at), one]))
  for (const occurs_at of occurrencesAfter(recurrence, after)) {
    if (occurs_at >= to) return
    const one = known.get(occurs_at.getTime())
    if (!one) yield { occurs_at, status: 'planned' as const }
    else if (one.is_skipped && !one.is_shown) yield { occurs_at, status: 'skipped' as const }
  }
}

/** Lists the occurrences of all recurring posts in a span that have no post, in the order of their times. */
export async function listUpcoming({ db, clock }: Deps, { workspace_id }: Member, query: Static<typeof UpcomingQuery>) {
  const now = clock.now()
  const from = query.from === undefined ? now : new Date(query.from)
  const later = new Date(Math.min(from.getTime() + DEFAULT_SPAN_MS, LATEST))
  const to = query.to === undefined ? later : new Date(query.to)
  if (to.getTime() - from.getTime() > MAX_SPAN_MS)
    throw invalid('/to', { en: 'Ask for at most 62 days.', tr: 'En çok 62 gün isteyin.' })
  const after = new Date(Math.max(from.getTime() - 1, now.getTime()))
  const rows = await selectRecurringPosts(db, now)
    .where('recurring_post.workspace_id', '=', workspace_id)
    .where('paused_at', 'is', null)
    // After a skip, `next_at` may be later than the span, or null.
    .where(
      sql<boolean>`(recurring_post.next_at < ${to} or exists (
        select from post_occurrence as o where o.recurring_post_id = recurring_post.id and o.status = 'skipped'
          and o.occurs_at > ${after} and o.occurs_at < ${to}))`,
    )
    .orderBy('recurring_post.id')
    .execute()
  const found: Static<typeof UpcomingOccurrence>[] = []
  for (const row of rows) {
    const { id: recurring_post_id, author_id, variants } = row
    const excerpt = wholeCharacters()(variants[0]?.content.slice(0, EXCERPT) ?? '')
    const account_ids = [...new Set(variants.flatMap(({ targets }) => targets.map(({ account_id }) => account_id)))]
    for (const one of withoutPost(row, after, to))
      found.push({ recurring_post_id, ...one, author_id, excerpt, account_ids, labels: row.labels })
    // Some rules take a tenth of a second to compute. Other requests run in between.
    await setImmediate()
  }
  return { data: found.sort((a, b) => a.occurs_at.getTime() - b.occurs_at.getTime()).slice(0, MAX_UPCOMING) }
}
