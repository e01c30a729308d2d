import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { invalid } from '../../errors.ts'
import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Requester } from './files/client/decoder-process.ts'
import { fitOf, makeFit } from './files/client/fitting.ts'
import type { Conversion } from './files/rules/protocol.ts'
import type { StoredMedia } from './media.ts'
import type { MediaRules } from './media-rules.ts'
import { named, signGrant } from './serving.ts'
import { folderOf, originalKey, renditionKey } from './storage/keys.ts'
import { copyOut } from './storage/storage.ts'
import { inTemporaryFolder } from './storage/temporary.ts'

type Lane = Requester['lane']
type OpenDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

/** A file, or a copy of it, in storage. `fit`: the rules that a copy was made for. */
type Variant = {
  fit: string | null
  key: string
  mime: string
  extension: string
  bytes: number
  width: number | null
  height: number | null
}

/** A file to send to a network. Destroy the stream if it is not read to its end. */
type OpenMedia = Omit<Variant, 'fit' | 'key' | 'extension'> & { stream: Readable; name: string }

const hashOf = (conversion: Conversion) =>
  createHash('sha256').update(JSON.stringify(conversion)).digest('base64url').slice(0, 22)

const findRendition = ({ db }: Pick<Deps, 'db'>, media_id: string, fit: string) =>
  db
    .selectFrom('media_rendition')
    .select(['mime', 'extension', 'bytes', 'width', 'height'])
    .where('media_id', '=', media_id)
    .where('fit', '=', fit)
    .executeTakeFirst()

const extensionOf = (mime: string) => mime.replace(/^\w+\/(x-)?/, '').replace('jpeg', 'jpg')

/**
 * Makes a copy that fits, and keeps it in the folder of the file. Two processes that make the same copy at once write
 * the same file.
 */
async function makeRendition(
  deps: OpenDeps,
  media: StoredMedia,
  fit: string,
  { conversion, lane }: { conversion: Conversion; lane: Lane },
) {
  const { db, storage, clock, config } = deps
  const folder = folderOf(media)
  return inTemporaryFolder(config, async (temporary) => {
    const path = join(temporary, `original.${media.extension}`)
    await copyOut(storage, originalKey(folder), path)
    const {
      path: made,
      mime,
      bytes,
      width,
      height,
    } = await makeFit({ workspace_id: media.workspace_id, lane }, path, conversion)
    await storage.moveIn(made, renditionKey(folder, fit), mime)
    const rendition = { mime, extension: extensionOf(mime), bytes, width, height }
    await inTransaction(db, async (tx) => {
      const known = await tx
        .selectFrom('media')
        .select('id')
        .where('id', '=', media.id)
        .forKeyShare()
        .executeTakeFirst()
      // Erased meanwhile, and its folder with it: the copy goes too.
      if (!known) {
        await tx
          .insertInto('storage_erasure')
          .values({ folder, due_at: clock.now() })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return
      }
      await tx
        .insertInto('media_rendition')
        .values({ media_id: media.id, fit, ...rendition, created_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    return rendition
  })
}

/** The file as it fits the rules, made if there is no such copy yet. Throws 400 for a file that cannot fit. */
async function variantOf(deps: OpenDeps, media: StoredMedia, rules: MediaRules | null, lane: Lane): Promise<Variant> {
  const { mime, extension, bytes, width, height } = media
  const folder = folderOf(media)
  const original = { fit: null, key: originalKey(folder), mime, extension, bytes, width, height }
  const fit = rules && fitOf(media, rules)
  if (!fit || fit.how === 'unchanged') return original
  if (fit.how === 'refused') throw invalid('/media_ids', fit.text)
  const hash = hashOf(fit)
  const rendition =
    (await findRendition(deps, media.id, hash)) ?? (await makeRendition(deps, media, hash, { conversion: fit, lane }))
  return { fit: hash, key: renditionKey(folder, hash), ...rendition }
}

/**
 * Opens a file, made to fit the rules of a network. `rules`: null opens it as it is. `lane`: the lane in which the copy
 * is made, if there is none yet.
 */
export async function openMedia(
  deps: OpenDeps,
  media: StoredMedia,
  rules: MediaRules | null,
  lane: Lane = 'publishing',
): Promise<OpenMedia> {
  const { key, mime, bytes, width, height, extension } = await variantOf(deps, media, rules, lane)
  const stream = await deps.storage.open(key)
  return { stream, mime, bytes, width, height, name: named(media.name, extension) }
}

/** An absolute address from which a network can fetch the file until `expires`. */
export async function mediaUrl(
  deps: OpenDeps & Pick<Deps, 'keyring' | 'baseUrl'>,
  media: StoredMedia,
  { expires }: { expires: Date },
  rules: MediaRules | null = null,
) {
  const { fit, extension } = await variantOf(deps, media, rules, 'publishing')
  return `${deps.baseUrl}/api/v1/media/signed/${signGrant(deps, { id: media.id, fit, expires }, extension)}`
}
