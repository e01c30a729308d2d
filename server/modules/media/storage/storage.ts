import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3ClientConfig } from '@aws-sdk/client-s3'

/** Bytes of a file, both ends included. */
type ByteRange = { start: number; end: number }

/** `size`: in bytes. */
export type StoredFile = { key: string; size: number }

/** Files by key, such as `<workspace>/<media>/original`. */
export type Storage = {
  moveIn: (path: string, key: string, mime: string) => Promise<void>
  put: (key: string, bytes: Uint8Array, mime: string) => Promise<void>
  /** Copies a file where it is kept, not through this process. Throws `not_found` when there is no such file. */
  copy: (from: string, to: string) => Promise<void>
  /** Throws `not_found` before the first byte when there is no such file: it may just have been erased. */
  open: (key: string, range?: ByteRange) => Promise<Readable>
  /** Lists all files that are stored, or those in a folder, in no order. */
  list: (folder?: string) => AsyncIterable<StoredFile>
  erase: (folder: string) => Promise<void>
  /** The bucket, if files are kept in one: resumable uploads are received there. */
  bucket?: S3ClientConfig & { bucket: string }
  close: () => void
}

declare module '../../../lib/deps.ts' {
  interface Deps {
    storage: Storage
  }
}

export const copyOut = async (storage: Storage, key: string, path: string) =>
  pipeline(await storage.open(key), createWriteStream(path))
