import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound, problem } from '../../errors.ts'
import { audit } from '../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import { atLeast } from '../../lib/http/roles.ts'
import { distinctLabels } from '../../lib/text.ts'
import type { ChangeMedia } from './media.schema.ts'

/** Calls with a token for /public read files there too. */
const mediaPath = ({ token }: Pick<Member, 'token'>) => `/api/v1${token?.scopes.length ? '/public' : ''}/media/`

/** Selects files of all workspaces, without the deleted ones. `caller`: whom the addresses are for. */
export const selectMedia = (db: Db, caller: Pick<Member, 'token'>) =>
  db
    .selectFrom('media')
    .where('media.deleted_at', 'is', null)
    .select([
      'media.id',
      'media.workspace_id',
      'media.kind',
      'media.mime',
      'media.bytes',
      'media.width',
      'media.height',
      'media.duration_s',
      'media.alt',
      'media.name',
      'media.labels',
      'media.sha256',
      'media.placeholder',
      'media.uploaded_by_id',
      'media.created_at',
      'media.updated_at',
      'media.version',
      sql<string>`${mediaPath(caller)}::text || media.id || '/file'`.as('url'),
      sql<string | null>`case when media.thumbnail_bytes is not null
        then ${mediaPath(caller)}::text || media.id || '/thumbnail' end`.as('thumbnail_url'),
    ])

export async function readMedia(db: Db, caller: Pick<Member, 'workspace_id' | 'token'>, id: string) {
  const row = await selectMedia(db, caller)
    .where('media.id', '=', id)
    .where('media.workspace_id', '=', caller.workspace_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** A file as publishing needs it. */
export type StoredMedia = Awaited<ReturnType<typeof readStoredMedia>>[number]

/** Reads files of any workspaces, without those that do not exist or were deleted. */
export const readStoredMedia = (db: Db, ids: readonly string[]) => selectStoredMedia(db, ids).execute()

const selectStoredMedia = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('media')
    .select(['id', 'workspace_id', 'kind', 'mime', 'extension', 'bytes', 'width', 'height', 'duration_s'])
    .select(['opaque', 'alt', 'name', 'thumbnail_bytes'])
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)

/**
 * Reads files of a workspace in the order of `ids`, without those that do not exist or were deleted. In a transaction,
 * the files cannot be deleted until it ends.
 */
export async function readMediaForPost(db: Db, workspace_id: string, ids: readonly string[]) {
  const rows = await selectStoredMedia(db, ids)
    .where('workspace_id', '=', workspace_id)
    // One order for all transactions, so that they do not wait for each other.
    .orderBy('id')
    .forShare()
    .execute()
  return ids.flatMap((id) => rows.find((row) => row.id === id.toLowerCase()) ?? [])
}

/**
 * Locks a file for a change. Authors can change only what they uploaded. Deleted files are not found, unless deleted at
 * `orDeletedSince` or later.
 */
export async function lockMedia(tx: Tx, caller: Member, id: string, orDeletedSince?: Date) {
  const media = await tx
    .selectFrom('media')
    .select(['id', 'kind', 'name', 'alt', 'labels', 'bytes', 'uploaded_by_id', 'deleted_at', 'version'])
    .where('id', '=', id)
    .where('workspace_id', '=', caller.workspace_id)
    .where((where) =>
      where.or([
        where('deleted_at', 'is', null),
        ...(orDeletedSince ? [where('deleted_at', '>=', orDeletedSince)] : []),
      ]),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!media) throw notFound()
  if (!atLeast(caller.role, 'editor') && media.uploaded_by_id !== caller.user_id)
    throw problem('forbidden_role', { detail: 'Authors can change only the files that they uploaded.' })
  return media
}

export const changeMedia = (
  { db, clock, lifecycle }: Pick<Deps, 'db' | 'clock' | 'lifecycle'>,
  caller: Member,
  id: string,
  { alt, name, labels }: Static<typeof ChangeMedia>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockMedia(tx, caller, id)
    ifMatch(before.version)
    const fields = {
      ...(alt !== undefined && { alt }),
      ...(name !== undefined && { name }),
      ...(labels !== undefined && { labels: distinctLabels(labels) }),
    }
    await tx
      .updateTable('media')
      .set({ ...fields, updated_at: nextUpdatedAt(now) })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'media.updated', id, { fields: Object.keys(fields) })
    const isSeen =
      (alt !== undefined && alt !== before.alt) ||
      (before.kind === 'document' && name !== undefined && name !== before.name)
    if (isSeen) await lifecycle.onMediaChanged(tx, caller, id, now)
    return readMedia(tx, caller, id)
  })
