import { buffer } from 'node:stream/consumers'
import type { Deps } from '../../../lib/deps.ts'
import type { Part, PartMedia, Publication } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import type { Embed } from './record.ts'
import { callServer } from './repository.ts'
import { uploadVideo } from './video.ts'

/** A part has images, or one video. */
type PlacedFiles = { part: Part; index: number; isAgain?: boolean }

/** Uploads the files of a part. `isAgain`: the server has deleted what was prepared, so it is sent at once. */
export async function uploadMedia(
  deps: Deps,
  publication: Publication,
  { part, index, isAgain = false }: PlacedFiles,
): Promise<Embed> {
  const [first] = part.media
  if (first?.kind === 'video') {
    const video = await uploadVideo(deps, publication, { file: first, name: `${index}.0`, isAgain })
    return { $type: 'app.bsky.embed.video', video, alt: first.alt, ...aspectRatioOf(first) }
  }
  const images: unknown[] = []
  for (const [number, file] of part.media.entries()) {
    const make = () => uploadImage(deps, publication, file)
    const from = file.version
    const image = isAgain ? await make() : await publication.prepare(`upload ${index}.${number}`, { from, make })
    images.push({ image, alt: file.alt, ...aspectRatioOf(file) })
  }
  return { $type: 'app.bsky.embed.images', images }
}

const aspectRatioOf = ({ width, height }: PartMedia) =>
  width === null || height === null ? {} : { aspectRatio: { width, height } }

async function uploadImage(deps: Deps, account: OpenAccount, file: PartMedia) {
  const { stream, mime } = await file.open()
  return uploadBlob(deps, account, { bytes: await buffer(stream), mime })
}

/** Returns the reference that records name the file by, as JSON. */
export const uploadBlob = (deps: Deps, account: OpenAccount, { bytes, mime }: { bytes: Buffer; mime: string }) =>
  callServer(deps, account, async (methods): Promise<unknown> => {
    const { data } = await methods.com.atproto.repo.uploadBlob(bytes, { encoding: mime })
    return data.blob.toJSON()
  })
