import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { notFound } from '../../errors.ts'
import type { Db } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { User } from '../../lib/http/access.ts'
import type { ServedFile } from '../../lib/http/send-file.ts'
import { prepareFile } from '../media/files/prepare.ts'
import { inTemporaryFolder } from '../media/upload/temporary.ts'

/**
 * Fetches the picture of an account, as the thumbnail that is stored. Addresses of networks expire, and some contain
 * credentials, so they are not stored. An account without a picture is connected nevertheless.
 */
export async function fetchAvatar({ safeFetch, config, log }: Deps, url: string | undefined) {
  if (url === undefined) return null
  try {
    const response = await safeFetch(url)
    if (!response.ok) return null
    const bytes = Buffer.from(await response.arrayBuffer())
    return await inTemporaryFolder(config, async (folder) => {
      const path = join(folder, 'avatar')
      await writeFile(path, bytes)
      return (await prepareFile(path)).thumbnail
    })
  } catch (err) {
    log.debug({ err }, 'the picture of an account could not be fetched')
    return null
  }
}

/** The picture of an account of any workspace of the caller: an image on a page cannot name the workspace. */
export async function serveAvatar(db: Db, { user_id, token }: User, id: string): Promise<ServedFile> {
  const row = await db
    .selectFrom('account')
    .innerJoin('workspace', 'workspace.id', 'account.workspace_id')
    .innerJoin('workspace_member', 'workspace_member.workspace_id', 'account.workspace_id')
    .select('avatar')
    .where('account.id', '=', id)
    .where('account.deleted_at', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .where('workspace_member.user_id', '=', user_id)
    .$if(token?.membership != null, (query) =>
      query.where('account.workspace_id', '=', token?.membership?.workspace_id ?? ''),
    )
    .executeTakeFirst()
  if (!row?.avatar) throw notFound()
  const { avatar } = row
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
