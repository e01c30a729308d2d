import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { MovOutputFormat, Mp4OutputFormat, WebMOutputFormat } from 'mediabunny'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../test/factories.ts'
import { testImage, upload, videoFile } from '../../../test/media.ts'
import { SEED, timesOf } from '../../../test/torture/settings.ts'

const t = await testApp()
const owner = await withWorkspace(t)

/** Bytes at both ends of a video that describe it. Between them are its images. */
const FIRST = 500
const LAST = 1500

const videos = {
  mp4: await videoFile(1, [320, 180], new Mp4OutputFormat()),
  mov: await videoFile(1, [320, 180], new MovOutputFormat()),
  webm: await videoFile(1, [320, 180], new WebMOutputFormat()),
}

const fromHex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

const anyChange = fc.record({
  at: fc.integer({ min: -LAST, max: FIRST - 1 }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    // Lengths that are unknown, zero, or beyond the end.
    fc.constantFrom(
      ...['ffffffffffffffff', '01ffffffffffffff', '0000000000000000', '7fffffff', '08000000'].map(fromHex),
    ),
  ),
})

// More of it: npm run torture -- media-videos
test(`a video whose description was changed is accepted or refused with a reason (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<keyof typeof videos>('mp4', 'mov', 'webm'),
      fc.array(anyChange, { minLength: 1, maxLength: 6 }),
      fc.option(fc.integer({ min: 1, max: LAST }), { freq: 5 }),
      async (format, changes, cut) => {
        const video = Buffer.from(videos[format])
        for (const { at, bytes } of changes) Buffer.from(bytes).copy(video, at < 0 ? video.length + at : at)
        const { status, body } = await upload(owner, cut === null ? video : video.subarray(0, -cut))
        expect([200, 201, 413, 415, 422]).toContain(status)
        for (const folder of [t.deps.config.DATA_DIR, tmpdir()]) expect(JSON.stringify(body)).not.toContain(folder)
      },
    ),
    { numRuns: timesOf('VIDEO_RUNS', 10), seed: SEED },
  )
  expectStatus(await upload(owner, await testImage()), 201)
}, 3_600_000)
