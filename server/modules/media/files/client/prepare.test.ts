import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inspectFile, prepareImage } from './prepare.ts'

const requester = { workspace_id: 'workspace', lane: 'uploads' as const }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meydan-image-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const PLACE = { IFD0: { Copyright: 'SECRETNAME' }, IFD3: { GPSLatitude: '51/1 30/1 3230/100' } }
const testImage = (width = 600, height = 400) =>
  sharp(randomBytes(60 * 40 * 3), { raw: { width: 60, height: 40, channels: 3 } }).resize(width, height)

async function prepared(name: string, image: Sharp | Buffer) {
  const path = join(folder, name)
  await writeFile(path, Buffer.isBuffer(image) ? image : await image.toBuffer())
  return { path, result: await prepareImage(requester, path, await inspectFile(requester, path)) }
}
const pixelsOf = (file: string | Buffer) => sharp(file).raw().toBuffer()

for (const format of ['jpeg', 'png', 'webp', 'avif'] as const)
  test(`a ${format} loses its place and author, and no pixel of it changes`, async () => {
    const { path, result } = await prepared(`place.${format}`, testImage().withExif(PLACE).toFormat(format))
    expect((await readFile(path)).includes('SECRETNAME')).toBe(true)
    const bytes = await readFile(result.path)
    expect(bytes.includes('SECRETNAME')).toBe(false)
    expect(result.facts).toMatchObject({ bytes: bytes.length, width: 600, height: 400 })
    expect((await pixelsOf(bytes)).equals(await pixelsOf(path))).toBe(true)
  })

test('an image without private metadata is not written again', async () => {
  const { path, result } = await prepared('plain.jpg', testImage().jpeg())
  expect(result.path).toBe(path)
})

for (const format of ['jpeg', 'png', 'webp'] as const)
  test(`a ${format} that was taken with a turned camera is turned upright and keeps its colour profile`, async () => {
    const image = testImage().withIccProfile('p3').withMetadata({ orientation: 6, icc: 'p3' }).toFormat(format)
    const { result } = await prepared(`turned.${format}`, image)
    expect(result.facts).toMatchObject({ mime: `image/${format}`, width: 400, height: 600 })
    const { width, height, orientation, icc } = await sharp(result.path).metadata()
    expect({ width, height, orientation }).toEqual({ width: 400, height: 600, orientation: undefined })
    expect(icc?.length).toBeGreaterThan(100)
    expect(await sharp(result.thumbnail).metadata()).toMatchObject({ width: 267, height: 400, format: 'webp' })
  })

test('the placeholder is a small image as a data URI', async () => {
  const { result } = await prepared('placeholder.png', testImage().png())
  expect(result.placeholder).toMatch(/^data:image\/webp;base64,/)
  expect(result.placeholder.length).toBeLessThanOrEqual(300)
  const { width } = await sharp(Buffer.from(result.placeholder.split(',')[1] ?? '', 'base64')).metadata()
  expect(width).toBe(16)
})

test('transparency counts only if a pixel is transparent', async () => {
  const opaque = await prepared('opaque.png', testImage().ensureAlpha(1).png())
  expect(opaque.result.facts.opaque).toBe(true)
  const clear = await prepared('clear.png', testImage().ensureAlpha(0.5).png())
  expect(clear.result.facts.opaque).toBe(false)
})
