import { inflateSync } from 'node:zlib'
import { codeOf } from '../../../../../lib/error-code.ts'
import { damaged, profileTooLarge } from '../../rules/refusals.ts'
import { limits } from '../../rules/upload-limits.ts'
import { expectBytes, keeping, type Structure } from './structure.ts'

/** Optional chunks that decide how the image looks. */
const shownChunks = new Set(
  ['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'bKGD', 'hIST', 'pHYs', 'sPLT'].concat([
    'acTL',
    'fcTL',
    'fdAT',
  ]),
)

/** Chunks whose name begins with a capital are needed to decode the image. */
const isCritical = (type: string) => /^[A-Z]/.test(type)

/** Seconds that a frame is shown, by its fcTL chunk. */
function frameSeconds(bytes: Buffer, content: number) {
  const denominator = bytes.readUInt16BE(content + 22)
  return bytes.readUInt16BE(content + 20) / (denominator || 100)
}

/** Decompresses a profile, to refuse one that is a thousand times larger than it seems. */
function checkProfile(content: Buffer) {
  const compressed = content.subarray(content.indexOf(0) + 2)
  try {
    inflateSync(compressed, { maxOutputLength: limits.profileBytes })
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw profileTooLarge()
    throw damaged('The color profile of this PNG is damaged.', error)
  }
}

/** Leaves out Exif, texts, times, unknown optional chunks, and what follows the image. */
export function pngStructure(bytes: Buffer): Structure {
  const parts = keeping(bytes)
  parts.keep(0, 8)
  let isAnimated = false
  let hasPixels = false
  let frames = 0
  let seconds = 0
  for (let at = 8; ; ) {
    expectBytes(bytes, at + 12, 'PNG')
    const end = at + 12 + bytes.readUInt32BE(at)
    expectBytes(bytes, end, 'PNG')
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (at === 8 && type !== 'IHDR') throw damaged('This PNG has no header.')
    if (isCritical(type) || shownChunks.has(type)) parts.keep(at, end)
    // After the first pixels, browsers ignore it.
    if (type === 'acTL' && !hasPixels) isAnimated = true
    if (type === 'iCCP') checkProfile(bytes.subarray(at + 8, end - 4))
    if (type === 'IDAT') hasPixels = true
    if (type === 'fcTL' && end - at >= 38) {
      frames++
      seconds += frameSeconds(bytes, at + 8)
    }
    if (type === 'IEND') return parts.structure(end, isAnimated ? Math.max(1, frames) : 1, seconds)
    at = end
  }
}
