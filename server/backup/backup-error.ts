import { codeOf } from '../lib/error-code.ts'
import { StartError } from '../lib/runtime/start-error.ts'

/** Reasons why a backup fails, as its record and the console name them. */
export const backupErrorCodes = [
  'disk_full',
  'target_unreachable',
  'target_refused',
  'damaged',
  'already_running',
  'not_started',
  'interrupted',
  'internal_error',
] as const
export type BackupErrorCode = (typeof backupErrorCodes)[number]

/** A backup cannot be written or read, for a reason that the operator can fix. The message says how. */
export class BackupError extends StartError {
  readonly code: BackupErrorCode
  constructor(code: BackupErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export const isFullDisk = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
