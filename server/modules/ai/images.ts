import { type GenerateImageResult, generateImage } from 'ai'
import type { Static } from 'typebox'
import { problem } from '../../errors.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { assertRoom } from '../media/upload/upload.ts'
import { keepFiles, sniff, storeGenerated } from './files.ts'
import type { ImagePrompt } from './generate.schema.ts'
import { CREDITS, callAndSettle, prepareGeneration, type RunOptions, shownModel } from './generate.ts'
import { completeGeneration, filesPath } from './generations.ts'

/** Images take longer than texts. The route sets this limit for their calls. */
export const IMAGE_MS = 120_000
const IMAGE_BYTES = 25_000_000

export async function generateImages(deps: Deps, caller: Member, input: Static<typeof ImagePrompt>, run: RunOptions) {
  const { prompt, size, n = 1 } = input
  const spec = { kind: 'image' as const, prompt, credits: CREDITS.image * n, ms: IMAGE_MS }
  // A full workspace has no room for another file: refused before the provider is called.
  await assertRoom(deps, caller, 1)
  const { row, model, id } = await prepareGeneration(deps, caller, input.model, spec)
  return callAndSettle(
    deps,
    id,
    { ...run, ms: IMAGE_MS },
    async (abortSignal) => {
      const made = await generateImage({
        model: model.image ?? 'none',
        ...model.mediaSettings,
        prompt,
        n,
        ...(size && { size: size as `${number}x${number}` }),
        abortSignal,
      })
      return storeGenerated(deps, caller.workspace_id, imagesOf(made).slice(0, n))
    },
    async (tx, images) => {
      const credits = CREDITS.image * images.length
      const files = await keepFiles(deps, tx, caller, id, images)
      await completeGeneration(deps, tx, id, { credits })
      return {
        id,
        files: files.map((file) => ({ ...file, url: filesPath(caller) + file.id })),
        model: shownModel(row),
        credits,
      }
    },
  )
}

function imagesOf({ images }: GenerateImageResult) {
  const made = images.map(({ uint8Array: bytes }) => ({ bytes, mime: sniff(bytes) }))
  return made.map(({ bytes, mime }) => {
    if (!mime?.startsWith('image/') || bytes.length > IMAGE_BYTES)
      throw problem('ai_unavailable', { detail: 'The AI provider did not return an image.' })
    return { bytes, mime }
  })
}
