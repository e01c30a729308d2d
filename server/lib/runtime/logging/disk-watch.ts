import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import { MINUTE } from '../../../../shared/time.ts'

const CHECK_MS = MINUTE
/** Bytes of free space below which a disk is nearly full: some hours of a busy instance. */
export const LOW_BYTES = 1024 ** 3

/** Warns in the log when the disk of `folder` is nearly full, and says when it no longer is. */
export async function watchDisk(folder: string, log: Logger, { lowBytes = LOW_BYTES } = {}) {
  let isLow = false
  const check = async () => {
    const { bavail, bsize } = await statfs(folder)
    const free_mb = Math.floor((bavail * bsize) / 1024 ** 2)
    const wasLow = isLow
    isLow = bavail * bsize < lowBytes
    if (isLow && !wasLow) log.warn({ free_mb, folder }, 'the disk of the database is nearly full: free some space')
    if (!isLow && wasLow) log.info({ free_mb, folder }, 'the disk of the database has space again')
  }
  const checkNow = () => check().catch((err) => log.warn({ err }, 'the free space of the disk could not be read'))
  await checkNow()
  const timer = setInterval(() => void checkNow(), CHECK_MS).unref()
  return async () => clearInterval(timer)
}
