import { type SqlBool, sql } from 'kysely'
import { type FieldError, notFound, refusedFields, toMessage } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { readMediaForPost } from '../../media/media.ts'
import { serveGranted } from '../../media/serving.ts'
import { isVisibleTo } from './gig-record.ts'

/** Replaces the files that a gig shows. Throws for those that the workspace does not have, and for documents. */
export async function writeSamples(tx: Tx, workspace_id: string, gig_id: string, ids: readonly string[]) {
  const files = ids.length > 0 ? await readMediaForPost(tx, workspace_id, ids) : []
  const errors = ids.flatMap((id, index): FieldError[] => {
    const file = files.find((file) => file.id === id.toLowerCase())
    if (file && file.kind !== 'document') return []
    const message = file
      ? { en: 'Only images and videos can be shown.', tr: 'Yalnızca görseller ve videolar gösterilebilir.' }
      : { en: 'This file does not exist.', tr: 'Bu dosya yok.' }
    return [{ pointer: `/sample_media/${index}`, code: 'invalid', ...toMessage(message) }]
  })
  if (errors.length > 0) throw refusedFields(errors)
  await tx.deleteFrom('gig_sample').where('gig_id', '=', gig_id).execute()
  if (ids.length > 0)
    await tx
      .insertInto('gig_sample')
      .values(ids.map((media_id, position) => ({ gig_id, media_id, position })))
      .execute()
}

/** Gigs that show these files. */
export const findSampleUses = (db: Db, media_ids: string[]) =>
  db
    .selectFrom('gig_sample')
    .select(['media_id', 'gig_id'])
    .where(sql<SqlBool>`media_id = any(${media_ids}::uuid[])`)
    .limit(1000)
    .execute()

type Sample = { id: string; media_id: string }

/** The content of a file that a public gig shows, or a gig of the caller. */
export async function serveSample(
  deps: Pick<Deps, 'db' | 'storage'>,
  caller: { user_id: null } | User,
  { id, media_id }: Sample,
  part: 'file' | 'thumbnail',
) {
  const shown = await deps.db
    .selectFrom('gig_sample')
    .innerJoin('gig', 'gig.id', 'gig_sample.gig_id')
    .select('media_id')
    .where('gig_sample.gig_id', '=', id)
    .where('gig_sample.media_id', '=', media_id)
    .where(isVisibleTo(caller))
    .executeTakeFirst()
  if (!shown) throw notFound()
  return serveGranted(deps, media_id, part)
}
