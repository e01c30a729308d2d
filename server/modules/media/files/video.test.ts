import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  EncodedPacket,
  EncodedVideoPacketSource,
  FilePathTarget,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inspectFile } from './inspect.ts'
import { prepareVideo } from './video.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meydan-video-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const containers = { mp4: Mp4OutputFormat, mov: MovOutputFormat, webm: WebMOutputFormat }

/** A film of 640 × 360 pixels and 2 s, whose pictures no decoder could show. */
async function film(extension: keyof typeof containers, { rotation = 0 as const, comment = '' } = {}) {
  const path = join(folder, `${extension}-${rotation}-${comment}.${extension}`)
  const output = new Output({ format: new containers[extension](), target: new FilePathTarget(path) })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source, { rotation })
  if (comment) output.setMetadataTags({ comment })
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 640, codedHeight: 360 }
  for (let index = 0; index < 50; index++)
    await source.add(new EncodedPacket(Buffer.alloc(500, index), index % 25 ? 'delta' : 'key', index / 25, 0.04), {
      decoderConfig,
    })
  await output.finalize()
  return path
}

for (const [extension, mime] of [
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
] as const)
  test(`a ${extension} film is measured by its index`, async () => {
    expect(await inspectFile(await film(extension))).toMatchObject({
      kind: 'video',
      mime,
      extension,
      width: 640,
      height: 360,
      duration_s: 2,
      opaque: null,
    })
  })

test('the descriptions of a film are overwritten, and it stays as it was otherwise', async () => {
  const path = await film('mov', { comment: 'SECRETPLACE' })
  const facts = await inspectFile(path)
  expect((await readFile(path)).includes('SECRETPLACE')).toBe(true)
  await prepareVideo(path, facts)
  expect((await readFile(path)).includes('SECRETPLACE')).toBe(false)
  expect(await inspectFile(path)).toEqual(facts)
})
