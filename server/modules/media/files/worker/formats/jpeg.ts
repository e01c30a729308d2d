import { damaged } from '../../rules/refusals.ts'
import { expectBytes, keeping, type Structure } from './structure.ts'

const START_OF_IMAGE = 0xd8
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const COMMENT = 0xfe
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/** Each scan goes over all pixels again. Cameras and programs write about ten. */
const MAX_SCANS = 100

/** Application segments that decide about colours, by marker and the name in front of their content. */
const shownSegments: Record<number, string> = { 224: 'JFIF\0', 226: 'ICC_PROFILE\0', 238: 'Adobe' }

/** Length of the segment that names the format, without a preview inside. */
const FORMAT_BYTES = 16

function isShown(bytes: Buffer, marker: number, content: number) {
  if (marker === COMMENT) return false
  if (!isApplication(marker)) return true
  if (marker === 0xe0 && bytes.readUInt16BE(content - 2) !== FORMAT_BYTES) return false
  const name = shownSegments[marker]
  return name !== undefined && bytes.toString('latin1', content, content + name.length) === name
}

/** Position of the marker that ends the compressed pixels which begin at `position`. */
function endOfScan(bytes: Buffer, position: number) {
  for (let at = bytes.indexOf(0xff, position); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0
    // 0 stands for a pixel byte of 255, and 255 fills.
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return at
  }
  return bytes.length
}

/** Leaves out Exif, XMP, IPTC, comments, previews, and what follows the image. */
export function jpegStructure(bytes: Buffer): Structure {
  const parts = keeping(bytes)
  if (bytes[1] !== START_OF_IMAGE) throw damaged('This JPEG has no beginning.')
  parts.keep(0, 2)
  let scans = 0
  for (let at = 2; ; ) {
    expectBytes(bytes, at + 2, 'JPEG')
    if (bytes[at] !== 0xff) throw damaged('This JPEG has data where a marker should be.')
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === END_OF_IMAGE) {
      parts.keep(at, at + 2)
      return parts.structure(at + 2, 1, 0)
    }
    expectBytes(bytes, at + 4, 'JPEG')
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) throw damaged('A segment of this JPEG has an impossible length.')
    let end = at + 2 + length
    expectBytes(bytes, end, 'JPEG')
    if (marker === START_OF_SCAN) {
      end = endOfScan(bytes, end)
      if (++scans > MAX_SCANS) throw damaged(`This JPEG has more than ${MAX_SCANS} scans.`)
    }
    if (isShown(bytes, marker, at + 4)) parts.keep(at, end)
    at = end
  }
}
