import type { GenerateImageResult } from 'ai'
import type { Static } from 'typebox'
import { problem } from '../../errors.ts'
import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { assertRoom, type NewFields } from '../media/upload/upload.ts'
import { keepFiles, sniff, storeGenerated } from './files.ts'
import type { ImagePrompt } from './generate.schema.ts'
import {
  CREDITS,
  callAndSettle,
  type PreparedGeneration,
  prepareGeneration,
  type RunOptions,
  shownModel,
} from './generate.ts'
import { completeGeneration, filesPath } from './generations.ts'
import { imageCost } from './models/prices.ts'

/** Images take longer than texts. The route sets this limit for their calls. */
export const IMAGE_MS = 120_000
const IMAGE_BYTES = 25_000_000

type Input = Static<typeof ImagePrompt>
type Files = Awaited<ReturnType<typeof keepFiles>>

/** Images in storage. `keep`: records them and ends their generation. */
type MadeImages = PreparedGeneration & { credits: number; keep: (fields?: NewFields) => Promise<Files> }

/** Has a model make images. `settle` keeps them in its transaction; when it throws, their credits are returned. */
export async function makeImages<Settled>(
  deps: Deps,
  caller: Member,
  { prompt, size, n = 1, model: wanted }: Input,
  run: RunOptions,
  settle: (tx: Tx, made: MadeImages) => Promise<Settled>,
) {
  const spec = {
    kind: 'image' as const,
    prompt,
    images: n,
    credits: CREDITS.image * n,
    ms: IMAGE_MS,
    charge: run.charge,
  }
  // A full workspace has no room for another file: refused before the provider is called.
  await assertRoom(deps, caller, 1)
  const prepared = await prepareGeneration(deps, caller, wanted, spec)
  const { model, id } = prepared
  return callAndSettle(
    deps,
    id,
    { ...run, ms: IMAGE_MS },
    async (abortSignal, responded) => {
      const { generateImage } = await import('ai')
      const result = await generateImage({
        model: model.image ?? 'none',
        ...model.mediaSettings,
        prompt,
        n,
        ...(size && { size: size as `${number}x${number}` }),
        abortSignal,
      })
      responded({ cost: imageCost(prepared.row, Math.min(result.images.length, n)) })
      return storeGenerated(deps, caller.workspace_id, imagesOf(result).slice(0, n))
    },
    (tx, images) => {
      const credits = CREDITS.image * images.length
      const keep = async (fields: NewFields = {}) => {
        const files = await keepFiles(deps, tx, { owner: caller, generation_id: id, fields }, images)
        await completeGeneration(deps, tx, id, { credits, cost: imageCost(prepared.row, images.length) })
        return files
      }
      return settle(tx, { ...prepared, credits, keep })
    },
  )
}

export const generateImages = (deps: Deps, caller: Member, input: Input, run: RunOptions) =>
  makeImages(deps, caller, input, run, async (_, { id, row, credits, keep }) => ({
    id,
    files: (await keep()).map((file) => ({ ...file, url: filesPath(caller) + file.id })),
    model: shownModel(row),
    credits,
  }))

function imagesOf({ images }: GenerateImageResult) {
  const files = images.map(({ uint8Array: bytes }) => ({ bytes, mime: sniff(bytes) }))
  return files.map(({ bytes, mime }) => {
    if (!mime?.startsWith('image/') || bytes.length > IMAGE_BYTES)
      throw problem('ai_unavailable', { detail: 'The AI provider did not return an image.' })
    return { bytes, mime }
  })
}
