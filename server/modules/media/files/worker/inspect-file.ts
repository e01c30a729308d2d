import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import type { MediaFacts } from '../../media-rules.ts'
import type { Inspected } from '../rules/protocol.ts'
import { damaged, inMegabytes, tooLarge } from '../rules/refusals.ts'
import { limits } from '../rules/upload-limits.ts'
import { readHeader } from './decoder.ts'
import { avifStructure } from './formats/avif.ts'
import { gifStructure } from './formats/gif.ts'
import { jpegStructure } from './formats/jpeg.ts'
import { pngStructure } from './formats/png.ts'
import type { Structure } from './formats/structure.ts'
import { webpStructure } from './formats/webp.ts'
import { measureVideo } from './measure-video.ts'
import { refuseSecondFile, sniff } from './sniff.ts'

/** Bytes that decide about the type, as many as `file-type` asks for. */
const HEAD_BYTES = 4100
/** Viewers look for the end mark of a PDF in as many last bytes. */
const PDF_TAIL_BYTES = 4096

const structures: Record<string, (bytes: Buffer) => Structure> = {
  'image/jpeg': jpegStructure,
  'image/png': pngStructure,
  'image/webp': webpStructure,
  'image/gif': gifStructure,
  'image/avif': avifStructure,
  'image/heic': avifStructure,
}

export function structureOf(mime: string, bytes: Buffer): Structure {
  const read = structures[mime]
  if (!read) throw new Error(`No structure of ${mime} is known`)
  return read(bytes)
}

const nouns: Record<MediaFacts['kind'], string> = {
  image: 'Images',
  gif: 'Animated images',
  video: 'Videos',
  document: 'Documents',
}

function checkBytes(kind: MediaFacts['kind'], bytes: number) {
  const limit = limits.bytes[kind]
  if (bytes > limit)
    throw tooLarge(`${nouns[kind]} can have ${inMegabytes(limit)}. This file has ${inMegabytes(bytes)}.`)
}

const count = (value: number) => value.toLocaleString('en')

function checkPixels(width: number, height: number, frames: number) {
  if (width * height > limits.pixels)
    throw tooLarge(
      `Images can have ${limits.pixels / 1e6} megapixels. This one has ${count(width)} × ${count(height)} pixels, which is ${count(Math.ceil((width * height) / 1e6))} megapixels.`,
    )
  if (frames > limits.frames)
    throw tooLarge(`Animated images can have ${count(limits.frames)} frames. This one has ${count(frames)}.`)
  if (frames > 1 && frames * width * height > limits.animatedPixels)
    throw tooLarge(
      `Animated images can have ${count(limits.animatedPixels / 1e6)} megapixels, all frames together. This one has ${count(frames)} frames of ${count(width)} × ${count(height)} pixels.`,
    )
}

type ReadImage = { structure: Structure; metadata: Metadata }

const MOST_REMEMBERED_BYTES = 16_000_000

/** The image that was inspected last: it is mostly prepared next, and by this process. */
let last: { identity: string; image: ReadImage } | undefined

function identityOf(path: string) {
  const { ino, size, mtimeMs } = statSync(path)
  return `${path} ${ino} ${size} ${mtimeMs}`
}

/** Returns once what the inspection read of this image. Undefined if another process inspected it, or it has changed. */
export function takeInspected(path: string): ReadImage | undefined {
  const found = last?.identity === identityOf(path) ? last.image : undefined
  last = undefined
  return found
}

async function inspectImage(path: string, mime: string, extension: string, bytes: number): Promise<Inspected> {
  checkBytes('image', bytes)
  const structure = structureOf(mime, await readFile(path))
  const { frames, duration_s, trailing } = structure
  await refuseSecondFile(trailing)
  // Before decoding: its first step already reads all frames of some formats.
  if (frames > limits.frames) checkPixels(1, 1, frames)
  const metadata = await readHeader(path, mime)
  const { autoOrient, hasAlpha } = metadata
  const { width, height } = autoOrient
  checkPixels(width, height, frames)
  if (bytes <= MOST_REMEMBERED_BYTES) last = { identity: identityOf(path), image: { structure, metadata } }
  const isAnimated = frames > 1
  return {
    kind: isAnimated ? 'gif' : 'image',
    mime: isAnimated && mime === 'image/png' ? 'image/apng' : mime,
    extension,
    bytes,
    width,
    height,
    duration_s: isAnimated ? Math.round(duration_s * 1000) / 1000 : null,
    opaque: !hasAlpha,
  }
}

function inspectDocument(bytes: number, tail: Buffer, mime: string, extension: string): Inspected {
  checkBytes('document', bytes)
  if (!tail.includes('%%EOF')) throw damaged('This PDF has no end: it was cut off.')
  return { kind: 'document', mime, extension, bytes, width: null, height: null, duration_s: null, opaque: null }
}

/** Reads the type, the size and what else is known of a file without decoding its pixels. */
export async function inspect(path: string): Promise<Inspected> {
  last = undefined
  const file = openSync(path, 'r')
  try {
    const read = (position: number, length: number) => {
      const buffer = Buffer.alloc(length)
      return buffer.subarray(0, readSync(file, buffer, 0, length, position))
    }
    const bytes = fstatSync(file).size
    if (bytes === 0) throw damaged('The file is empty.')
    const { mime, extension } = await sniff(read(0, HEAD_BYTES))
    if (mime.startsWith('image/')) return await inspectImage(path, mime, extension, bytes)
    if (mime === 'application/pdf')
      return inspectDocument(bytes, read(Math.max(0, bytes - PDF_TAIL_BYTES), PDF_TAIL_BYTES), mime, extension)
    checkBytes('video', bytes)
    return { kind: 'video', mime, extension, bytes, opaque: null, ...(await measureVideo(path, mime, read, bytes)) }
  } finally {
    closeSync(file)
  }
}
