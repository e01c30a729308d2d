import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { Problem } from '../../../../errors.ts'
import { codeOf } from '../../../../lib/error-code.ts'
import { damaged, profileTooLarge, refused } from '../rules/refusals.ts'
import type { Size } from '../rules/sizes.ts'
import { limits } from '../rules/upload-limits.ts'

sharp.cache(false)
// The process works on one file at a time; two threads read ahead and write behind.
sharp.concurrency(2)

/** Whether an error comes from the system, such as a full disk, and not from the file. */
const isOfTheSystem = (error: unknown) => /^E[A-Z]+$/.test(codeOf(error))

/** Runs a step of sharp. What it cannot decode is a damaged file. */
export async function decoding<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Problem || isOfTheSystem(error)) throw error
    // The message of sharp can have the path of the file.
    throw damaged('The image could not be decoded: it is damaged, or was cut off.', error)
  }
}

const isHeicReadable = () => sharp.format.heif.input.fileSuffix?.includes('.heic') ?? false

/** Width, height and alpha of an image, from its header. */
export async function readHeader(path: string, mime: string): Promise<Metadata> {
  if (mime === 'image/heic' && !isHeicReadable())
    throw refused('This server cannot read HEIC images. Save it as JPEG; most phones do so when they share an image.')
  // Without a limit, so that the refusal can say the size.
  const metadata = await decoding(() => sharp(path, { limitInputPixels: false }).metadata())
  if (metadata.icc && metadata.icc.length > limits.profileBytes) throw profileTooLarge()
  return metadata
}

/** Opens an image that was inspected. Damaged and truncated data is refused instead of shown in grey. */
export const openImage = (path: string | Buffer, options: SharpOptions = {}): Sharp =>
  sharp(path, {
    failOn: 'error',
    limitInputPixels: options.animated ? limits.animatedPixels : limits.pixels,
    sequentialRead: true,
    ...options,
  })

const MOST_OPTIMISED_PIXELS = 25_000_000

/** Codes that are chosen for a JPEG save a fifth of its bytes, but hold three times its pixels in memory. */
export const jpegMemory = ({ width, height }: Size) => ({ optimizeCoding: width * height <= MOST_OPTIMISED_PIXELS })
