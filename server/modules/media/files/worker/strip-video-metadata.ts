import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { allBoxes, boxesIn } from './formats/boxes.ts'

/** Boxes with descriptions: user data, tags, and extensions such as XMP. None of them is needed to play a video. */
const described = new Set(['udta', 'meta', 'uuid'])

/**
 * Renames the boxes with descriptions of a video, among them the place where it was made, to `free`, and overwrites their
 * content. Nothing moves, so the positions in the index stay right.
 */
export function stripVideoMetadata(path: string) {
  const file = openSync(path, 'r+')
  try {
    const read = (position: number, length: number) => {
      const buffer = Buffer.alloc(length)
      return buffer.subarray(0, readSync(file, buffer, 0, length, position))
    }
    for (const box of boxesIn(read, 0, fstatSync(file).size)) {
      const found = described.has(box.type) ? [box] : []
      if (box.type === 'moov')
        found.push(...allBoxes(read, box.content, box.end).filter(({ type }) => described.has(type)))
      for (const { start, content, end } of found) {
        writeSync(file, 'free', start + 4, 'latin1')
        for (let at = content; at < end; at += BLANK.length)
          writeSync(file, BLANK, 0, Math.min(BLANK.length, end - at), at)
      }
    }
  } finally {
    closeSync(file)
  }
}

const BLANK = Buffer.alloc(65_536)
