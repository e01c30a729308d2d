import { damaged, refused } from '../../rules/refusals.ts'
import { type Box, boxesIn } from './boxes.ts'
import type { Structure } from './structure.ts'

/** Reads numbers of a box one after the other. Past the end is past the file: refused. */
function numbersOf(bytes: Buffer, start: number) {
  let at = start
  return {
    position: () => at,
    next(length: number) {
      if (at + length > bytes.length) throw damaged('A table of this image goes on behind its end.')
      at += length
      return length === 0
        ? 0
        : length === 8
          ? Number(bytes.readBigUInt64BE(at - 8))
          : bytes.readUIntBE(at - length, length)
    },
  }
}

/** Ids of the items with Exif or XMP (box `iinf`). */
function metadataItems(bytes: Buffer, entries: Box[]) {
  return new Set(
    entries.flatMap(({ type, content, end }) => {
      const version = bytes[content] ?? 0
      if (type !== 'infe' || version < 2) return []
      const idLength = version === 2 ? 2 : 4
      const id = bytes.readUIntBE(content + 4, idLength)
      const item = bytes.toString('latin1', content + 6 + idLength, end)
      return /^(Exif|mime|uri )/.test(item) ? [id] : []
    }),
  )
}

type Extent = { item: number; start: number; length: number }

/** Positions of the items in the file (box `iloc`). */
function extentsOf(bytes: Buffer, { content }: Box): Extent[] {
  const version = bytes[content] ?? 0
  const numbers = numbersOf(bytes, content + 4)
  const sizes = numbers.next(2)
  const [offsetLength, lengthLength, baseLength] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexLength = version > 0 ? sizes & 15 : 0
  if ([offsetLength, lengthLength, baseLength, indexLength].some((length) => ![0, 4, 8].includes(length)))
    throw damaged('A table of this image has numbers of an impossible length.')
  const extents: Extent[] = []
  const idLength = version < 2 ? 2 : 4
  for (let items = numbers.next(idLength); items > 0; items--) {
    const item = numbers.next(idLength)
    const method = version > 0 ? numbers.next(2) & 15 : 0
    numbers.next(2)
    const base = numbers.next(baseLength)
    for (let count = numbers.next(2); count > 0; count--) {
      numbers.next(indexLength)
      const start = base + numbers.next(offsetLength)
      const length = numbers.next(lengthLength)
      // Other methods than 0 count from somewhere else than the beginning of the file.
      if (method === 0) extents.push({ item, start, length })
    }
  }
  return extents
}

/**
 * Overwrites Exif and XMP with zeros, in a copy: positions of everything else stay. An AVIF carries its orientation
 * elsewhere.
 */
export function avifStructure(bytes: Buffer): Structure {
  const read = (at: number, length: number) => bytes.subarray(at, at + length)
  const boxes = [...boxesIn(read, 0, bytes.length)]
  if (boxes.some(({ type }) => type === 'moov'))
    throw refused('Animated AVIF and HEIC images are not accepted. Upload an animated GIF or WebP, or a video.')
  const unchanged = { kept: [bytes], changed: false, frames: 1, duration_s: 0, trailing: Buffer.alloc(0) }
  const meta = boxes.find(({ type }) => type === 'meta')
  if (!meta) return unchanged
  const inside = [...boxesIn(read, meta.content + 4, meta.end)]
  const infos = inside.find(({ type }) => type === 'iinf')
  const locations = inside.find(({ type }) => type === 'iloc')
  if (!infos || !locations) return unchanged
  const header = infos.content + (bytes[infos.content] === 0 ? 6 : 8)
  const items = metadataItems(bytes, [...boxesIn(read, header, infos.end)])
  const blanked = extentsOf(bytes, locations).filter(
    ({ item, start, length }) => items.has(item) && bytes.subarray(start, start + length).some((byte) => byte !== 0),
  )
  if (blanked.length === 0) return unchanged
  const copy = Buffer.from(bytes)
  for (const { start, length } of blanked) copy.fill(0, start, start + length)
  return { ...unchanged, kept: [copy], changed: true }
}
