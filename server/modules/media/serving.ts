import type { Kysely } from 'kysely'
import { notFound } from '../../errors.ts'
import { equalInConstantTime, hmac } from '../../lib/crypto/crypto.ts'
import type { Db } from '../../lib/db/database.ts'
import type { DB } from '../../lib/db/database-types.ts'
import type { Deps } from '../../lib/deps.ts'
import type { User } from '../../lib/http/access.ts'
import type { ServedFile } from '../../lib/http/response/send-file.ts'
import { inWorkspaceOf } from '../workspaces/members/in-workspace-of.ts'
import { folderOf, originalKey, renditionKey, thumbnailKey } from './storage/keys.ts'

/** Content never changes under an address, but access to it can end: browsers may keep it, shared caches may not. */
const KEPT_BY_BROWSER = 'private, max-age=31536000, immutable'

/** Files that browsers show. What they would run, such as a document with scripts, is downloaded. */
const isShown = (mime: string) => /^(image|video)\//.test(mime) && !mime.includes('svg')

/** A name that ends with the extension of the content, whatever it was called. */
export const named = (name: string, extension: string) =>
  name.toLowerCase().endsWith(`.${extension}`) ? name : `${name.replace(/\.[\w-]{1,10}$/, '')}.${extension}`

/** Files that are not deleted, in workspaces that are not. */
const selectServed = (db: Db | Kysely<DB>) =>
  db
    .selectFrom('media')
    .innerJoin('workspace', 'workspace.id', 'media.workspace_id')
    .where('workspace.deleted_at', 'is', null)
    .where('media.deleted_at', 'is', null)
    .select(['media.id', 'media.workspace_id', 'media.mime', 'media.extension', 'media.bytes', 'media.name'])
    .select('media.thumbnail_bytes')

/**
 * Finds a file of any workspace that the caller belongs to. A page loads a file by its URL alone and cannot name the
 * workspace there.
 */
async function findForUser({ db }: Pick<Deps, 'db'>, caller: User, id: string) {
  const file = await selectServed(db)
    .where('media.id', '=', id)
    .where(inWorkspaceOf(caller, 'media.workspace_id'))
    .executeTakeFirst()
  if (!file) throw notFound()
  return file
}

type Part = { key: string; mime: string; bytes: number; extension: string; name: string; tag: string }

const served = ({ storage }: Pick<Deps, 'storage'>, { key, mime, bytes, extension, name, tag }: Part): ServedFile => ({
  ...{ mime, bytes },
  etag: `"${tag}"`,
  inline: isShown(mime),
  name: named(name, extension),
  cache: KEPT_BY_BROWSER,
  open: (range) => storage.open(key, range),
})

type ServingDeps = Pick<Deps, 'db' | 'storage'>

type MediaFile = Awaited<ReturnType<typeof findForUser>>

const original = (deps: ServingDeps, file: MediaFile) =>
  served(deps, { ...file, key: originalKey(folderOf(file)), tag: file.id })

function thumbnail(deps: ServingDeps, file: MediaFile) {
  if (file.thumbnail_bytes === null) throw notFound()
  const { name, thumbnail_bytes: bytes } = file
  const key = thumbnailKey(folderOf(file))
  return served(deps, { key, mime: 'image/webp', bytes, extension: 'webp', name, tag: `${file.id}-thumbnail` })
}

export const serveFile = async (deps: ServingDeps, caller: User, id: string) =>
  original(deps, await findForUser(deps, caller, id))

export const serveThumbnail = async (deps: ServingDeps, caller: User, id: string) =>
  thumbnail(deps, await findForUser(deps, caller, id))

/** A file that the caller of this function lets everyone see. Shared caches keep it for as long as it may outlive that. */
export async function serveGranted(deps: ServingDeps, id: string, part: 'file' | 'thumbnail'): Promise<ServedFile> {
  const file = await selectServed(deps.db).where('media.id', '=', id).executeTakeFirst()
  if (!file) throw notFound()
  return { ...(part === 'file' ? original(deps, file) : thumbnail(deps, file)), cache: 'public, max-age=300' }
}

/** `fit` of the file as it is. */
const ORIGINAL = 'original'

/** Content of a signed address: the file that it serves, or the copy that fits a network, and the time of its end. */
type Grant = { id: string; fit: string | null; expires: Date }

const signatureOf = (key: Parameters<typeof hmac>[0], text: string) => hmac(key, text).digest('base64url')

/** The part of a signed address that holds its grant, such as `<id>.original.mf3k2x.<signature>.jpg`. */
export function signGrant({ keyring }: Pick<Deps, 'keyring'>, { id, fit, expires }: Grant, extension: string) {
  const text = `${id}.${fit ?? ORIGINAL}.${Math.floor(expires.getTime() / 1000).toString(36)}`
  return `${text}.${signatureOf(keyring.current('media').key, text)}.${extension}`
}

/** The same file as a signed address leads to, until another time. */
export function renewMediaUrl(deps: Pick<Deps, 'keyring' | 'baseUrl'>, url: string, expires: Date) {
  const [, id = '', fit = '', extension = ''] = /([0-9a-f-]{36})\.([\w-]+)\.[0-9a-z]+\.[\w-]+\.(\w+)$/.exec(url) ?? []
  return `${deps.baseUrl}/api/v1/media/signed/${signGrant(deps, { id, fit, expires }, extension)}`
}

function readGrant({ keyring, clock }: Pick<Deps, 'keyring' | 'clock'>, signed: string): Grant {
  const [, text = '', id = '', fit = '', expires = '', signature = ''] =
    /^(([0-9a-f-]{36})\.([\w-]+)\.([0-9a-z]{1,8}))\.([\w-]+)\.\w+$/.exec(signed) ?? []
  // Addresses outlive the key that signed them.
  const isOurs = keyring
    .list()
    .filter(({ purpose }) => purpose === 'media')
    .some((key) => equalInConstantTime(signatureOf(keyring.byId(key.id), text), signature))
  const until = new Date(Number.parseInt(expires, 36) * 1000)
  if (!isOurs || until <= clock.now()) throw notFound()
  return { id, fit: fit === ORIGINAL ? null : fit, expires: until }
}

/** The file of a signed address. Needs no credentials. */
export async function serveSigned(
  deps: ServingDeps & Pick<Deps, 'keyring' | 'clock'>,
  signed: string,
): Promise<ServedFile> {
  const { id, fit } = readGrant(deps, signed)
  const file = await selectServed(deps.db).where('media.id', '=', id).executeTakeFirst()
  if (!file) throw notFound()
  const folder = folderOf(file)
  if (fit === null) return original(deps, file)
  const rendition = await deps.db
    .selectFrom('media_rendition')
    .select(['mime', 'extension', 'bytes'])
    .where('media_id', '=', id)
    .where('fit', '=', fit)
    .executeTakeFirst()
  if (!rendition) throw notFound()
  return served(deps, { ...rendition, name: file.name, key: renditionKey(folder, fit), tag: `${id}-${fit}` })
}

/** A file that the caller of this function lets others read, also after its workspace was deleted. */
export async function serveShared(deps: ServingDeps, id: string): Promise<ServedFile> {
  const file = await deps.db
    .selectFrom('media')
    .select(['id', 'workspace_id', 'mime', 'extension', 'bytes', 'name'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!file) throw notFound()
  return served(deps, { ...file, key: originalKey(folderOf(file)), tag: file.id })
}
