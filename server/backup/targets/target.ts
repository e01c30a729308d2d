import { basename, dirname, resolve } from 'node:path'
import type { BucketUrl, Config, FolderUrl } from '../../config/config.ts'
import { keys } from '../../config/config.ts'
import { StartError } from '../../lib/runtime/start-error.ts'
import { folderTarget } from './folder-target.ts'

type WriteOptions = {
  /** About how many bytes it becomes. */
  size: number
  signal?: AbortSignal | undefined
}

/** A file of a backup. */
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

/** Opens a target, without calling it. */
export async function openTarget(url: FolderUrl | BucketUrl, config: Config): Promise<BackupTarget> {
  if (url.kind === 'file') return folderTarget(url.path)
  // The library of S3 takes long to load.
  const { bucketTarget } = await import('./bucket-target.ts')
  return bucketTarget(url, config)
}

/**
 * Opens the file that a command names: a path, or `s3://bucket/key`. A bucket without parameters and credentials has
 * those of BACKUP_URL, if that is the same one.
 */
export async function openFile(name: string, config: Config) {
  const url = /^s3:/.test(name) ? bucketFile(name, config) : ({ kind: 'file', path: resolve(name) } as const)
  const file = basename(url.path)
  const folder = dirname(url.path)
  const target = await openTarget({ ...url, path: url.kind === 's3' && folder === '.' ? '' : folder }, config)
  return { target, file: target.file(file) }
}

function bucketFile(name: string, { BACKUP_URL }: Config): BucketUrl {
  const url = parseLocation(name)
  if (url.kind !== 's3' || url.path === '') throw new StartError(`${name} names no file. Write s3://bucket/file.`)
  const { bucket, path, endpoint, region, key_id } = url
  const isPlain = endpoint === undefined && region === undefined && key_id === undefined
  return isPlain && BACKUP_URL?.kind === 's3' && BACKUP_URL.bucket === bucket ? { ...BACKUP_URL, path } : url
}

function parseLocation(name: string) {
  try {
    return keys.BACKUP_URL.parse(name) ?? { kind: 'file', path: name }
  } catch (error) {
    throw new StartError(`The name of the file ${error instanceof Error ? error.message : error}.`)
  }
}
