import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { damaged, limits, refused } from '../refusals.ts'

sharp.cache(false)
// The process works on one file at a time; two threads read ahead and write behind.
sharp.concurrency(2)

/** Shorter than the time after which the process is killed: this one comes with a better message. */
const DECODING_S = 50

/** Whether an error comes from the system, such as a full disk, and not from the file. */
const isOfTheSystem = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)

/** Runs a step of sharp. What it cannot decode is a damaged file. */
export async function decoding<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (isOfTheSystem(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw damaged(`The picture could not be decoded: ${reason.split('\n', 1)[0]?.slice(0, 200)}`, error)
  }
}

const isHeicReadable = () => sharp.format.heif.input.fileSuffix?.includes('.heic') ?? false

/** Width, height and alpha of a picture, from its header. */
export async function readHeader(path: string, mime: string): Promise<Metadata> {
  if (mime === 'image/heic' && !isHeicReadable())
    throw refused(
      'This server cannot read HEIC pictures. Save it as JPEG; most phones do so when they share a picture.',
    )
  // Without a limit, so that the refusal can say the size.
  return decoding(() => sharp(path, { limitInputPixels: false }).metadata())
}

/** Opens a picture that was inspected. Damaged and truncated data is refused instead of shown in grey. */
export const openImage = (path: string | Buffer, options: SharpOptions = {}): Sharp =>
  sharp(path, {
    failOn: 'error',
    limitInputPixels: options.animated ? limits.animatedPixels : limits.pixels,
    sequentialRead: true,
    ...options,
  }).timeout({ seconds: DECODING_S })
