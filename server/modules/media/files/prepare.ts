import type { Requester } from './decoder-process.ts'
import { prepareImage } from './image.ts'
import { inspectFile } from './inspect.ts'
import type { Inspected } from './protocol.ts'
import { prepareVideo } from './video.ts'

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
