import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Settings with which a backup can be started. Its folder does not exist, so that none is written. */
export const backupSettings = {
  BACKUP_URL: `file:${join(tmpdir(), 'meydan-absent')}`,
  BACKUP_PASSPHRASE: 'simit ve çay her sabah',
}
