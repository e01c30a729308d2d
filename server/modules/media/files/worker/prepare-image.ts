import { readFile, writeFile } from 'node:fs/promises'
import type { Metadata, Sharp } from 'sharp'
import type { Inspected, Prepared } from '../rules/protocol.ts'
import { decoding, jpegMemory, openImage } from './decoder.ts'
import type { Structure } from './formats/structure.ts'
import { structureOf, takeInspected } from './inspect-file.ts'

const THUMBNAIL_PIXELS = 400
const PLACEHOLDER_PIXELS = 16
const PLACEHOLDER_CHARACTERS = 300
/** High enough that an image that was only turned looks the same. */
const TURNED_QUALITY = 92

/** At most 400 pixels wide and high. Of an animation, the first frame. */
const thumbnailImage = (path: string) =>
  openImage(path)
    .autoOrient()
    .resize({ width: THUMBNAIL_PIXELS, height: THUMBNAIL_PIXELS, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer()

/** A few blurred pixels as a data URI. Noise compresses worse, so it gets fewer. */
async function placeholderOf(thumbnail: Buffer): Promise<string> {
  for (let size = PLACEHOLDER_PIXELS; ; size = Math.ceil(size / 2)) {
    const pixels = await openImage(thumbnail)
      .resize({ width: size, height: size, fit: 'inside' })
      .blur(1)
      .webp({ quality: 20, alphaQuality: 20 })
      .toBuffer()
    const uri = `data:image/webp;base64,${pixels.toString('base64')}`
    if (uri.length <= PLACEHOLDER_CHARACTERS || size === 1) return uri
  }
}

export const thumbnailOf = (path: string): Promise<{ thumbnail: Buffer; placeholder: string }> =>
  decoding(async () => {
    const thumbnail = await thumbnailImage(path)
    return { thumbnail, placeholder: await placeholderOf(thumbnail) }
  })

/** Whether nobody can see that a pixel is transparent: measured on the thumbnail, which has a part of each pixel. */
const looksOpaque = async (thumbnail: Buffer) => (await openImage(thumbnail).stats()).isOpaque

/** Encodes the upright image in its own format, as little changed as that format allows. */
function encodeAsBefore(image: Sharp, mime: string, { chromaSubsampling, width, height }: Metadata) {
  if (mime === 'image/png') return image.png()
  if (mime === 'image/webp') return image.webp({ quality: TURNED_QUALITY })
  const subsampling = chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0'
  return image.jpeg({ quality: TURNED_QUALITY, chromaSubsampling: subsampling, ...jpegMemory({ width, height }) })
}

/** Writes the image turned upright, or as a JPEG where browsers cannot show its format. */
async function reencode(path: string, facts: Inspected, metadata: Metadata): Promise<[string, Inspected]> {
  const target = `${path}.upright`
  const image = openImage(path).autoOrient().keepIccProfile()
  const { width, height, size } = await encodeAsBefore(image, facts.mime, metadata).toFile(target)
  const format = facts.mime === 'image/heic' ? { mime: 'image/jpeg', extension: 'jpg' } : {}
  return [target, { ...facts, ...format, width, height, bytes: size }]
}

/** Writes the image without its metadata. Its pixels are copied, not encoded again. */
async function withoutMetadata(path: string, facts: Inspected, known?: Structure): Promise<[string, Inspected]> {
  const mime = facts.mime === 'image/apng' ? 'image/png' : facts.mime
  const { kept, changed } = known ?? structureOf(mime, await readFile(path))
  if (!changed) return [path, facts]
  const target = `${path}.stripped`
  await writeFile(target, kept)
  return [target, { ...facts, bytes: kept.reduce((sum, part) => sum + part.length, 0) }]
}

/** A turned animation would have to be encoded again frame by frame, and no camera makes one. */
const isTurned = ({ orientation = 1 }: Metadata, { kind }: Inspected) => kind === 'image' && orientation > 1

export async function prepare(path: string, facts: Inspected): Promise<Prepared> {
  return decoding(async () => {
    const inspected = takeInspected(path)
    const { thumbnail, placeholder } = await thumbnailOf(path)
    const metadata = inspected?.metadata ?? (await openImage(path).metadata())
    const opaque = facts.opaque || (await looksOpaque(thumbnail))
    const [target, changed] =
      facts.mime === 'image/heic' || isTurned(metadata, facts)
        ? await reencode(path, facts, metadata)
        : await withoutMetadata(path, facts, inspected?.structure)
    return { path: target, facts: { ...changed, opaque }, thumbnail, placeholder }
  })
}
