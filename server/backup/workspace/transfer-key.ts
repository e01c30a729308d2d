/**
 * The key of one file: what is sealed in its rows is sealed with it, so that the file holds no key of the installation
 * that wrote it. It is in the file itself, which is encrypted with the passphrase.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Keyring } from '../../lib/crypto/crypto.ts'
import { BackupError } from '../backup-error.ts'

type TransferKey = { id: string; key: KeyObject; text: string }

export const newTransferKey = (): TransferKey =>
  readTransferKey(`${randomBytes(16).toString('hex')}.${randomBytes(32).toString('base64url')}`)

export function readTransferKey(text: string): TransferKey {
  const [id = '', bytes = ''] = text.split('.')
  const key = Buffer.from(bytes, 'base64url')
  if (key.length !== 32) throw new BackupError('damaged', 'The file has no key for its credentials.')
  return { id, key: createSecretKey(key), text }
}

/** Seals with the keys of an installation, and also opens what is sealed with the key of a file. */
export const withTransferKey = (keyring: Keyring, { id, key }: TransferKey): Keyring => ({
  current: keyring.current,
  byId: (wanted) => (wanted === id ? key : keyring.byId(wanted)),
})
