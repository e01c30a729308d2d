import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from '../../../shared/time.ts'
import { invalid, problem } from '../../errors.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { inDecoderProcess, pixelsOf, type Requester } from './files/client/decoder-process.ts'
import type { Crop } from './files/rules/protocol.ts'
import type { Size } from './files/rules/sizes.ts'
import { readMedia } from './media.ts'
import { folderOf, originalKey } from './storage/keys.ts'
import { copyOut } from './storage/storage.ts'
import { inTemporaryFolder } from './storage/temporary.ts'
import { receive } from './upload/receive.ts'
import { assertRoom, keepReceived } from './upload/upload.ts'

/** Time in which an image is decoded, cropped and kept. */
export const CROP_MS = 3 * MINUTE

/**
 * Keeps a part of an image as a file of its own, like an upload, with the name, the alternative text and the labels of
 * the image. The image stays as it is.
 */
export async function cropMedia(
  deps: Pick<Deps, 'db' | 'clock' | 'storage' | 'config'>,
  caller: Member,
  id: string,
  part: Crop,
) {
  const { kind, mime, width, height, workspace_id, name, alt, labels } = await readMedia(deps.db, caller, id)
  if (kind !== 'image' || width === null || height === null)
    throw problem('file_type_refused', { detail: 'Only images that stand still can be cropped.' })
  assertInside({ width, height }, part)
  await assertRoom(deps, caller, 1)
  return inTemporaryFolder(deps.config, async (folder) => {
    const path = join(folder, 'original')
    const target = join(folder, 'cropped')
    await copyOut(deps.storage, originalKey(folderOf({ id, workspace_id })), path).catch(async (error) => {
      // 404 if it was erased meanwhile.
      await readMedia(deps.db, caller, id)
      throw error
    })
    await cropImage({ workspace_id, lane: 'uploads' }, { path, target }, { width, height, mime }, part)
    return keepReceived(deps, caller, await receive(createReadStream(target), folder), { name, alt, labels })
  })
}

/** Refuses a part that is not inside an image of this size. */
function assertInside(size: Size, { rotate, x, y, width, height }: Crop) {
  const turned = rotate % 180 === 0 ? size : { width: size.height, height: size.width }
  const limits = `The turned image has ${turned.width} × ${turned.height} pixels.`
  if (x + width > turned.width) throw invalid('/width', `The part ends right of the image. ${limits}`, 'too_large')
  if (y + height > turned.height) throw invalid('/height', `The part ends below the image. ${limits}`, 'too_large')
}

/** Writes a part of an image to `target`. */
const cropImage = (
  requester: Requester,
  { path, target }: { path: string; target: string },
  facts: Size & { mime: string },
  part: Crop,
) => inDecoderProcess(requester, pixelsOf(facts), 'crop', path, target, facts.mime, part)
