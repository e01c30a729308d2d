import type { Readable } from 'node:stream'

/**
 * Reads a stream in slices of any lengths, one after the other. The end of a slice leaves the stream open. Throws if the
 * stream ends within a slice.
 */
export function slicesOf(stream: Readable) {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async function* (length: number) {
    let missing = length
    while (missing > 0) {
      if (rest.length === 0) {
        const { value, done } = await chunks.next()
        if (done) throw new Error('The file is shorter than its size.')
        rest = value
      }
      const slice = rest.subarray(0, missing)
      rest = rest.subarray(slice.length)
      missing -= slice.length
      yield slice
    }
  }
}
