import { invalid } from '../../../../errors.ts'
import type { Crop } from '../rules/protocol.ts'
import type { Size } from '../rules/sizes.ts'
import { inDecoderProcess, pixelsOf, type Requester } from './decoder-process.ts'

/** Refuses a part that is not inside an image of this size. */
export function assertInside(size: Size, { rotate, x, y, width, height }: Crop) {
  const turned = rotate % 180 === 0 ? size : { width: size.height, height: size.width }
  const limits = `The turned image has ${turned.width} × ${turned.height} pixels.`
  if (x + width > turned.width) throw invalid('/width', `The part ends right of the image. ${limits}`, 'too_large')
  if (y + height > turned.height) throw invalid('/height', `The part ends below the image. ${limits}`, 'too_large')
}

/** Writes a part of an image to `target`. */
export const cropImage = (
  requester: Requester,
  { path, target }: { path: string; target: string },
  facts: Size & { mime: string },
  part: Crop,
) => inDecoderProcess(requester, pixelsOf(facts), 'crop', path, target, facts.mime, part)
