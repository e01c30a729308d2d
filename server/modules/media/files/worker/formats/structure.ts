import { damaged } from '../../rules/refusals.ts'

/** Parts of an image file, found by its structure alone, without decoding a pixel. */
export type Structure = {
  /** Bytes of the file without private metadata, in order. */
  kept: Buffer[]
  /** Whether something was left out of `kept`, or changed in it. */
  changed: boolean
  /** More than one: the image is animated. */
  frames: number
  /** Length of one run of an animation, in seconds. */
  duration_s: number
  /** Bytes after the end of the image, which no viewer shows. */
  trailing: Buffer
}

/** Collects the parts of a file that stay. Neighbours become one part, so that millions of them cost nothing. */
export function keeping(bytes: Buffer) {
  const ranges: [start: number, end: number][] = []
  return {
    keep(start: number, end: number) {
      const last = ranges.at(-1)
      if (last?.[1] === start) last[1] = end
      else ranges.push([start, end])
    },
    structure(end: number, frames: number, duration_s: number): Structure {
      const kept = ranges.map(([from, to]) => bytes.subarray(from, to))
      const changed = ranges.length !== 1 || ranges[0]?.[0] !== 0 || ranges[0][1] !== bytes.length
      return { kept, changed, frames, duration_s, trailing: bytes.subarray(end) }
    },
  }
}

/** Checks that the file goes on to `end`. */
export function expectBytes(bytes: Buffer, end: number, what: string) {
  if (end > bytes.length) throw damaged(`This ${what} ends too early: it was cut off, or its lengths are wrong.`)
}
