import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import {
  EncodedPacket,
  EncodedVideoPacketSource,
  FilePathTarget,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testImage, videoFile as videoBytes } from '../../../../../test/media.ts'
import type { FileRules, MediaRules } from '../../media-rules.ts'
import { fitOf, makeFit } from './fitting.ts'
import { inspectFile } from './prepare.ts'
import { ffmpegPath, prepareVideo } from './video.ts'

const requester = { workspace_id: 'workspace', lane: 'uploads' as const }

let folder: string
const path = process.env.PATH
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meydan-video-'))
  // The machine may have a real ffmpeg.
  process.env.PATH = folder
})
afterAll(async () => {
  process.env.PATH = path
  await rm(folder, { recursive: true, force: true })
})

const containers = { mp4: Mp4OutputFormat, mov: MovOutputFormat, webm: WebMOutputFormat }

let videos = 0

/** A video of 640 × 360 pixels and 25 frames a second, whose images no decoder could show. */
async function videoFile(
  extension: keyof typeof containers,
  { rotation = 0 as const, comment = '', frames = 50 } = {},
) {
  const path = join(folder, `${++videos}.${extension}`)
  const output = new Output({ format: new containers[extension](), target: new FilePathTarget(path) })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source, { rotation })
  if (comment) output.setMetadataTags({ comment })
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 640, codedHeight: 360 }
  for (let index = 0; index < frames; index++)
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
  test(`a ${extension} video is measured by its index`, async () => {
    expect(await inspectFile(requester, await videoFile(extension))).toMatchObject({
      kind: 'video',
      mime,
      extension,
      width: 640,
      height: 360,
      duration_s: 2,
      opaque: null,
    })
  })

test('a video that was recorded live, whose parts do not say their length, is measured', async () => {
  const path = join(folder, 'live.webm')
  await writeFile(path, await videoBytes(2, [640, 360], new WebMOutputFormat({ appendOnly: true })))
  expect(await inspectFile(requester, path)).toMatchObject({ mime: 'video/webm', width: 640, height: 360 })
})

test('the descriptions of a video are overwritten, and it stays as it was otherwise', async () => {
  const path = await videoFile('mov', { comment: 'SECRETPLACE' })
  const facts = await inspectFile(requester, path)
  expect((await readFile(path)).includes('SECRETPLACE')).toBe(true)
  await prepareVideo(requester, path, facts)
  expect((await readFile(path)).includes('SECRETPLACE')).toBe(false)
  expect(await inspectFile(requester, path)).toEqual(facts)
})

describe('where ffmpeg is installed', () => {
  let bin: string
  beforeEach(async () => {
    bin = await mkdtemp(join(folder, 'bin-'))
    process.env.PATH = `${folder}${delimiter}${bin}`
  })
  afterEach(() => {
    process.env.PATH = folder
  })

  /** Installs a program that writes its arguments down and runs `script`; `$target` is the file to write. */
  async function install(script: string) {
    const calls = join(bin, 'calls')
    const lines = [
      `printf '%s\\n' "$*" >> '${calls}'`,
      'for last; do :; done',
      'target=$(expr "$last" : "file:\\(.*\\)")',
      script,
    ]
    await writeFile(join(bin, 'ffmpeg'), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
    return async () => (await readFile(calls, 'utf8')).trim().split('\n')
  }
  const rules = (changes: Partial<FileRules> = {}): MediaRules => ({
    kinds: { video: { max: 1, mimes: ['video/mp4'], max_bytes: 1_000_000, ...changes } },
    max: 4,
    mixed: false,
    required: false,
    max_alt_length: null,
  })
  async function conversion(changes?: Partial<FileRules>) {
    const path = await videoFile('mov')
    const fit = fitOf(await inspectFile(requester, path), rules(changes))
    if (fit.how !== 'converted') throw new Error(JSON.stringify(fit))
    return { path, fit }
  }

  test('a video is converted to MP4 in a size and with a bitrate that the network takes', async () => {
    const calls = await install('printf video > "$target"')
    const { path, fit } = await conversion({ max_width: 320 })
    expect(await makeFit(requester, path, fit)).toMatchObject({ mime: 'video/mp4', bytes: 5, width: 320, height: 180 })
    const [call = ''] = await calls()
    expect(call).toContain(`-protocol_whitelist file -f mov -i file:${path}`)
    expect(call).toContain('scale=320:180')
    // 1 MB in 2 s are 4,000,000 bits a second, of which 0.92 are aimed at, with the sound.
    expect(call).toContain('-maxrate 3552000')
  })

  test('a result that is too large is tried again with a lower bitrate', async () => {
    const calls = await install(`[ -s "$target" ] && printf video > "$target" || head -c 1000001 /dev/zero > "$target"`)
    const { path, fit } = await conversion()
    expect(await makeFit(requester, path, fit)).toMatchObject({ bytes: 5 })
    expect((await calls()).map((call) => /-maxrate (\d+)/.exec(call)?.[1])).toEqual(['3552000', '2872000'])
  })

  /** A program that writes a frame only at the position 0, as of a video with one frame. Elsewhere it does nothing. */
  async function installForOneFrame(frame: Buffer) {
    const image = join(bin, 'frame.png')
    await writeFile(image, frame)
    return install(`case "$*" in *"-ss 0 "*) cp '${image}' "$target";; esac`)
  }

  test.each(['mp4', 'mov', 'webm'] as const)('a %s video of one frame has a thumbnail of it', async (extension) => {
    await installForOneFrame(await testImage(640, 360))
    const path = await videoFile(extension, { frames: 1 })
    const { thumbnail } = await prepareVideo(requester, path, await inspectFile(requester, path))
    expect(await sharp(thumbnail ?? '').metadata()).toMatchObject({ format: 'webp', width: 400, height: 225 })
  })

  test('a video without a frame that can be shown has no thumbnail', async () => {
    const none = { thumbnail: null, placeholder: null }
    const path = await videoFile('mp4')
    const facts = await inspectFile(requester, path)
    await install('')
    expect(await prepareVideo(requester, path, facts)).toMatchObject(none)
    await installForOneFrame(Buffer.from('no image'))
    expect(await prepareVideo(requester, path, facts)).toMatchObject(none)
  })

  test('a video that it cannot decode has no thumbnail', async () => {
    await install('exit 1')
    const path = await videoFile('mp4')
    expect(await prepareVideo(requester, path, await inspectFile(requester, path))).toMatchObject({
      thumbnail: null,
      placeholder: null,
    })
  })

  test('a failure says what ffmpeg said', async () => {
    await install('echo "no such codec" >&2; exit 3')
    const { path, fit } = await conversion()
    await expect(makeFit(requester, path, fit)).rejects.toThrow('ffmpeg ended with 3: no such codec')
  })

  test('a video gets a thumbnail from one of its frames', async () => {
    const frame = join(folder, 'frame.png')
    await sharp({ create: { width: 640, height: 360, channels: 3, background: '#b08' } }).toFile(frame)
    await install(`cp '${frame}' "$target"`)
    const path = await videoFile('mp4')
    const { thumbnail, placeholder } = await prepareVideo(requester, path, await inspectFile(requester, path))
    expect(await sharp(thumbnail ?? '').metadata()).toMatchObject({ format: 'webp', width: 400, height: 225 })
    expect(placeholder).toMatch(/^data:image\/webp;base64,/)
  })
})

test('without ffmpeg, a video has no thumbnail', async () => {
  expect(ffmpegPath()).toBeUndefined()
  const path = await videoFile('mp4')
  expect(await prepareVideo(requester, path, await inspectFile(requester, path))).toMatchObject({
    thumbnail: null,
    placeholder: null,
  })
})
