import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebMOutputFormat } from 'mediabunny'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../test/factories.ts'
import { apng, box, gif, png, pngChunk, pngOfSize, polyglots, svgs, videoType } from '../../../test/hostile-files.ts'
import { download, videoFile as playable, testImage, upload } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'
import { until } from '../../../test/until.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const video = Buffer.concat([videoType, box('mdat', Buffer.alloc(100))])

test('a hostile upload is refused with the reason, nothing of it stays, and the next upload works', async () => {
  const owner = await withWorkspace(t)
  const twoInOne = { ...svgs, ...polyglots(Buffer.from('ffd8ffd9', 'hex'), video) }
  for (const bytes of Object.values(twoInOne)) expectProblem(await upload(owner, bytes), 415, 'file_type_refused')
  for (const bytes of [png(12_000, 9000), pngOfSize(65_535, 65_535), gif(100_000), apng(6000)])
    expectProblem(await upload(owner, bytes), 413, 'file_too_large')
  const wide = await playable(1, [2 ** 33, 180], new WebMOutputFormat())
  for (const bytes of [pngOfSize(9000, 9000), (await testImage()).subarray(0, -20), video, wide])
    expectProblem(await upload(owner, bytes), 422, 'file_damaged')
  const temporary = join(t.deps.config.DATA_DIR, 'uploads', 'temporary')
  await until(async () => expect(await readdir(temporary)).toEqual([]))
  expect(expectStatus(await owner.get('/api/v1/media'), 200).body.data).toEqual([])
  expectStatus(await upload(owner, await testImage()), 201)
})

test('an image is downloaded without the private texts that were uploaded with it', async () => {
  const private_text = pngChunk('tEXt', Buffer.from('Author\0SECRETNAME'))
  const { body } = expectStatus(await upload(owner, png(30, 20, [private_text])), 201)
  expect(body.bytes).toBe(png(30, 20).length)
  const { bytes } = await download(owner, `/api/v1/media/${body.id}/file`)
  expect(bytes.equals(png(30, 20))).toBe(true)
})

/** An image whose bytes are missing or wrong in several places, each in a file of its own. */
function damages(bytes: Buffer) {
  const places = [0.1, 0.3, 0.5, 0.8, 0.95].map((share) => Math.floor(share * bytes.length))
  const cut = places.map((place) => bytes.subarray(0, place))
  const changed = places.map((place) => Buffer.from(bytes).fill(0xa5, place, place + 9))
  return [...cut, ...changed]
}

test('the response to a file that cannot be read names no folder of the server', async () => {
  const pixels = sharp(randomBytes(90 * 60 * 3), { raw: { width: 90, height: 60, channels: 3 } })
  const formats = ['avif', 'webp', 'png', 'jpeg', 'gif'] as const
  const images = await Promise.all(formats.map((format) => pixels.clone().toFormat(format).toBuffer()))
  const files = [...images, await playable()].flatMap(damages)
  files.push(
    ...Object.values(svgs),
    ...Object.values(polyglots(images[3] ?? video, video)),
    pngOfSize(9000, 9000),
    video,
  )
  for (const bytes of files) {
    const { status, body } = await upload(owner, bytes)
    expect(status).toBeLessThan(500)
    const text = JSON.stringify(body)
    for (const folder of [t.deps.config.DATA_DIR, tmpdir(), process.cwd()]) expect(text).not.toContain(folder)
  }
})

test('a video of which ffmpeg makes no image is accepted, without a thumbnail', async () => {
  const { PATH } = process.env
  const bin = await mkdtemp(join(tmpdir(), 'meydan-bin-'))
  onTestFinished(async () => {
    process.env.PATH = PATH
    await rm(bin, { recursive: true })
  })
  await writeFile(join(bin, 'ffmpeg'), '#!/bin/sh\n', { mode: 0o755 })
  process.env.PATH = bin
  const { body } = expectStatus(await upload(owner, await playable()), 201)
  expect(body).toMatchObject({ kind: 'video', thumbnail_url: null })
})
