import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SEED, timesOf } from '../../../../../test/torture/settings.ts'
import type { FileRules, MediaFacts, MediaRules } from '../../media-rules.ts'
import { fitOf, makeFit } from './fitting.ts'
import { mediaProblems } from './media-problems.ts'
import { inspectFile } from './prepare.ts'

const requester = { workspace_id: 'workspace', lane: 'uploads' as const }

const photo: MediaFacts = {
  kind: 'image',
  mime: 'image/jpeg',
  bytes: 3_000_000,
  width: 4000,
  height: 3000,
  duration_s: null,
  opaque: true,
}
const video: MediaFacts = { ...photo, kind: 'video', mime: 'video/mp4', duration_s: 60, opaque: null }
const rules = (kind: MediaFacts['kind'], changes: Partial<FileRules> = {}): MediaRules => ({
  kinds: { [kind]: { max: 4, mimes: ['image/jpeg', 'image/png'], max_bytes: 5_000_000, ...changes } },
  max: 4,
  mixed: false,
  required: false,
  max_alt_length: 1000,
})

describe('an image', () => {
  test('that keeps all rules stays as it is', () => {
    expect(fitOf(photo, rules('image'))).toEqual({ how: 'unchanged' })
  })

  test('in a format that the network does not take becomes the first that keeps it as it looks', () => {
    const webp = { ...photo, mime: 'image/webp' }
    expect(fitOf(webp, rules('image'))).toMatchObject({ how: 'converted', mime: 'image/jpeg', width: 4000 })
    expect(fitOf({ ...webp, opaque: false }, rules('image'))).toMatchObject({ how: 'converted', mime: 'image/png' })
  })

  test('with transparency never becomes a JPEG', () => {
    const png = { ...photo, mime: 'image/png', opaque: false }
    expect(fitOf(png, rules('image', { mimes: ['image/jpeg'] }))).toMatchObject({
      how: 'refused',
      code: 'format_not_accepted',
      text: expect.objectContaining({ en: expect.stringContaining('Accepted: JPEG.') }),
    })
  })

  test('becomes smaller until width, height, pixels and their sum are accepted', () => {
    const sizeFor = (changes: Partial<FileRules>) => {
      const fit = fitOf(photo, rules('image', changes))
      return fit.how === 'converted' ? [fit.width, fit.height] : fit
    }
    expect(sizeFor({ max_width: 2000 })).toEqual([2000, 1500])
    expect(sizeFor({ max_height: 1500 })).toEqual([2000, 1500])
    expect(sizeFor({ max_pixels: 3_000_000 })).toEqual([2000, 1500])
    expect(sizeFor({ max_width_plus_height: 3500 })).toEqual([2000, 1500])
  })

  test('with other proportions than accepted is a problem that names both', () => {
    expect(fitOf(photo, rules('image', { max_aspect: 1 }))).toEqual({
      how: 'refused',
      code: 'aspect_ratio',
      text: expect.objectContaining({
        en: 'Its width divided by its height is 1.333; accepted is at most 1. Crop it.',
      }),
    })
  })

  test('that would have to lose most of its pixels is refused with both sizes', () => {
    expect(fitOf(photo, rules('image', { max_bytes: 100_000 }))).toEqual({
      how: 'refused',
      code: 'file_too_large',
      text: expect.objectContaining({ en: 'The file has 3 MB; at most 100 kB are accepted.' }),
    })
  })
})

describe('an animated image', () => {
  const gif = { ...photo, kind: 'gif' as const, mime: 'image/gif', duration_s: 2, width: 400, height: 300 }

  test('never goes to a network without rules for it', () => {
    expect(fitOf(gif, rules('image'))).toEqual({
      how: 'refused',
      code: 'kind_not_accepted',
      text: expect.objectContaining({ en: 'Animated images are not accepted.' }),
    })
  })

  test('as GIF can become WebP, but not the other way round', () => {
    expect(fitOf(gif, rules('gif', { mimes: ['image/webp'] }))).toMatchObject({ how: 'converted', mime: 'image/webp' })
    const webp = { ...gif, mime: 'image/webp' }
    expect(fitOf(webp, rules('gif', { mimes: ['image/gif'] }))).toMatchObject({ code: 'format_not_accepted' })
  })
})

describe('a video', () => {
  test('is converted only where ffmpeg is installed, and the problem says so otherwise', () => {
    const mov = { ...video, mime: 'video/quicktime' }
    const accepted = rules('video', { mimes: ['video/mp4'] })
    expect(fitOf(mov, accepted, true)).toMatchObject({ how: 'converted', mime: 'video/mp4', width: 4000 })
    expect(fitOf(mov, accepted, false)).toMatchObject({
      how: 'refused',
      code: 'format_not_accepted',
      text: expect.objectContaining({ en: expect.stringContaining('if ffmpeg were installed') }),
    })
  })

  test('that is too long or too short is a problem with the figures', () => {
    const accepted = (changes: Partial<FileRules>) => rules('video', { mimes: ['video/mp4'], ...changes })
    expect(fitOf(video, accepted({ max_duration_s: 30 }), true)).toMatchObject({
      code: 'too_long',
      text: expect.objectContaining({ en: 'It lasts 60 s; at most 30 s are accepted.' }),
    })
    expect(fitOf(video, accepted({ min_duration_s: 90 }), true)).toMatchObject({ code: 'too_short' })
  })
})

describe('the files of one part', () => {
  const described = { ...photo, alt: '' }
  const codesOf = (...input: Parameters<typeof mediaProblems>) =>
    mediaProblems(...input).map(({ index, code }) => [index, code])

  test('are checked for their number, their kinds and their alternative texts', () => {
    const both = { ...rules('image', { max: 2 }), max_alt_length: 3 }
    expect(codesOf([described], both)).toEqual([])
    expect(codesOf([described, described, described], both)).toEqual([[2, 'too_many_files']])
    expect(codesOf([{ ...described, alt: 'four' }], both)).toEqual([[0, 'alt_too_long']])
    expect(codesOf([described, { ...video, alt: '' }], both)).toEqual([
      [1, 'kinds_mixed'],
      [1, 'kind_not_accepted'],
    ])
  })

  test('can be needed, and can be refused altogether', () => {
    expect(codesOf([], { ...rules('image'), required: true })).toEqual([[null, 'file_required']])
    expect(codesOf([], null)).toEqual([])
    expect(codesOf([described], null)).toEqual([[0, 'files_not_accepted']])
  })
})

describe('a promise to convert', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meydan-fit-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const size = fc.integer({ min: 1, max: 400 })
  const limit = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined })
  const anyRules = fc.record({
    mimes: fc.uniqueArray(fc.constantFrom('image/jpeg', 'image/png', 'image/webp'), { minLength: 1 }),
    max_bytes: fc.integer({ min: 8000, max: 250_000 }),
    max_width: limit(50, 450),
    max_height: limit(50, 450),
    max_pixels: limit(2500, 150_000),
    max_aspect: fc.option(fc.double({ min: 1, max: 5, noNaN: true }), { nil: undefined }),
  })
  const anyImage = fc.record({
    width: size,
    height: size,
    mime: fc.constantFrom('jpeg' as const, 'png' as const, 'webp' as const),
    transparent: fc.boolean(),
    noisy: fc.boolean(),
  })
  type Drawn = typeof anyImage extends fc.Arbitrary<infer T> ? T : never
  type Limits = typeof anyRules extends fc.Arbitrary<infer T> ? T : never

  /** One that is converted whatever chance draws. */
  const converting: [Drawn, Limits] = [
    { width: 60, height: 40, mime: 'png', transparent: false, noisy: true },
    {
      mimes: ['image/jpeg'],
      max_bytes: 250_000,
      max_width: 50,
      max_height: undefined,
      max_pixels: undefined,
      max_aspect: undefined,
    },
  ]

  async function draw({ width, height, mime, transparent, noisy }: Drawn) {
    const channels = transparent ? 4 : 3
    const pixels = noisy ? randomBytes(width * height * channels) : Buffer.alloc(width * height * channels, 90)
    const path = join(folder, `${width}-${height}-${channels}-${noisy}.${mime}`)
    await sharp(pixels, { raw: { width, height, channels } }).toFormat(mime).toFile(path)
    return path
  }

  // More of it: npm run torture -- media-fitting
  test(`is kept for any image and any rules: the result needs no further change (seed ${SEED})`, async () => {
    let converted = 0
    await fc.assert(
      fc.asyncProperty(anyImage, anyRules, async (image, limits) => {
        const path = await draw(image)
        const defined = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
        const accepted = rules('image', defined)
        const fit = fitOf(await inspectFile(requester, path), accepted)
        if (fit.how !== 'converted') return
        converted++
        const made = await makeFit(requester, path, fit)
        const facts = await inspectFile(requester, made.path)
        expect(facts).toMatchObject({ mime: made.mime, bytes: made.bytes, width: made.width, height: made.height })
        expect(fitOf(facts, accepted)).toEqual({ how: 'unchanged' })
        await rm(made.path)
      }),
      { numRuns: timesOf('FITTING_RUNS', 15), seed: SEED, examples: [converting] },
    )
    expect(converted).toBeGreaterThan(0)
  })

  test.each([
    { mime: 'image/jpeg', width: 30, height: 70_000, transparent: false },
    { mime: 'image/webp', width: 60, height: 17_000, transparent: true },
  ])('is kept for an image with sides that $mime cannot store', async ({ mime, ...image }) => {
    const path = await draw({ ...image, mime: 'png', noisy: true })
    const accepted = rules('image', { mimes: ['image/png', mime], max_bytes: 2_500_000 })
    const fit = fitOf(await inspectFile(requester, path), accepted)
    if (fit.how !== 'converted') throw new Error(JSON.stringify(fit))
    const made = await makeFit(requester, path, fit)
    expect(made).toMatchObject({ mime })
    expect(fitOf(await inspectFile(requester, made.path), accepted)).toEqual({ how: 'unchanged' })
  })

  test('is kept for an animation, which keeps its frames', async () => {
    const path = join(folder, 'animation.gif')
    const frames = Array.from({ length: 6 }, () =>
      sharp(randomBytes(160 * 120 * 3), { raw: { width: 160, height: 120, channels: 3 } })
        .png()
        .toBuffer(),
    )
    await sharp(await Promise.all(frames), { join: { animated: true } })
      .gif({ delay: frames.map(() => 100) })
      .toFile(path)
    const facts = await inspectFile(requester, path)
    for (const changes of [{ max_bytes: Math.floor(facts.bytes / 2) }, { max_width: 90 }, { mimes: ['image/webp'] }]) {
      const accepted = rules('gif', { mimes: ['image/gif'], ...changes })
      const fit = fitOf(facts, accepted)
      if (fit.how !== 'converted') throw new Error(JSON.stringify(fit))
      const made = await inspectFile(requester, (await makeFit(requester, path, fit)).path)
      expect(made).toMatchObject({ kind: 'gif', duration_s: 0.6 })
      expect(fitOf(made, accepted)).toEqual({ how: 'unchanged' })
    }
  })
})
