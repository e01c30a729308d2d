import { basename, dirname, resolve } from 'node:path'
import { type BucketUrl, type Config, type FolderUrl, keys } from '../../config/config.ts'
import { StartError } from '../../lib/runtime/start-error.ts'
import { folderTarget } from './folder-target.ts'
import type { BackupTarget } from './target.ts'

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
  if (url.kind !== 's3' || url.path === '')
    throw new StartError('The address of the backup names no file. Write s3://bucket/file.')
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
