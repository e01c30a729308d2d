import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { PostStatus } from '../../../lib/db/database-types.ts'
import { excerpt } from '../record/excerpt.ts'
import { type Draft, knownTargets } from './read-draft.ts'

/** Time on both sides of a post within which the same text is noticed. */
const WITHIN_MS = 30 * DAY

/** A text for an account at a time. `post_id`: the post that has it already, if it is a change. */
type Planned = { account_id: string; content: string; time: Date; post_id?: string | undefined }

/** The texts of a post on its accounts. */
export const plannedTexts = (draft: Draft, time: Date, post_id?: string): Planned[] =>
  knownTargets(draft).map(({ account_id, content }) => ({
    ...{ account_id, time, post_id },
    content: content ?? draft.texts.content,
  }))

export type Duplicate = {
  account_id: string
  post_id: string
  excerpt: string
  status: PostStatus
  scheduled_at: Date
}

/**
 * For each of these texts, the scheduled or published post, or the one that waits for approval, that has the same on the
 * same account and is nearest in time; undefined without one. Occurrences of one recurring post are none of each other.
 * Each distinct text is sent and its key computed once. The indexes `post_text` and `post_target_text` serve it.
 */
export async function findDuplicates(db: Db, workspace_id: string, planned: readonly Planned[]) {
  const texts = new Map<string, number>()
  const wanted = planned.flatMap(({ content, post_id = null, ...each }, place) => {
    if (content.trim() === '') return []
    const text = texts.get(content) ?? texts.size
    texts.set(content, text)
    return [{ ...each, post_id, place, text }]
  })
  if (wanted.length === 0) return planned.map(() => undefined)
  const contents = JSON.stringify([...texts].map(([content, text]) => ({ text, content })))
  const seconds = WITHIN_MS / 1000
  const isWithin = (time: string) =>
    sql`${sql.ref(time)} between wanted.time - make_interval(secs => ${seconds}) and wanted.time + make_interval(secs => ${seconds})`
  const found = sql`post.id as post_id, ${excerpt}, post.status,
    coalesce(post.scheduled_at, post.review_scheduled_at) as scheduled_at`
  const isNear = sql`post.deleted_at is null and post.workspace_id = ${workspace_id}
    and (post.status in ('scheduled', 'publishing', 'published', 'partially_published') or post.review = 'pending')
    and (${isWithin('post.scheduled_at')} or post.scheduled_at is null and ${isWithin('post.review_scheduled_at')})
    and post.id is distinct from wanted.post_id
    and (post.recurring_post_id is null or post.recurring_post_id is distinct from wanted.recurring_post_id)`
  const isPlannedOrPublished = sql`target.status not in ('failed', 'unpublished')`
  // `offset 0` keeps the order of the joins. Statistics from before the workspace had many posts would have PostgreSQL
  // begin with all of its posts, for each text again.
  const { rows: duplicates } = await sql<Duplicate & { place: number }>`
    with keyed as materialized (
      select text, text_key(content) as key from json_to_recordset(${contents}::json) as listed (text int, content text)
    ), wanted as materialized (
      select listed.*, keyed.key, (select recurring_post_id from post where post.id = listed.post_id) as recurring_post_id
      from json_to_recordset(${JSON.stringify(wanted)}::json)
        as listed (place int, text int, account_id uuid, time timestamptz, post_id uuid)
      join keyed using (text)
    )
    select wanted.place, wanted.account_id, nearest.*
    from wanted cross join lateral (
      select * from (
        select ${found} from post cross join lateral (
          select from post_target as target where target.post_id = post.id and target.account_id = wanted.account_id
            and target.content is null and ${isPlannedOrPublished} offset 0
        ) as target
        where text_key(post.content) = wanted.key and ${isNear}
        union all
        select near.* from post_target as target cross join lateral (
          select ${found} from post where post.id = target.post_id and ${isNear} offset 0
        ) as near
        where text_key(target.content) = wanted.key and target.content is not null
          and target.account_id = wanted.account_id and ${isPlannedOrPublished}
      ) as same
      order by abs(extract(epoch from same.scheduled_at - wanted.time)), same.post_id limit 1
    ) as nearest`.execute(db)
  const byPlace = new Map(duplicates.map(({ place, ...duplicate }) => [place, duplicate]))
  return planned.map((_, place) => byPlace.get(place))
}
