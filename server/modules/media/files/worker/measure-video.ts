import { FilePathSource, Input, MP4, QTFF, WEBM } from 'mediabunny'
import { Problem } from '../../../../errors.ts'
import { damaged, inMegabytes, refused, tooLarge } from '../rules/refusals.ts'
import { allBoxes, boxesIn, type ReadAt } from './formats/boxes.ts'
import { checkWebm } from './formats/ebml.ts'

/** The index of a video of some hours has about 10 MB. It is read whole. */
const MAX_INDEX_BYTES = 100_000_000

/** Checks the boxes of an MP4 or MOV video, so that a truncated file is refused here and not by a network. */
function checkBoxes(read: ReadAt, bytes: number) {
  let hasIndex = false
  let hasFrames = false
  for (const { type, content, end } of boxesIn(read, 0, bytes)) {
    if (type === 'mdat' || type === 'moof') hasFrames = true
    if (type !== 'moov') continue
    hasIndex = true
    if (end - content > MAX_INDEX_BYTES)
      throw tooLarge(`The index of a video can have ${inMegabytes(MAX_INDEX_BYTES)}.`)
    for (const _ of allBoxes(read, content, end));
  }
  if (!hasIndex || !hasFrames) throw damaged('This video has no index or no frames: it was cut off.')
}

/** More pixels than any codec has on a side. */
const MAX_SIDE = 65_536

const isSide = (pixels: number) => pixels > 0 && pixels <= MAX_SIDE

type Measured = { width: number; height: number; duration_s: number }

async function measure(input: Input): Promise<Measured> {
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw refused('No frames were found in this video.')
  const duration = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
  return { width: await track.getDisplayWidth(), height: await track.getDisplayHeight(), duration_s: duration }
}

/** Measures a video by its index. `width` and `height` are as it is shown: upright, with square pixels. */
export async function measureVideo(path: string, mime: string, read: ReadAt, bytes: number): Promise<Measured> {
  if (mime === 'video/webm') checkWebm(read, bytes)
  else checkBoxes(read, bytes)
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM] })
  try {
    const measured = await measure(input)
    const [width, height] = [Math.round(measured.width), Math.round(measured.height)]
    const duration_s = Math.round(measured.duration_s * 1000) / 1000
    if (!(isSide(width) && isSide(height) && duration_s > 0 && Number.isFinite(duration_s)))
      throw damaged('This video has no size or no duration, or an impossible one.')
    return { width, height, duration_s }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw damaged('This video could not be read: its index is damaged.', error)
  } finally {
    input.dispose()
  }
}
