import { buffer } from 'node:stream/consumers'
import { invalid, problem } from '../../errors.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { fitOf } from '../media/files/client/fitting.ts'
import { readMediaForPost } from '../media/media.ts'
import type { MediaRules } from '../media/media-rules.ts'
import { openMedia } from '../media/renditions.ts'
import { isCallError } from './providers/provider-problem.ts'

/**
 * JPEG and PNG are what all providers read. Anthropic scales down what is longer than 1,568 pixels, and takes 5 MB in
 * base64.
 */
const rules: MediaRules = {
  kinds: {
    image: {
      max: 1,
      mimes: ['image/jpeg', 'image/png'],
      max_bytes: 3_000_000,
      max_width: 1568,
      max_height: 1568,
    },
  },
  max: 1,
  mixed: false,
  required: true,
  max_alt_length: null,
}

type PromptImage = { data: Uint8Array; mediaType: string }

/** Reads an image of the workspace as it is sent to models. */
export async function readPromptImage(deps: Deps, { workspace_id }: Member, id: string): Promise<PromptImage> {
  const [media] = await readMediaForPost(deps.db, workspace_id, [id])
  if (!media) throw invalid('/media_id', 'There is no file with this id.')
  const fit = fitOf(media, rules)
  if (fit.how === 'refused') throw invalid('/media_id', fit.text)
  const { stream, mime } = await openMedia(deps, media, rules, 'uploads')
  return { data: await buffer(stream), mediaType: mime }
}

/**
 * Reports that a model does not accept images. No provider lists which models do: most refuse the call, some servers
 * fail or have no such model, and name the reason.
 */
export function imageProblem(error: unknown) {
  if (!isCallError(error)) return error
  const { statusCode = 0, responseBody = '' } = error
  const isRefused = [400, 404, 415, 422, 500, 501].includes(statusCode)
  if (!isRefused || !/\b(images?|vision|multi-?modal|mmproj)\b|image_url/i.test(responseBody.slice(0, 10_000)))
    return error
  const message = 'The model did not accept the image. Use a model that can see images.'
  return problem('ai_refused', { detail: message, errors: [{ pointer: '/media_id', code: 'ai_refused', message }] })
}
