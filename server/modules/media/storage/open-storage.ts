import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import { folderStorage } from './folder.ts'
import type { Storage } from './storage.ts'

/** Opens the storage that STORAGE_URL names. Throws StartError when it cannot be used. */
export async function openStorage(config: Config, log: Pick<Logger, 'warn'>): Promise<Storage> {
  const { STORAGE_URL, DATA_DIR } = config
  if (STORAGE_URL?.kind !== 's3') return folderStorage(STORAGE_URL?.path ?? join(DATA_DIR, 'files'))
  // The library of S3 takes long to load.
  const { bucketStorage } = await import('./bucket.ts')
  return bucketStorage(STORAGE_URL, config, log)
}
