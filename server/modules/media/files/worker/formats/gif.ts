import { damaged } from '../../rules/refusals.ts'
import { expectBytes, keeping, type Structure } from './structure.ts'

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff
/** Application extensions that viewers act upon: loops and the colour profile. */
const shownApplications = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])
/** Viewers show frames with a shorter delay for this time, in hundredths of a second. */
const SHORTEST_DELAY = 2
const REPLACED_DELAY = 10

const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Position after the sub-blocks that begin at `position`. */
function endOfBlocks(bytes: Buffer, position: number) {
  for (let at = position; ; ) {
    expectBytes(bytes, at + 1, 'GIF')
    const length = bytes[at] ?? 0
    at += 1 + length
    if (length === 0) return at
  }
}

function isShown(bytes: Buffer, label: number, content: number) {
  if (label === GRAPHIC_CONTROL) return true
  return label === APPLICATION && shownApplications.has(bytes.toString('latin1', content + 1, content + 12))
}

/** Leaves out comments, texts, XMP, unknown extensions, and what follows the image. */
export function gifStructure(bytes: Buffer): Structure {
  expectBytes(bytes, 13, 'GIF')
  const parts = keeping(bytes)
  let at = 13 + colourTableBytes(bytes[10] ?? 0)
  expectBytes(bytes, at, 'GIF')
  parts.keep(0, at)
  let frames = 0
  let hundredths = 0
  for (;;) {
    expectBytes(bytes, at + 1, 'GIF')
    const start = at
    const block = bytes[at]
    if (block === TRAILER) {
      parts.keep(at, at + 1)
      return parts.structure(at + 1, frames, hundredths / 100)
    }
    if (block === EXTENSION) {
      expectBytes(bytes, at + 8, 'GIF')
      const label = bytes[at + 1] ?? 0
      at = endOfBlocks(bytes, at + 2)
      if (isShown(bytes, label, start + 2)) parts.keep(start, at)
      if (label === GRAPHIC_CONTROL) {
        const delay = bytes.readUInt16LE(start + 4)
        hundredths += delay < SHORTEST_DELAY ? REPLACED_DELAY : delay
      }
    } else if (block === IMAGE) {
      expectBytes(bytes, at + 10, 'GIF')
      at = endOfBlocks(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0))
      parts.keep(start, at)
      frames++
    } else throw damaged('This GIF has data that belongs to no frame.')
  }
}
