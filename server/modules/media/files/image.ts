import { inDecoderProcess, pixelsOf, type Requester } from './decoder-process.ts'
import type { Inspected, Prepared } from './protocol.ts'

/**
 * Turns an image upright and takes away location and other private metadata; its colour profile stays. Pixels are
 * encoded again only to turn them. The thumbnail is a WebP of at most 400 × 400 pixels. Throws a problem for an image
 * that cannot be decoded.
 */
export const prepareImage = (requester: Requester, path: string, facts: Inspected): Promise<Prepared> =>
  inDecoderProcess(requester, pixelsOf(facts), 'prepare', path, facts)
