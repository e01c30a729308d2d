import type { BucketUrl, FolderUrl } from '../../config/config.ts'

type WriteOptions = {
  /** About how many bytes it becomes. */
  size: number
  signal?: AbortSignal | undefined
}

export type BackupFile = {
  name: string
  /** Where it is, without credentials. */
  address: string
  exists: () => Promise<boolean>
  /** Writes it as a whole or not at all. Returns its size in bytes. */
  write: (content: AsyncIterable<Buffer>, options: WriteOptions) => Promise<number>
  open: (signal?: AbortSignal) => Promise<{ size: number; content: AsyncIterable<Buffer> }>
  remove: () => Promise<void>
  /** Removes what a killed process left of writing it. */
  removePartial: () => Promise<void>
}

/** Where backups are written: a folder, or a folder in a bucket. */
export type BackupTarget = {
  /** Its address, without credentials. */
  address: string
  file: (name: string) => BackupFile
  close: () => void
}

/** The address of a target, without credentials. */
export const addressOf = (url: FolderUrl | BucketUrl) =>
  url.kind === 'file' ? url.path : `s3://${url.bucket}${url.path && `/${url.path}`}`
