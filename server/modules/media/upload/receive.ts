import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inMegabytes, refused, tooLarge } from '../files/rules/refusals.ts'
import { limits } from '../files/rules/upload-limits.ts'

/** Bytes from the beginning of a file that show its type. */
const HEAD = 4100

/** A file on this machine, as somebody sent it. */
export type Received = { path: string; bytes: number; sha256: string }

async function limitFor(head: Buffer) {
  const { fileTypeFromBuffer } = await import('file-type')
  const mime = (await fileTypeFromBuffer(head))?.mime ?? ''
  return mime.startsWith('image/')
    ? limits.bytes.image
    : mime.startsWith('video/')
      ? limits.bytes.video
      : limits.bytes.document
}

/** 413 for a file that is still arriving. */
export const beyond = (limit: number) => tooLarge(`The file is larger than ${inMegabytes(limit)}.`)

/** Bytes at which the room is checked first. It is checked again at each doubling. */
const FIRST_CHECK = 1_000_000

/**
 * Writes a stream to a file in `folder`. Refuses it as soon as it is larger than a file of its type may be.
 * `requireRoom`: throws when the workspace has no room for so many bytes, as a stream of unknown length must not fill the
 * disk. `stopped`: ends it with the reason of the signal.
 */
export async function receive(
  source: Readable,
  folder: string,
  requireRoom?: (bytes: number) => Promise<void>,
  stopped?: AbortSignal,
): Promise<Received> {
  const path = join(folder, 'received')
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let bytes = 0
  let limit: number | undefined
  let nextCheck = requireRoom ? FIRST_CHECK : Number.POSITIVE_INFINITY
  await pipeline(
    source,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (limit === undefined) head.push(chunk)
        if (limit === undefined && bytes >= HEAD) limit = await limitFor(Buffer.concat(head.splice(0)))
        if (limit !== undefined && bytes > limit) throw beyond(limit)
        if (bytes > nextCheck) {
          await requireRoom?.(bytes)
          nextCheck = 2 * bytes
        }
        hash.update(chunk)
        yield chunk
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: 1024 * 1024 }),
    { ...(stopped && { signal: stopped }) },
  )
  if (bytes === 0) throw refused('The file is empty.')
  return { path, bytes, sha256: hash.digest('hex') }
}
