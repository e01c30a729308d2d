import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decoderIds } from '../../../../../test/decoders.ts'
import {
  apng,
  box,
  endlessWebm,
  gif,
  jpegOfSize,
  jpegSegment,
  nested,
  png,
  pngChunk,
  pngOfSize,
  pngSignature,
  polyglots,
  svgs,
  videoType,
  withSegments,
} from '../../../../../test/hostile-files.ts'
import { inspectFile, prepareImage } from './prepare.ts'

/** Memory of this process and of each that reads files may grow by that much, of which most is the reading of 30 MB. */
const MOST_GROWTH_MB = 450

const requester = { workspace_id: 'workspace', lane: 'uploads' as const }

let folder: string
let jpeg: Buffer
const video = Buffer.concat([videoType, box('mdat', Buffer.alloc(100))])
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meydan-hostile-'))
  jpeg = await sharp(randomBytes(60 * 40 * 3), { raw: { width: 60, height: 40, channels: 3 } })
    .jpeg()
    .toBuffer()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The most memory that any of these processes has had, in MB. */
const peakOf = (ids: number[]) =>
  Math.max(0, ...ids.map((id) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) / 1024))

let files = 0
/** Inspects and prepares a file as an upload does. Returns the status and code of the problem, or the facts. */
async function upload(bytes: Buffer) {
  const path = join(folder, `${++files}`)
  await writeFile(path, bytes)
  const before = process.memoryUsage().rss
  try {
    const facts = await inspectFile(requester, path)
    return facts.width !== null && facts.kind !== 'video' ? (await prepareImage(requester, path, facts)).facts : facts
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && 'code' in error)) throw error
    return { status: error.status, code: error.code, reason: error.message }
  } finally {
    const growth = (process.memoryUsage().rss - before) / 1e6
    const peak = peakOf(decoderIds())
    expect(growth).toBeLessThan(MOST_GROWTH_MB)
    expect(peak).toBeLessThan(MOST_GROWTH_MB)
    await rm(path, { force: true })
  }
}

const wrongType = { status: 415, code: 'file_type_refused' }
const tooLarge = { status: 413, code: 'file_too_large' }
const damaged = { status: 422, code: 'file_damaged' }

test('SVG is refused under every disguise', async () => {
  for (const [name, bytes] of Object.entries(svgs)) expect(await upload(bytes), name).toMatchObject(wrongType)
})

test('files that are two things at once are refused', async () => {
  for (const [name, bytes] of Object.entries(polyglots(jpeg, video)))
    expect(await upload(bytes), name).toMatchObject(wrongType)
})

test('what cameras append to a JPEG is accepted and left out', async () => {
  expect(await upload(Buffer.concat([jpeg, Buffer.alloc(2000), video]))).toMatchObject({ bytes: jpeg.length })
  expect(await upload(Buffer.concat([jpeg, jpeg]))).toMatchObject({ bytes: jpeg.length })
})

describe('an image', () => {
  test('with more than 100 megapixels is refused by its header, with its size', async () => {
    expect(await upload(png(12_000, 9000))).toMatchObject({
      ...tooLarge,
      reason: 'Images can have 100 megapixels. This one has 12,000 × 9,000 pixels, which is 108 megapixels.',
    })
    expect(await upload(pngOfSize(65_535, 65_535))).toMatchObject(tooLarge)
    expect(await upload(jpegOfSize(jpeg, 65_500, 65_500))).toMatchObject(tooLarge)
    expect(await upload(jpegOfSize(jpeg, 65_535, 65_535))).toMatchObject(damaged)
  })

  test('whose header promises pixels that are not there is refused', async () => {
    expect(await upload(pngOfSize(9000, 9000))).toMatchObject(damaged)
    expect(await upload(jpeg.subarray(0, jpeg.length / 2))).toMatchObject(damaged)
    expect(await upload(Buffer.alloc(0))).toMatchObject({ ...damaged, reason: 'The file is empty.' })
  })

  test('in one colour, a thousand times larger than its file, is decoded in little memory', async () => {
    expect(await upload(png(6000, 6000))).toMatchObject({ width: 6000, height: 6000 })
  })

  test('with more than 30 MB is refused, whatever they are', async () => {
    const text = pngChunk('tEXt', Buffer.alloc(31_000_000, 'a'))
    expect(await upload(png(10, 10, [text]))).toMatchObject({
      ...tooLarge,
      reason: 'Images can have 30 MB. This file has 31.01 MB.',
    })
  })

  test('loses metadata that is larger than itself, however it is packed', async () => {
    const plain = png(10, 10)
    const unpacked = deflateSync(Buffer.alloc(100_000_000))
    const texts = Array.from({ length: 100_000 }, () => pngChunk('tEXt', Buffer.from('a\0b')))
    const packed = pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), unpacked]))
    for (const extra of [texts, [packed], [pngChunk('iTXt', Buffer.alloc(25_000_000, 'a'))]])
      expect(await upload(png(10, 10, extra))).toMatchObject({ bytes: plain.length })
    for (const name of ['Exif\0\0', 'http://ns.adobe.com/xap/1.0/\0', 'Photoshop 3.0\0']) {
      const segment = jpegSegment(0xe1, Buffer.concat([Buffer.from(name), Buffer.alloc(65_000, 'a')]))
      expect(
        await upload(
          withSegments(
            jpeg,
            Array.from({ length: 400 }, () => segment),
          ),
        ),
      ).toMatchObject({
        bytes: jpeg.length,
      })
    }
  })

  test('with a colour profile of more than 4 MB is refused, also when it is packed', async () => {
    const packed = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(100_000_000))])
    expect(await upload(png(10, 10, [pngChunk('iCCP', packed)]))).toMatchObject(tooLarge)
    const part = (index: number) => Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([index, 100])])
    const parts = Array.from({ length: 100 }, (_, index) => Buffer.concat([part(index + 1), Buffer.alloc(60_000)]))
    const profiled = withSegments(
      jpeg,
      parts.map((content) => jpegSegment(0xe2, content)),
    )
    expect(await upload(profiled)).toMatchObject(tooLarge)
  })
})

describe('an animated image', () => {
  test('with more than 5,000 frames is refused, with their number', async () => {
    expect(await upload(gif(100_000))).toMatchObject({
      ...tooLarge,
      reason: 'Animated images can have 5,000 frames. This one has 100,000.',
    })
    expect(await upload(apng(6000))).toMatchObject(tooLarge)
  })

  test('is known as one, also under the name of a PNG', async () => {
    expect(await upload(apng(3))).toMatchObject({ kind: 'gif', mime: 'image/apng', duration_s: 0.3 })
    expect(await upload(gif(3))).toMatchObject({ kind: 'gif', mime: 'image/gif', duration_s: 0.15 })
    expect(await upload(gif(1))).toMatchObject({ kind: 'image', mime: 'image/gif' })
  })
})

describe('a video', () => {
  test('that was cut off, or whose boxes lie about their length, is refused', async () => {
    const lie = Buffer.concat([videoType, Buffer.from('ffffffff', 'hex'), Buffer.from('moov')])
    for (const bytes of [video, video.subarray(0, -10), lie, videoType])
      expect(await upload(bytes)).toMatchObject(damaged)
  })

  test('whose boxes nest without end is refused', async () => {
    expect(await upload(Buffer.concat([video, nested('moov', 200_000)]))).toMatchObject(damaged)
  })

  test('whose bytes belong to nothing is refused before anything searches in them', async () => {
    const reason = 'This WebM has bytes that belong to nothing.'
    expect(await upload(endlessWebm)).toMatchObject({ ...damaged, reason })
  })

  test('under the signature of a PNG is refused', async () => {
    expect(await upload(Buffer.concat([pngSignature, video]))).toMatchObject(damaged)
  })
})

test('a file that ends each process that reads it is refused, and the next one is read', async () => {
  const path = join(folder, 'crash.png')
  await writeFile(path, png(9000, 9000))
  const facts = await inspectFile(requester, path)
  let outcome: unknown
  void prepareImage(requester, path, facts)
    .catch((error) => error)
    .then((settled) => {
      outcome = settled
    })
  let killed = 0
  while (outcome === undefined) {
    await setImmediate()
    for (const id of decoderIds()) if (process.kill(id, 'SIGKILL')) killed++
  }
  // A system that does not list processes loses none here.
  expect(outcome).toMatchObject(killed > 0 ? damaged : { facts: { width: 9000 } })
  expect(await inspectFile(requester, path)).toEqual(facts)
})
