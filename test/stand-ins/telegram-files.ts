import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { UploadedFile } from './server.ts'
import { uploadLimits } from './telegram-requests.ts'

export type StoredFile = { id: string; kind: string; type: string; bytes: Buffer }
type Refusal = { refused: string }

/** The largest sizes behind an address, in bytes. They are smaller than those of uploads. */
const BY_ADDRESS = { photo: 5_000_000, other: 20_000_000 }

export const isRefusal = (value: object): value is Refusal => 'refused' in value

async function download(address: string): Promise<Buffer | undefined> {
  const response = await fetch(address).catch(() => undefined)
  return response?.ok ? Buffer.from(await response.arrayBuffer()) : undefined
}

/** The reason for which a photo is refused. */
async function problemOfPhoto(bytes: Buffer) {
  const { width, height } = await sharp(bytes)
    .metadata()
    .catch(() => ({ width: 0, height: 0 }))
  if (!width || !height) return 'IMAGE_PROCESS_FAILED'
  const ratio = Math.max(width / height, height / width)
  if (width + height > 10_000 || ratio > 20) return 'PHOTO_INVALID_DIMENSIONS'
}

/** Reads the file of a parameter: an upload, the id of a known file, or an address. */
export async function readFile(
  kind: string,
  given: unknown,
  uploads: UploadedFile[],
  known: Map<string, StoredFile>,
): Promise<StoredFile | Refusal> {
  const name = typeof given === 'string' ? given.replace(/^attach:\/\//, '') : kind
  const upload = uploads.find(({ field }) => field === name)
  const stored = known.get(name)
  if (stored) return stored.kind === kind ? stored : { refused: `can't use file of type ${stored.kind} as ${kind}` }
  const remote = /^https?:\/\//.test(name)
  const bytes = upload?.bytes ?? (remote ? await download(name) : undefined)
  if (!bytes) return { refused: remote ? 'failed to get HTTP URL content' : 'wrong file identifier/HTTP URL specified' }
  if (bytes.length === 0) return { refused: 'file must be non-empty' }
  const limits = upload ? uploadLimits : BY_ADDRESS
  if (bytes.length > (kind === 'photo' ? limits.photo : limits.other)) return { refused: 'file is too big' }
  const problem = kind === 'photo' ? await problemOfPhoto(bytes) : undefined
  if (problem) return { refused: problem }
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? 'application/octet-stream'
  return { id: `AgAC-${kind}-${known.size}-${Math.random().toString(36).slice(2, 10)}`, kind, type, bytes }
}

/** Reads the files of an album, whose fields the rules of requests allow. */
export async function readAlbum(given: unknown, uploads: UploadedFile[], known: Map<string, StoredFile>) {
  const items: Record<string, unknown>[] = Array.isArray(given) ? given : []
  const album: { file: StoredFile; fields: Record<string, unknown> }[] = []
  for (const fields of items) {
    const file = await readFile(String(fields.type), fields.media, uploads, known)
    if (isRefusal(file)) return file
    album.push({ file, fields })
  }
  const kinds = new Set(album.map(({ file }) => file.kind))
  if (kinds.size > 1 && (kinds.has('document') || kinds.has('audio')))
    return { refused: "can't use the media of the specified type in the album" }
  return album
}
