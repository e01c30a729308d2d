import { sql } from 'kysely'
import { Problem } from '../../../../errors.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { importMedia } from '../../../media/upload/import.ts'

/** Files of one round, and how many of them are fetched at a time. */
const ROUND = 16
const AT_ONCE = 4
const MAX_ATTEMPTS = 3
/** Failures of a host after which its other files are not tried. A file may take minutes to fail. */
const MAX_HOST_FAILURES = 10

/** Lists the files that the rows of an import name, each once. */
export const listFiles = (tx: Tx, import_id: string, states: readonly string[]) =>
  sql`insert into post_import_media (import_id, url_hash, url, alt)
    select distinct on (md5(file ->> 'url')) import_id, md5(file ->> 'url'), file ->> 'url', left(file ->> 'alt', 2000)
    from post_import_row, jsonb_array_elements(post -> 'media_urls') as file
    where import_id = ${import_id} and state::text = any(${states}::text[]) and post_id is null
    order by md5(file ->> 'url'), file ->> 'alt' is null, row
    on conflict do nothing`.execute(tx)

type FileError = { code: string; message: string }

/** Links to pages that show a file, as the addresses of the files themselves. */
function addressOfFile(text: string) {
  const url = new URL(text)
  const [, drive] = /^\/file\/d\/([\w-]+)/.exec(url.pathname) ?? []
  if (url.hostname === 'drive.google.com' && drive)
    return `https://drive.usercontent.google.com/download?id=${drive}&export=download`
  if (url.hostname === 'www.dropbox.com' || url.hostname === 'dropbox.com') {
    url.searchParams.set('dl', '1')
    url.hostname = 'dl.dropboxusercontent.com'
    return url.href
  }
  return text
}

/** Fetches the next files of an import as its member uploads them. */
export async function fetchFiles(deps: Deps, caller: Member, import_id: string) {
  const open = await deps.db
    .selectFrom('post_import_media')
    .select(['url_hash', 'url', 'alt', 'attempts'])
    .where('import_id', '=', import_id)
    .where('media_id', 'is', null)
    .where('error', 'is', null)
    .orderBy('attempts')
    .orderBy('url_hash')
    .limit(ROUND)
    .execute()
  const next = open.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const file of next) await fetchOne(deps, caller, import_id, file)
    }),
  )
}

type File = { url_hash: string; url: string; alt: string | null; attempts: number }

async function fetchOne(deps: Deps, caller: Member, import_id: string, { url_hash, url, alt, attempts }: File) {
  const settle = (result: { media_id: string } | { error: FileError } | object) =>
    deps.db
      .updateTable('post_import_media')
      .set({ attempts: attempts + 1, ...('error' in result ? { error: JSON.stringify(result.error) } : result) })
      .where('import_id', '=', import_id)
      .where('url_hash', '=', url_hash)
      .execute()
  if ((await failuresOf(deps, import_id, url)) >= MAX_HOST_FAILURES)
    return settle({ error: { code: 'import_failed', message: 'The server of this file failed for too many others.' } })
  try {
    const { media } = await importMedia(deps, caller, { url: addressOfFile(url), ...(alt && { alt }) })
    return await settle({ media_id: media.id })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const isFinal = error.code !== 'import_failed' || attempts + 1 >= MAX_ATTEMPTS
    return settle(isFinal ? { error: { code: error.code, message: error.message.slice(0, 400) } } : {})
  }
}

/** Counts the files of the same host that could not be fetched. */
async function failuresOf({ db }: Pick<Deps, 'db'>, import_id: string, url: string) {
  const { count } = await db
    .selectFrom('post_import_media')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('import_id', '=', import_id)
    .where(sql<boolean>`error ->> 'code' = 'import_failed'`)
    .where(sql<boolean>`split_part(url, '/', 3) = ${new URL(url).host}`)
    .executeTakeFirstOrThrow()
  return count
}
