import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import type { Tx } from '../../../lib/db/database.ts'

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
    .orderBy('id', 'desc')
    .limit(COMPARED_POSTS)
    .execute()

type Scope = { workspace_id: string; timezone: string; now: Date }

/** Posts of the next days by the clock of this zone, and notes of the team on these days, in the order of their time. */
export async function readPlan(tx: Tx, { workspace_id, timezone, now }: Scope) {
  const until = new Date(now.getTime() + PLANNED_DAYS * DAY)
  const posts = await tx
    .selectFrom('post')
    .select(sql<string>`to_char(scheduled_at at time zone ${timezone}, 'YYYY-MM-DD"T"HH24:MI')`.as('at'))
    .select(sql<string>`left(content, 120)`.as('post'))
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'scheduled')
    .where('scheduled_at', '>=', now)
    .where('scheduled_at', '<', until)
    .orderBy('scheduled_at')
    .limit(MAX_PLANNED)
    .execute()
  const notes = await tx
    .selectFrom('calendar_note')
    .select([sql<string>`day::text`.as('at'), 'text as note'])
    .where('workspace_id', '=', workspace_id)
    .where(
      sql<boolean>`day >= (${now}::timestamptz at time zone ${timezone})::date
        and day <= (${until}::timestamptz at time zone ${timezone})::date`,
    )
    .orderBy('calendar_note.day')
    .limit(MAX_PLANNED)
    .execute()
  return [...posts, ...notes].sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** The newer posts to which readers reacted most, with the numbers of all their accounts. */
export const readResults = (tx: Tx, { workspace_id, now }: Pick<Scope, 'workspace_id' | 'now'>) =>
  tx
    .with('published', (db) =>
      db
        .selectFrom('post')
        .select(['id', 'content'])
        .where('workspace_id', '=', workspace_id)
        .where('deleted_at', 'is', null)
        .where('status', '=', 'published')
        .where('published_at', '>=', new Date(now.getTime() - RESULT_DAYS * DAY))
        .orderBy('published_at', 'desc')
        .limit(MAX_RESULTS_READ),
    )
    .selectFrom('published')
    .innerJoin('post_target', 'post_target.post_id', 'published.id')
    .innerJoin('post_metrics', 'post_metrics.target_id', 'post_target.id')
    .select(sql<string>`left(published.content, 300)`.as('post'))
    .select([
      sum('likes').as('likes'),
      sum('comments').as('comments'),
      sum('shares').as('shares'),
      sum('views').as('views'),
    ])
    .groupBy(['published.id', 'published.content'])
    .having(reactions, '>', 0)
    .orderBy(reactions, 'desc')
    .orderBy('published.id', 'desc')
    .limit(MAX_RESULTS)
    .execute()

const sum = (name: string) => sql<number>`coalesce(sum((post_metrics.metrics ->> ${sql.lit(name)})::bigint), 0)::float8`
const reactions = sql<number>`${sum('likes')} + ${sum('comments')} + ${sum('shares')}`
