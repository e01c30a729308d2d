import { damaged } from '../../rules/refusals.ts'
import type { ReadAt } from './boxes.ts'

const SEGMENT = 0x18538067
/** Ids of the elements in a segment, and of those in a cluster: one of unknown length ends where the next one begins. */
const KNOWN = new Set([
  ...[0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1f43b675, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367, 0xbf, 0xec],
  ...[0xe7, 0xa0, 0xa3, 0xa7, 0xab, 0xaf, 0x5854],
])
/** Elements that are checked. Recordings of hours have more. */
const MAX_CHECKED = 500_000

/** Reads a number whose first byte says by its leading zeros how many bytes it has. `undefined`: unknown. */
function sizeAt(bytes: Buffer, at: number) {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > bytes.length) throw damaged('This WebM has an impossible length.')
  let value = first & (0xff >> length)
  let isUnknown = value === 0xff >> length
  for (let index = at + 1; index < at + length; index++) {
    value = value * 256 + (bytes[index] ?? 0)
    isUnknown &&= bytes[index] === 0xff
  }
  return { value: isUnknown ? undefined : value, end: at + length }
}

/** Reads an id, whose first byte says how many bytes it has. */
function idAt(bytes: Buffer) {
  const length = Math.clz32(bytes[0] ?? 0) - 23
  return length <= 4 && length <= bytes.length ? { id: bytes.readUIntBE(0, length), end: length } : undefined
}

/** Checks that the elements between two positions follow one another. The last one may be cut off, as in a recording. */
function checkElements(read: ReadAt, start: number, end: number) {
  let at = start
  for (let count = 0; at < end && count < MAX_CHECKED; count++) {
    const bytes = read(at, 12)
    const found = idAt(bytes)
    // The library that measures videos searches on from there, and does not always find an end.
    if (!found || !KNOWN.has(found.id)) throw damaged('This WebM has bytes that belong to nothing.')
    const size = sizeAt(bytes, found.end)
    at += size.end + (size.value ?? 0)
  }
}

/** Checks that a WebM file is as long as its only segment says, and has nothing else in it. Recordings do not say it. */
export function checkWebm(read: ReadAt, length: number) {
  const header = sizeAt(read(0, 16), 4)
  const start = header.end + (header.value ?? 0)
  const bytes = read(start, 16)
  if (bytes.length < 12 || bytes.readUInt32BE(0) !== SEGMENT) throw damaged('This WebM has no frames.')
  const segment = sizeAt(bytes, 4)
  const content = start + segment.end
  if (segment.value !== undefined && content + segment.value > length)
    throw damaged('This WebM ends too early: it was cut off, or its lengths are wrong.')
  checkElements(read, content, segment.value === undefined ? length : content + segment.value)
}
