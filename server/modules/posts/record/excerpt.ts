import { sql } from 'kysely'
import { mentionById } from '../../../../shared/text/mentions.ts'

/** The first 200 characters of a post as readers see them: with the names of mentions. */
export const excerpt = sql<string>`left(case when strpos(post.content, '](urn:') = 0 then post.content
  else regexp_replace(post.content, ${sql.lit(mentionById.source)}, '\\1', 'g') end, 200)`.as('excerpt')
