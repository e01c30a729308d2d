import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Writable } from 'node:stream'
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

/** Bytes that wait in memory while others are written. */
const WAITING = 1024 * 1024
/** Bytes after which writing to the disk begins. What is left of it at the end is what a person waits for. */
const FLUSHED_AT_ONCE = 8 * 1024 * 1024

/** Writes all bytes. One call writes less than it was given when the disk is nearly full. */
async function writeAll(file: FileHandle, chunks: Buffer[]) {
  const { bytesWritten } = await file.writev(chunks)
  const left = chunks.reduce((sum, chunk) => sum + chunk.length, 0) - bytesWritten
  if (left > 0) await file.writeFile(Buffer.concat(chunks).subarray(-left))
}

/** Smaller pieces may be a buffer that the parser of forms uses again. Those of a connection have up to 64 KB. */
const RELEASED = 16 * 1024

/**
 * Frees the memory of bytes that were written. Otherwise it counts until the next garbage collection, and every 40 MB or
 * so of them cause one of the whole heap, in which requests wait. Only memory that is no part of anything else.
 */
function release({ buffer, byteLength }: Buffer) {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength >= RELEASED) buffer.transfer(0)
}

/**
 * A new file as a stream. It is closed once nothing is written to it any more, also after a failure. `beforeWrite` and
 * `whileWriting` get the pieces in their order, and then their memory is freed.
 */
function newFile(
  path: string,
  steps: { beforeWrite: (chunks: Buffer[]) => Promise<void>; whileWriting: (chunks: Buffer[]) => void },
) {
  let file: FileHandle | undefined
  let writing: Promise<void> | undefined
  let flushing: Promise<void> | undefined
  let unflushed = 0
  async function write(opened: FileHandle, chunks: Buffer[]) {
    await steps.beforeWrite(chunks)
    const written = writeAll(opened, chunks)
    steps.whileWriting(chunks)
    await written
    for (const chunk of chunks) {
      unflushed += chunk.length
      release(chunk)
    }
    if (unflushed < FLUSHED_AT_ONCE || flushing) return
    unflushed = 0
    // The disk tells a failed write once: a flush of the whole file, later, would no longer learn of it.
    flushing = opened.datasync().then(
      () => {
        flushing = undefined
      },
      (error) => {
        stream.destroy(error)
      },
    )
  }
  const stream = new Writable({
    highWaterMark: WAITING,
    construct: (done) => {
      open(path, 'wx', 0o600).then((opened) => {
        file = opened
        done()
      }, done)
    },
    writev: (pieces, done) => {
      if (!file) return done(new Error('The file is not open.'))
      writing = write(
        file,
        pieces.map(({ chunk }) => chunk),
      )
      writing.then(() => done(), done)
    },
    final: (done) => {
      Promise.resolve(flushing).then(() => done(), done)
    },
    destroy: (error, done) => {
      const closed = Promise.allSettled([writing, flushing]).then(() => file?.close())
      closed.then(
        () => done(error),
        (closing) => done(error ?? closing),
      )
    },
  })
  return stream
}

/**
 * Writes a stream to a file in `folder`. Refuses it as soon as it is larger than a file of its type may be.
 * `requireRoom`: throws when the workspace has no room for so many bytes, as a stream of unknown length must not fill the
 * disk. `stopped`: ends it with the reason of the signal. The source ends with it, and must not use its pieces again:
 * their memory is freed.
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

  const beforeWrite = async (chunks: Buffer[]) => {
    for (const chunk of chunks) bytes += chunk.length
    if (limit === undefined) head.push(...chunks)
    if (limit === undefined && bytes >= HEAD) limit = await limitFor(Buffer.concat(head.splice(0)))
    if (limit !== undefined && bytes > limit) throw beyond(limit)
    if (bytes > nextCheck) {
      await requireRoom?.(bytes)
      nextCheck = 2 * bytes
    }
  }
  const whileWriting = (chunks: Buffer[]) => {
    for (const chunk of chunks) hash.update(chunk)
  }
  await pipeline(source, newFile(path, { beforeWrite, whileWriting }), { ...(stopped && { signal: stopped }) })
  if (bytes === 0) throw refused('The file is empty.')
  return { path, bytes, sha256: hash.digest('hex') }
}
