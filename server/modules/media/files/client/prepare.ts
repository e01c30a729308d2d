import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../../../lib/deps.ts'
import { inTemporaryFolder } from '../../storage/temporary.ts'
import type { Inspected, Prepared } from '../rules/protocol.ts'
import { inDecoderProcess, pixelsOf, type Requester } from './decoder-process.ts'
import { prepareVideo } from './video.ts'

/**
 * Finds out what a file is, by its bytes alone. Throws a problem with the reason for what is not accepted: 413 for what
 * is too large, 415 for other types and files that are two in one, 422 for what is damaged.
 */
export const inspectFile = (requester: Requester, path: string): Promise<Inspected> =>
  inDecoderProcess(requester, 0, 'inspect', path)

/**
 * A file as it is kept: upright, and without the place and other private metadata. `path`: another one beside the given,
 * if the file had to change. `thumbnail` and `placeholder`: null for documents, and for videos without ffmpeg.
 */
type PreparedFile = { path: string; facts: Inspected; thumbnail: Buffer | null; placeholder: string | null }

/** Inspects a received file and prepares it to be kept. Throws a problem with the reason for what is not accepted. */
export async function prepareFile(requester: Requester, path: string): Promise<PreparedFile> {
  const facts = await inspectFile(requester, path)
  if (facts.kind === 'video') return prepareVideo(requester, path, facts)
  if (facts.kind === 'document') return { path, facts, thumbnail: null, placeholder: null }
  return prepareImage(requester, path, facts)
}

/**
 * Turns an image upright and takes away location and other private metadata; its colour profile stays. Pixels are
 * encoded again only to turn them. The thumbnail is a WebP of at most 400 × 400 pixels. Throws a problem for an image
 * that cannot be decoded.
 */
export const prepareImage = (requester: Requester, path: string, facts: Inspected): Promise<Prepared> =>
  inDecoderProcess(requester, pixelsOf(facts), 'prepare', path, facts)

/**
 * Makes a small WebP of an image that was fetched from elsewhere. Null if it has no thumbnail. Throws for files that Meydan
 * does not accept.
 */
export const thumbnailOf = ({ config }: Pick<Deps, 'config'>, workspace_id: string, bytes: Buffer) =>
  inTemporaryFolder(config, async (folder) => {
    const path = join(folder, 'image')
    await writeFile(path, bytes)
    return (await prepareFile({ workspace_id, lane: 'uploads' }, path)).thumbnail
  })
