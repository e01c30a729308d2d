import type { Sharp } from 'sharp'
import type { Crop } from '../rules/protocol.ts'
import type { Size } from '../rules/sizes.ts'
import { decoding, jpegMemory, openImage } from './decoder.ts'

/** High enough that a crop of a crop looks the same. */
const QUALITY = 92

function encode(image: Sharp, mime: string, size: Size) {
  if (mime === 'image/png') return image.png()
  if (mime === 'image/webp') return image.webp({ quality: QUALITY })
  if (mime === 'image/avif') return image.avif({ quality: 75, effort: 2 })
  return image.jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4', ...jpegMemory(size) })
}

/** Writes a part of an upright image in its own format to `target`. Its colour profile stays. */
export async function crop(path: string, target: string, mime: string, { rotate, x, y, width, height }: Crop) {
  return decoding(async () => {
    const image = openImage(path).rotate(rotate).extract({ left: x, top: y, width, height }).keepIccProfile()
    await encode(image, mime, { width, height }).toFile(target)
  })
}
