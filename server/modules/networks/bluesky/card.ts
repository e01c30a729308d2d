import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../../lib/deps.ts'
import { fitOf, makeFit } from '../../media/files/client/fitting.ts'
import { inspectFile } from '../../media/files/client/prepare.ts'
import { inTemporaryFolder } from '../../media/storage/temporary.ts'
import { fieldsOf } from '../calls/call.ts'
import { NetworkFault, type Publication } from '../network.ts'
import { readLinkCard } from '../text/link-card.ts'
import { uploadBlob } from './media.ts'
import type { Embed } from './record.ts'

/** The limit of the schema for the image of a card. */
const THUMB_BYTES = 1_000_000

/** The card of a link, as the server fetches nothing. Null without a page to read. */
export async function cardOf(deps: Deps, publication: Publication, url: string): Promise<Embed | null> {
  const card = await readLinkCard(deps, url, (bytes) => fitImage(deps, publication, bytes))
  if (!card) return null
  const { title, description, image } = card
  const thumb = image && (await uploadThumb(deps, publication, image))
  return {
    $type: 'app.bsky.embed.external',
    external: { uri: url, title, description, ...(thumb !== null && { thumb }) },
  }
}

/**
 * Makes an image that a card takes, in the process that reads files of strangers. Null if the file is no such image.
 */
const fitImage = ({ config }: Deps, { account: { workspace_id } }: Publication, bytes: Buffer) =>
  inTemporaryFolder(config, async (folder) => {
    const requester = { workspace_id, lane: 'publishing' as const }
    const path = join(folder, 'image')
    await writeFile(path, bytes)
    const facts = await inspectFile(requester, path)
    const fit = fitOf(facts, {
      kinds: { image: { max: 1, mimes: ['image/jpeg', 'image/png', 'image/webp'], max_bytes: THUMB_BYTES } },
      max: 1,
      mixed: false,
      required: false,
      max_alt_length: null,
    })
    if (fit.how === 'refused') return null
    if (fit.how === 'unchanged') return { bytes, mime: facts.mime }
    const image = await makeFit(requester, path, fit)
    return { bytes: await readFile(image.path), mime: image.mime }
  })

/** A card without its image is better than none. */
async function uploadThumb(deps: Deps, publication: Publication, image: { bytes: Buffer; mime: string }) {
  try {
    return await uploadBlob(deps, publication, image)
  } catch (thrown) {
    if (thrown instanceof NetworkFault && thrown.failure.kind !== 'unauthorized') return null
    throw thrown
  }
}

/** A record whose card has no image. */
export function withoutThumb(record: Record<string, unknown>) {
  const { external, ...embed } = fieldsOf(record.embed)
  const { thumb: _, ...card } = fieldsOf(external)
  return { ...record, embed: { ...embed, external: card } }
}
