import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { ServedFile } from '../../../lib/http/response/send-file.ts'
import { avatarOf } from '../../accounts/avatars.ts'
import { serveGranted } from '../../media/serving.ts'
import type { OpenLink } from './client-session.ts'
import { showsMedia } from './reviewed-posts.ts'

/** A browser shows a file again for some minutes. Nobody else keeps it. */
const CACHE = 'private, max-age=300'

/** A file of a post that the link shows. */
export async function serveReviewedMedia(
  deps: Pick<Deps, 'db' | 'storage'>,
  link: OpenLink,
  media_id: string,
  part: 'file' | 'thumbnail',
): Promise<ServedFile> {
  if (!(await showsMedia(deps.db, link, media_id))) throw notFound()
  return { ...(await serveGranted(deps, media_id, part)), cache: CACHE }
}

/** The image of the workspace. */
export async function serveBrandPicture(deps: Pick<Deps, 'db' | 'storage'>, { picture_id }: OpenLink) {
  if (picture_id === null) throw notFound()
  return { ...(await serveGranted(deps, picture_id, 'thumbnail')), cache: CACHE }
}

/** The image of an account of the workspace that the link is for. */
export async function serveReviewedAvatar(db: Db, { id, workspace_id }: OpenLink, account_id: string) {
  const account = await db
    .selectFrom('account')
    .innerJoin('client_link', 'client_link.workspace_id', 'account.workspace_id')
    .select('account.avatar')
    .where('client_link.id', '=', id)
    .where('account.workspace_id', '=', workspace_id)
    .where('account.id', '=', account_id)
    .where('account.deleted_at', 'is', null)
    .where(sql<boolean>`(client_link.account_ids = '{}' or account.id = any(client_link.account_ids))`)
    .executeTakeFirst()
  if (!account?.avatar) throw notFound()
  return { ...avatarOf(account.avatar), cache: CACHE }
}
