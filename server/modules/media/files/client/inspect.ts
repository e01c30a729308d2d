import type { Inspected } from '../rules/protocol.ts'
import { inDecoderProcess, type Requester } from './decoder-process.ts'

/**
 * Finds out what a file is, by its bytes alone. Throws a problem with the reason for what is not accepted: 413 for what
 * is too large, 415 for other types and files that are two in one, 422 for what is damaged.
 */
export const inspectFile = (requester: Requester, path: string): Promise<Inspected> =>
  inDecoderProcess(requester, 0, 'inspect', path)
