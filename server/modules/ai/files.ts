import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { DAY } from '../../../shared/time.ts'
import { notFound, Problem } from '../../errors.ts'
import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { User } from '../../lib/http/access.ts'
import type { ServedFile } from '../../lib/http/response/send-file.ts'
import { folderOf, originalKey } from '../media/storage/keys.ts'
import { inTemporaryFolder } from '../media/storage/temporary.ts'
import { receive } from '../media/upload/receive.ts'
import { assertStorage, type NewFields, recordMedia, type Stored, storeFile } from '../media/upload/upload.ts'

const KEPT_MS = 7 * DAY
/** Bytes read from a file at a time. */
const PIECE = 256 * 1024

const ascii = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** Detects the media type from the first bytes and ignores the provider's; undefined if it is not served. */
export function sniff(bytes: Uint8Array): string | undefined {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (/^GIF8[79]a/.test(ascii(bytes, 0, 6))) return 'image/gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  if (ascii(bytes, 0, 4) === '\x1aE\xdf\xa3') return 'video/webm'
  if (ascii(bytes, 4, 8) !== 'ftyp') return
  const brand = ascii(bytes, 8, 12)
  if (brand === 'avif') return 'image/avif'
  return /^(isom|iso[2-9]|mp4[12]|avc1|dash|M4V |MSNV)$/.test(brand) ? 'video/mp4' : undefined
}

type Made = { bytes: Uint8Array; mime: string }
/** `stored`: in storage, waiting for its record. Undefined for a file that cannot be kept as media. */
type StoredFile = Made & { stored: Stored | undefined }

/**
 * Moves generated files into storage, before the transaction that ends their generation. One that is refused as media,
 * because it is damaged, stays a generated file for a week.
 */
export const storeGenerated = (deps: Deps, workspace_id: string, made: Made[]): Promise<StoredFile[]> =>
  Promise.all(
    made.map(async (file) => ({
      ...file,
      stored: await inTemporaryFolder(deps.config, async (folder) =>
        storeFile(deps, workspace_id, await receive(Readable.from([Buffer.from(file.bytes)]), folder)),
      ).catch((error) => {
        if (error instanceof Problem && error.status < 500) return undefined
        throw error
      }),
    })),
  )

/** `fields`: fields of the records. */
type Kept = { owner: Parameters<typeof recordMedia>[2]; generation_id: string; fields?: NewFields }

/** Records generated files as media of the workspace. Checks the storage of its plan, so it comes late. */
export async function keepFiles(deps: Deps, tx: Tx, { owner, generation_id, fields = {} }: Kept, made: StoredFile[]) {
  const { workspace_id } = owner
  const now = deps.clock.now()
  const expires_at = new Date(now.getTime() + KEPT_MS)
  const kept: { id: string; mime: string; bytes: number; media_id: string | null }[] = []
  for (const { bytes, mime, stored } of made) {
    const media_id = stored ? (await recordMedia(tx, deps, owner, stored, fields)).id : null
    // The bytes of media are in storage.
    const values = { workspace_id, generation_id, media_id, mime, bytes: Buffer.from(stored ? [] : bytes) }
    const { id } = await tx
      .insertInto('ai_file')
      .values({ ...values, created_at: now, expires_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    kept.push({ id, mime: stored?.facts.mime ?? mime, bytes: stored?.facts.bytes ?? bytes.length, media_id })
  }
  const total = kept.reduce((sum, file) => sum + (file.media_id ? file.bytes : 0), 0)
  if (total > 0) await assertStorage(tx, workspace_id, total, now)
  return kept
}

/**
 * Opens a file of any workspace that the caller belongs to. A page loads a file by its URL alone and cannot name the
 * workspace there.
 */
export async function openFile(
  { db, clock, storage }: Deps,
  { user_id, token }: User,
  id: string,
): Promise<ServedFile> {
  const file = await db
    .selectFrom('ai_file')
    .innerJoin('workspace', 'workspace.id', 'ai_file.workspace_id')
    .innerJoin('workspace_member', 'workspace_member.workspace_id', 'ai_file.workspace_id')
    .leftJoin('media', 'media.id', 'ai_file.media_id')
    .where('media.deleted_at', 'is', null)
    .select(['ai_file.media_id', 'ai_file.workspace_id'])
    .select(sql<string>`coalesce(media.mime, ai_file.mime)`.as('mime'))
    .select(sql<number>`coalesce(media.bytes, octet_length(ai_file.bytes))`.as('size'))
    .where('ai_file.id', '=', id)
    .where('ai_file.expires_at', '>', clock.now())
    .where('workspace.deleted_at', 'is', null)
    .where('workspace_member.user_id', '=', user_id)
    .$if(token?.membership != null, (query) =>
      query.where('ai_file.workspace_id', '=', token?.membership?.workspace_id ?? ''),
    )
    .executeTakeFirst()
  if (!file) throw notFound()

  /** Reads the bytes from `from` to before `to`, as fast as they are consumed. */
  async function* pieces(from: number, to: number) {
    for (let at = from; at < to; at += PIECE) {
      const { rows } = await sql<{ piece: Buffer }>`
        select substring(bytes from ${at + 1}::int for ${Math.min(PIECE, to - at)}::int) as piece
        from ai_file where id = ${id}`.execute(db)
      // Erased since. Breaking the connection shows that the file is incomplete.
      if (!rows[0]) throw notFound()
      yield rows[0].piece
    }
  }
  const { mime, size, media_id, workspace_id } = file
  return {
    ...{ mime, bytes: size, etag: `"${id}"`, inline: true, cache: 'no-store' },
    name: `generated.${mime.split('/')[1]}`,
    open: async (range) => {
      if (media_id) return storage.open(originalKey(folderOf({ id: media_id, workspace_id })), range)
      const { start, end } = range ?? { start: 0, end: size - 1 }
      return Readable.from(pieces(start, end + 1), { objectMode: false })
    },
  }
}
