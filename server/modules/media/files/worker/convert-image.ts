import { stat } from 'node:fs/promises'
import type { Metadata, Sharp } from 'sharp'
import type { Conversion, Crop, Made } from '../rules/protocol.ts'
import { type Size, sizeForBytes, sizeWithin } from '../rules/sizes.ts'
import { decoding, jpegMemory, openImage } from './decoder.ts'

/** Qualities that look as before on a screen, the best first. */
const QUALITIES = [90, 84, 78]
/** AVIF needs less for the same look. */
const AVIF_QUALITIES = [70, 60]
/** Factor for both sides when no quality was enough. */
const STEP = 0.84
/** Larger profiles are for printing: their colours are converted instead. */
const MAX_PROFILE_BYTES = 16_000

function encode(image: Sharp, mime: string, quality: number, size: Size) {
  if (mime === 'image/jpeg')
    return image.jpeg({ quality, chromaSubsampling: quality >= 90 ? '4:4:4' : '4:2:0', ...jpegMemory(size) })
  if (mime === 'image/webp') return image.webp({ quality, alphaQuality: quality, effort: 3 })
  if (mime === 'image/avif') return image.avif({ quality, effort: 2 })
  if (mime === 'image/gif') return image.gif({ effort: 3 })
  return image.png({ compressionLevel: 9 })
}

function qualitiesOf(mime: string, isAnimated: boolean) {
  if (isAnimated) return [80]
  if (mime === 'image/avif') return AVIF_QUALITIES
  return mime === 'image/jpeg' || mime === 'image/webp' ? QUALITIES : [100]
}

/** Smallest size to try for an animation, whose bytes are known only afterwards. */
const LEAST_ANIMATION: Size = { width: 16, height: 16 }

/** Sizes to try, from the largest down to the one that is small enough for any image. */
function sizesOf({ width, height, mime, rules, facts }: Conversion): Size[] {
  const whole = { width: facts.width ?? width, height: facts.height ?? height }
  const sure = facts.kind === 'image' ? sizeForBytes(whole, rules, mime) : sizeWithin(whole, rules, 256)
  const last = sure ?? LEAST_ANIMATION
  const sizes: Size[] = []
  // Each try of an animation takes seconds, so the first is near the size that its bytes call for.
  const share = facts.kind === 'gif' ? Math.min(1, (0.9 * rules.max_bytes) / facts.bytes) : 1
  for (let pixels = width * height * share; pixels > last.width * last.height; pixels *= STEP * STEP) {
    const size = sizeWithin(whole, rules, pixels)
    if (size) sizes.push(size)
  }
  return [...sizes, last]
}

const hasSmallProfile = ({ icc, space }: Metadata) =>
  icc !== undefined && icc.length <= MAX_PROFILE_BYTES && (space === 'srgb' || space === 'rgb')

/**
 * Writes the image in the format and size of the conversion, with the best quality and then the largest size whose
 * bytes are accepted.
 */
export async function convert(path: string, conversion: Conversion): Promise<Made> {
  const { mime, rules, facts } = conversion
  return decoding(async () => {
    const animated = facts.kind === 'gif'
    const metadata = await openImage(path, { animated }).metadata()
    const target = `${path}.${mime.slice('image/'.length)}`
    for (const size of sizesOf(conversion))
      for (const quality of qualitiesOf(mime, animated)) {
        const image = openImage(path, { animated })
          .autoOrient()
          .resize({ ...size, fit: 'fill' })
        if (hasSmallProfile(metadata)) image.keepIccProfile()
        await encode(image, mime, quality, size).toFile(target)
        const { size: bytes } = await stat(target)
        if (bytes <= rules.max_bytes) return { path: target, mime, bytes, ...size }
      }
    throw new Error(`No size of this ${mime} has at most ${rules.max_bytes} bytes`)
  })
}

/** High enough that a crop of a crop looks the same. */
const CROP_QUALITY = 92

function encodeCrop(image: Sharp, mime: string, size: Size) {
  if (mime === 'image/png') return image.png()
  if (mime === 'image/webp') return image.webp({ quality: CROP_QUALITY })
  if (mime === 'image/avif') return image.avif({ quality: 75, effort: 2 })
  return image.jpeg({ quality: CROP_QUALITY, chromaSubsampling: '4:4:4', ...jpegMemory(size) })
}

/** Writes a part of an upright image in its own format to `target`. Its colour profile stays. */
export async function crop(path: string, target: string, mime: string, { rotate, x, y, width, height }: Crop) {
  return decoding(async () => {
    const image = openImage(path).rotate(rotate).extract({ left: x, top: y, width, height }).keepIccProfile()
    await encodeCrop(image, mime, { width, height }).toFile(target)
  })
}
