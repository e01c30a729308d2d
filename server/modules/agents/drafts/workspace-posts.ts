import { sql } from 'kysely'
import { withMentionNames } from '../../../../shared/text/mentions.ts'
import { DAY } from '../../../../shared/time.ts'
import type { Tx } from '../../../lib/db/database.ts'
import { readHolidays } from '../../workspaces/holidays.ts'

/** Posts of the workspace that a new one must not repeat. */
const COMPARED_POSTS = 200
const PLANNED_DAYS = 7
const MAX_PLANNED = 30
/** Age of posts whose numbers show what readers liked, and the number of those that are looked at. */
const [RESULT_DAYS, MAX_RESULTS_READ] = [90, 500]
const MAX_RESULTS = 5

export const recentTexts = (tx: Tx, workspace_id: string) =>
  tx
    .selectFrom('post')
    .select('content')
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    // A post may say what is an idea so far.
    .where('is_idea', '=', false)
    .orderBy('id', 'desc')
    .limit(COMPARED_POSTS)
    .execute()

type Scope = { workspace_id: string; timezone: string; now: Date }

/** The beginning of a text as readers see it. */
const beginning = (text: string, max: number) => [...withMentionNames(text)].slice(0, max).join('')

/** The day of a time on the clocks of a zone, as `YYYY-MM-DD`. */
const dayAt = (time: Date, timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(time)

/**
 * Posts of the next days by the clock of this zone, and notes of the team and public holidays on these days, in the order
 * of their time. Holidays have their names in `language`.
 */
export async function readPlan(tx: Tx, { workspace_id, timezone, now, language }: Scope & { language: string }) {
  const until = new Date(now.getTime() + PLANNED_DAYS * DAY)
  // A post in review has a time that its approval keeps.
  const time = sql<Date>`coalesce(review_scheduled_at, scheduled_at)`
  const posts = await tx
    .selectFrom('post')
    .select(sql<string>`to_char(${time} at time zone ${timezone}, 'YYYY-MM-DD"T"HH24:MI')`.as('at'))
    .select('content')
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`(status = 'scheduled' and scheduled_at >= ${now} and scheduled_at < ${until}
        or status = 'draft' and review = 'pending' and review_scheduled_at >= ${now} and review_scheduled_at < ${until})`,
    )
    .orderBy(time)
    .limit(MAX_PLANNED)
    .execute()
  const notes = await tx
    .selectFrom('calendar_note')
    .select([sql<string>`day::text`.as('at'), 'text'])
    .where('workspace_id', '=', workspace_id)
    .where(
      sql<boolean>`day >= (${now}::timestamptz at time zone ${timezone})::date
        and day <= (${until}::timestamptz at time zone ${timezone})::date`,
    )
    .orderBy('calendar_note.day')
    .limit(MAX_PLANNED)
    .execute()
  const holidays = await readHolidays(tx, {
    workspace_id,
    from: dayAt(now, timezone),
    to: dayAt(until, timezone),
    language,
  })
  return [
    ...holidays.map(({ day, name }) => ({ at: day, holiday: name })),
    ...posts.map(({ at, content }) => ({ at, post: beginning(content, 120) })),
    ...notes.map(({ at, text }) => ({ at, note: beginning(text, 120) })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** The newer posts to which readers reacted most, with the numbers of all their accounts. */
export async function readResults(tx: Tx, { workspace_id, now }: Pick<Scope, 'workspace_id' | 'now'>) {
  const best = await tx
    .with('newest', (db) =>
      db
        .selectFrom('post')
        .select(['id', 'published_at'])
        .where('workspace_id', '=', workspace_id)
        .where('deleted_at', 'is', null)
        .orderBy('id', 'desc')
        .limit(MAX_RESULTS_READ),
    )
    .selectFrom('newest')
    .innerJoin('post_target', 'post_target.post_id', 'newest.id')
    .innerJoin('post_metrics', 'post_metrics.target_id', 'post_target.id')
    .select('newest.id')
    .select([
      sum('likes').as('likes'),
      sum('comments').as('comments'),
      sum('shares').as('shares'),
      sum('views').as('views'),
    ])
    .where('newest.published_at', '>=', new Date(now.getTime() - RESULT_DAYS * DAY))
    .groupBy('newest.id')
    .having(reactions, '>', 0)
    .orderBy(reactions, 'desc')
    .orderBy('newest.id', 'desc')
    .limit(MAX_RESULTS)
    .execute()
  const texts = await tx
    .selectFrom('post')
    .select(['id', 'content'])
    .where('id', '=', sql<string>`any(${best.map(({ id }) => id)}::uuid[])`)
    .execute()
  const textOf = new Map(texts.map(({ id, content }) => [id, beginning(content, 300)]))
  return best.map(({ id, ...numbers }) => ({ post: textOf.get(id) ?? '', ...numbers }))
}

const sum = (name: string) => sql<number>`coalesce(sum((post_metrics.metrics ->> ${sql.lit(name)})::bigint), 0)::float8`
const reactions = sql<number>`${sum('likes')} + ${sum('comments')} + ${sum('shares')}`
