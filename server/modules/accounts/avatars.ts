import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { notFound } from '../../errors.ts'
import type { Db } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { codeOf } from '../../lib/error-code.ts'
import type { User } from '../../lib/http/access.ts'
import type { ServedFile } from '../../lib/http/response/send-file.ts'
import { safeFetch } from '../../lib/outbound/safe-http.ts'
import { thumbnailOf } from '../media/files/client/prepare.ts'
import { routeOf } from '../networks/calls/call.ts'
import type { RemoteAvatar } from '../networks/network-account.ts'
import { inWorkspaceOf } from '../workspaces/members/in-workspace-of.ts'

/** Time in which the image of an account must arrive: somebody waits for the connection. */
const TIMEOUT_MS = 5000

/**
 * Fetches the image of an account, as the thumbnail that is stored. Addresses of networks expire, and some contain
 * credentials, so they are not stored. An account without an image is connected nevertheless.
 */
export async function fetchAvatar(deps: Deps, workspace_id: string, avatar: RemoteAvatar | undefined) {
  if (avatar === undefined) return null
  try {
    const { url, dispatcher } = routeOf(deps, avatar)
    const response = await safeFetch(dispatcher, { timeoutMs: TIMEOUT_MS })(url)
    if (!response.ok) return null
    return await thumbnailOf(deps, workspace_id, Buffer.from(await response.arrayBuffer()))
  } catch (error) {
    // Messages of errors can quote the address.
    deps.log.debug({ code: codeOf(error) }, 'the picture of an account could not be fetched')
    return null
  }
}

/** The image of an account of any workspace of the caller: an image on a page cannot name the workspace. */
export async function serveAvatar(db: Db, caller: User, id: string): Promise<ServedFile> {
  const row = await db
    .selectFrom('account')
    .select('avatar')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(inWorkspaceOf(caller, 'account.workspace_id'))
    .executeTakeFirst()
  if (!row?.avatar) throw notFound()
  return avatarOf(row.avatar)
}

/** A stored image as it is served. */
export function avatarOf(avatar: Buffer): ServedFile {
  return {
    mime: 'image/webp',
    bytes: avatar.length,
    etag: `"${createHash('sha256').update(avatar).digest('base64url').slice(0, 22)}"`,
    inline: true,
    name: 'avatar.webp',
    cache: 'private, max-age=3600',
    open: async (range) => Readable.from([range ? avatar.subarray(range.start, range.end + 1) : avatar]),
  }
}
