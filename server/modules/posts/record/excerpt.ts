import { sql } from 'kysely'
import { mentionById } from '../../../../shared/text/mentions.ts'

/** Characters that are searched for mentions with ids: the search takes PostgreSQL a second for a million. */
const SEARCHED = 1000

/** The first 200 characters of a post as readers see them: with the names of mentions. */
export const excerpt =
  sql<string>`left(case when strpos(left(post.content, ${sql.lit(SEARCHED)}), '](urn:') = 0 then post.content
  else regexp_replace(left(post.content, ${sql.lit(SEARCHED)}), ${sql.lit(mentionById.source)}, '\\1', 'g') end, 200)`.as(
    'excerpt',
  )
