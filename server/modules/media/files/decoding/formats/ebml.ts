import { damaged } from '../../refusals.ts'
import type { ReadAt } from './boxes.ts'

const SEGMENT = 0x18538067

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

/** Checks that a WebM file is as long as its only segment says. Recordings of browsers do not say it. */
export function checkWebm(read: ReadAt, length: number) {
  const header = sizeAt(read(0, 16), 4)
  const start = header.end + (header.value ?? 0)
  const bytes = read(start, 16)
  if (bytes.length < 12 || bytes.readUInt32BE(0) !== SEGMENT) throw damaged('This WebM has no pictures.')
  const segment = sizeAt(bytes, 4)
  if (segment.value !== undefined && start + segment.end + segment.value > length)
    throw damaged('This WebM ends too early: it was cut off, or its lengths are wrong.')
}
