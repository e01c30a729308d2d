import type { Config } from '../config/config.ts'
import { StartError } from '../lib/runtime/start-error.ts'

const LEAST_PASSPHRASE = 12

export const hasPassphrase = ({ BACKUP_PASSPHRASE = '' }: Pick<Config, 'BACKUP_PASSPHRASE'>) =>
  BACKUP_PASSPHRASE.length >= LEAST_PASSPHRASE

/** The passphrase of backups. Throws StartError if there is none, or a short one. */
export function passphraseOf(config: Pick<Config, 'BACKUP_PASSPHRASE'>) {
  const { BACKUP_PASSPHRASE } = config
  if (BACKUP_PASSPHRASE === undefined || !hasPassphrase(config))
    throw new StartError(
      `Set BACKUP_PASSPHRASE to at least ${LEAST_PASSPHRASE} characters. A backup is encrypted with it, and cannot be restored without it.`,
    )
  return BACKUP_PASSPHRASE
}
