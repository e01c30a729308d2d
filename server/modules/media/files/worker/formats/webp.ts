import { damaged } from '../../rules/refusals.ts'
import { expectBytes, keeping, type Structure } from './structure.ts'

const shownChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Bits of VP8X that announce Exif and XMP. */
const METADATA_FLAGS = 0x0c
const HEADER = 12

/** A copy of the first part, with the length of the whole and without the bits of what was left out. */
function correctedStart(start: Buffer, length: number) {
  const copy = Buffer.from(start)
  copy.writeUInt32LE(length - 8, 4)
  if (copy.toString('latin1', HEADER, HEADER + 4) === 'VP8X')
    copy.writeUInt8(copy.readUInt8(HEADER + 8) & ~METADATA_FLAGS, HEADER + 8)
  return copy
}

/** Leaves out Exif, XMP, unknown chunks, and what follows the image. */
export function webpStructure(bytes: Buffer): Structure {
  const whole = 8 + bytes.readUInt32LE(4)
  expectBytes(bytes, whole, 'WebP')
  const parts = keeping(bytes)
  parts.keep(0, HEADER)
  let frames = 0
  let milliseconds = 0
  for (let at = HEADER; at < whole; ) {
    expectBytes(bytes, at + 8, 'WebP')
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    // Chunks have an even length. The last one of some files lacks its filling byte.
    const end = Math.min(at + 8 + length + (length % 2), Math.max(whole, at + 8 + length))
    if (at + 8 + length > whole) throw damaged('A chunk of this WebP is longer than the file.')
    if (shownChunks.has(type)) parts.keep(at, end)
    if (type === 'ANMF' && length >= 16) {
      frames++
      milliseconds += bytes.readUIntLE(at + 8 + 12, 3)
    }
    at = end
  }
  const structure = parts.structure(whole, Math.max(1, frames), milliseconds / 1000)
  const [start, ...rest] = structure.kept
  if (!structure.changed || !start) return structure
  const length = structure.kept.reduce((sum, part) => sum + part.length, 0)
  return { ...structure, kept: [correctedStart(start, length), ...rest] }
}
