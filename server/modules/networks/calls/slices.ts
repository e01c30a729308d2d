import type { Readable } from 'node:stream'

/** Cuts a stream into slices of these sizes. Throws if it ends before. */
export async function* slices(stream: Readable, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let next = 0
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk])
    for (let size = sizes[next]; size !== undefined && rest.length >= size; size = sizes[next]) {
      yield rest.subarray(0, size)
      rest = rest.subarray(size)
      next++
    }
  }
  if (next < sizes.length) throw new Error('The file is shorter than expected.')
}

/** Sizes of slices of `most` bytes, of which the last is shorter. */
export const sizesOf = (bytes: number, most: number) =>
  Array.from({ length: Math.ceil(bytes / most) }, (_, index) => Math.min(most, bytes - index * most))
