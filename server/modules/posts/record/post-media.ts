import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { type FieldError, toMessage } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import { readMediaForPost, type StoredMedia } from '../../media/media.ts'
import type { Part, PostMedia } from './posts.schema.ts'

/** The files of a post, or of one account of it. */
type WithMedia = { media_ids: string[] | null; thread: Static<typeof Part>[] | null }

export type MediaById = ReadonlyMap<string, StoredMedia>

/** Each use of a file, with a pointer to it. */
const usesOf = ({ media_ids, thread }: WithMedia, pointer = '') => [
  ...(media_ids ?? []).map((id, index) => ({ id, pointer: `${pointer}/media_ids/${index}` })),
  ...(thread ?? []).flatMap((part, place) =>
    part.media_ids.map((id, index) => ({ id, pointer: `${pointer}/thread/${place}/media_ids/${index}` })),
  ),
]

const allUses = (post: WithMedia & { targets: readonly WithMedia[] }) => [
  ...usesOf(post),
  ...post.targets.flatMap((target, index) => usesOf(target, `/targets/${index}`)),
]

/** The files that a post names, each once. */
export const mediaIdsOf = (post: WithMedia & { targets: readonly WithMedia[] }) => [
  ...new Set(allUses(post).map(({ id }) => id)),
]

/** Reads the files of a post, and lists those that do not exist. No query is made for a post without files. */
export async function findMedia(
  db: Db,
  workspace_id: string,
  post: WithMedia & { targets: readonly WithMedia[] },
): Promise<{ media: MediaById; missing: FieldError[] }> {
  const ids = mediaIdsOf(post)
  const files = ids.length > 0 ? await readMediaForPost(db, workspace_id, ids) : []
  const media = new Map(files.map((file) => [file.id, file]))
  return { media, missing: missingMedia(post, media) }
}

/** Lists the files of a post that are not in `media`. */
export const missingMedia = (post: WithMedia & { targets: readonly WithMedia[] }, media: MediaById) =>
  allUses(post)
    .filter(({ id }) => !media.has(id))
    .map(
      ({ pointer }): FieldError => ({
        pointer,
        code: 'invalid',
        ...toMessage({ en: 'This file does not exist.', tr: 'Bu dosya yok.' }),
      }),
    )

/** Stores which files a post has, so that they are not deleted. `post`: with the files that are stored for it. */
export async function writePostMedia(tx: Tx, post: { id: string; media: readonly { id: string }[] }, media: MediaById) {
  const ids = [...media.keys()]
  const isSame = ids.length === post.media.length && post.media.every(({ id }) => media.has(id))
  if (isSame) return
  await tx
    .deleteFrom('post_media')
    .where('post_id', '=', post.id)
    .where(sql<SqlBool>`media_id <> all(${ids}::uuid[])`)
    .execute()
  await insertPostMedia(
    tx,
    ids.map((media_id) => ({ media_id, post_id: post.id })),
  )
}

/** Stores further files of posts. */
export async function insertPostMedia(tx: Tx, uses: readonly { media_id: string; post_id: string }[]) {
  if (uses.length === 0) return
  const [media_ids, post_ids] = [uses.map(({ media_id }) => media_id), uses.map(({ post_id }) => post_id)]
  await sql`insert into post_media (media_id, post_id) select * from unnest(${media_ids}::uuid[], ${post_ids}::uuid[])
    on conflict do nothing`.execute(tx)
}

/** The files of a post as its record shows them: without what can be changed, so that its events always fit. */
export const shownMedia = (media: MediaById): Static<typeof PostMedia>[] =>
  [...media.values()].map(({ id, kind, mime, width, height, duration_s }) => ({
    id,
    kind,
    mime,
    width,
    height,
    duration_s,
  }))

/** The same for the posts of a query. */
export const selectShownMedia = sql<Static<typeof PostMedia>[]>`coalesce((
  select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'mime', m.mime,
    'width', m.width, 'height', m.height, 'duration_s', m.duration_s))
  from post_media pm join media m on m.id = pm.media_id and m.workspace_id = post.workspace_id
  where pm.post_id = post.id and m.deleted_at is null
), '[]')`

/**
 * Condition: the post is approved, and put in review again when readers would see another file. A person first says
 * whether one that needs a resolution was published.
 */
export const losesApproval = sql<boolean>`(post.review = 'approved' and post.status in ('draft', 'scheduled', 'failed')
  and not exists (select from post_target t where t.post_id = post.id and t.needs_resolution))`

/** Posts that have these files. */
export const findMediaUses = (db: Db, media_ids: string[]) =>
  db
    .selectFrom('post_media')
    .innerJoin('post', 'post.id', 'post_id')
    .select(['media_id', 'post_id', losesApproval.as('loses_approval')])
    .where(sql<SqlBool>`media_id = any(${media_ids}::uuid[])`)
    .where('post.deleted_at', 'is', null)
    .limit(1000)
    .execute()
