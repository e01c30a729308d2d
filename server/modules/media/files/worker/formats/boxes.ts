import { damaged } from '../../rules/refusals.ts'

/** A box of an MP4, MOV, AVIF or HEIC file: a length, a type of four letters, and content. */
export type Box = { type: string; start: number; content: number; end: number }

/** Reads up to `length` bytes at a position. */
export type ReadAt = (position: number, length: number) => Buffer

const MAX_BOXES = 500_000

/** Walks through the boxes between two positions. A box that claims more than is there is refused. */
export function* boxesIn(read: ReadAt, start: number, end: number): Generator<Box> {
  let count = 0
  for (let at = start; at + 8 <= end; ) {
    if (++count > MAX_BOXES) throw damaged(`This file has more than ${MAX_BOXES.toLocaleString('en')} boxes.`)
    const header = read(at, 16)
    if (header.length < 8) throw damaged('This file was cut off.')
    const short = header.readUInt32BE(0)
    const isLong = short === 1
    if (isLong && header.length < 16) throw damaged('This file was cut off.')
    // 0: up to the end.
    const length = short === 0 ? end - at : isLong ? Number(header.readBigUInt64BE(8)) : short
    const type = header.toString('latin1', 4, 8)
    const content = at + (isLong ? 16 : 8)
    if (at + length < content) throw damaged(`The box "${printable(type)}" has an impossible length.`)
    if (at + length > end)
      throw damaged(
        `The box "${printable(type)}" goes on behind the end: the file was cut off, or its lengths are wrong.`,
      )
    yield { type, start: at, content, end: at + length }
    at += length
  }
}

const printable = (type: string) => type.replace(/[^\x20-\x7e]/g, '?')

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'dinf', 'mvex', 'moof', 'traf', 'udta'])
/** Boxes of real videos are at most seven deep. */
const MAX_DEPTH = 12

/** Walks through all boxes with those inside them. */
export function* allBoxes(read: ReadAt, start: number, end: number, depth = 0): Generator<Box> {
  if (depth > MAX_DEPTH) throw damaged('The boxes of this file are nested too deep.')
  for (const box of boxesIn(read, start, end)) {
    yield box
    if (containers.has(box.type)) yield* allBoxes(read, box.content, box.end, depth + 1)
  }
}
