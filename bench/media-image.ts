import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { inspectFile, prepareImage } from '../server/modules/media/files/client/prepare.ts'
import { atLeast, type Bench, type Claim, callsPerSecond, compareWithBaseline } from './harness.ts'

const WIDTH = 4000
const HEIGHT = 3000
/** Uploads that are prepared at the same time, on both sides. */
const CALLERS = 2

/** Draws a photo: large soft shapes with the grain of a sensor, about 4 MB as JPEG. `orientation`: as in Exif. */
async function drawPhoto(path: string, orientation: number) {
  const noise = (width: number, height: number, sigma: number) =>
    sharp({ create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma } } })
  const grain = await noise(WIDTH, HEIGHT, 30).png().toBuffer()
  const shapes = await noise(40, 30, 60).resize(WIDTH, HEIGHT, { kernel: 'cubic' }).png().toBuffer()
  await sharp(shapes)
    .composite([{ input: grain, blend: 'soft-light' }])
    .withExif({ IFD0: { Make: 'Camera', Copyright: 'Ada' }, IFD3: { GPSLatitude: '41/1 0/1 3000/100' } })
    .withMetadata({ orientation })
    .jpeg({ quality: 90 })
    .toFile(path)
}

async function bareThumbnail(path: string) {
  const thumbnail = await sharp(path)
    .autoOrient()
    .resize({ width: 400, height: 400, fit: 'inside' })
    .webp({ quality: 80 })
    .toBuffer()
  await sharp(thumbnail).resize({ width: 16, height: 16, fit: 'inside' }).blur(1).webp({ quality: 20 }).toBuffer()
}

/** Copies the file without its Exif, which is all that has to change in an upright image. */
async function copyWithoutExif(path: string, target: string) {
  const bytes = await readFile(path)
  const exif = bytes.indexOf(Buffer.from([0xff, 0xe1]))
  await writeFile(target, [bytes.subarray(0, exif), bytes.subarray(exif + 2 + bytes.readUInt16BE(exif + 2))])
}

const turn = (path: string, target: string) =>
  sharp(path).autoOrient().keepIccProfile().jpeg({ quality: 92 }).toFile(target)

async function measure(bench: Bench, folder: string, part: string, orientation: number) {
  const path = join(folder, `${part}.jpg`)
  await drawPhoto(path, orientation)
  bench.log(`${part}: ${((await readFile(path)).length / 1e6).toFixed(1)} MB`)
  const compared = await compareWithBaseline(bench, {
    unit: 'pictures/s',
    rounds: 9,
    seconds: 4,
    value: callsPerSecond(CALLERS, async (index) => {
      // Each caller is another workspace: one alone does not get all processes.
      const requester = { workspace_id: String(index % CALLERS), lane: 'uploads' as const }
      return prepareImage(requester, path, await inspectFile(requester, path))
    }),
    baseline: callsPerSecond(CALLERS, async (index) => {
      const target = `${path}.${index % CALLERS}.bare`
      await bareThumbnail(path)
      await (orientation === 1 ? copyWithoutExif(path, target) : turn(path, target))
    }),
  })
  return { ...compared, part }
}

/** Measures a JPEG of 12 megapixels, from its inspection to thumbnail, placeholder and the file without its place. */
export const claim: Claim = {
  name: 'media-image',
  target: atLeast(0.9),
  measure: async (bench) => {
    const folder = await mkdtemp(join(tmpdir(), 'meydan-bench-'))
    try {
      return [await measure(bench, folder, 'upright', 1), await measure(bench, folder, 'turned', 6)]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
