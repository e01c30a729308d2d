import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { download, testImage, uploaded, videoFile } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const crop = (who: WorkspaceOwner, id: string, part: object) => who.post(`/api/v1/media/${id}/crop`, part)

type Colour = [number, number, number]
const RED: Colour = [255, 0, 0]
const GREEN: Colour = [0, 255, 0]
const BLUE: Colour = [0, 0, 255]
const WHITE: Colour = [255, 255, 255]

/** A 40 × 20 image: red and green above, blue and white below. */
async function quarters() {
  const quarter = (colour: Colour) => Buffer.concat(Array.from({ length: 20 }, () => Buffer.from(colour)))
  const rows = [
    ...Array.from({ length: 10 }, () => Buffer.concat([quarter(RED), quarter(GREEN)])),
    ...Array.from({ length: 10 }, () => Buffer.concat([quarter(BLUE), quarter(WHITE)])),
  ]
  return sharp(Buffer.concat(rows), { raw: { width: 40, height: 20, channels: 3 } })
    .png()
    .toBuffer()
}

async function cornersOf(url: string) {
  const { bytes } = await download(owner, url)
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray(3 * (y * info.width + x), 3 * (y * info.width + x) + 3)]
  return [at(0, 0), at(info.width - 1, 0), at(0, info.height - 1), at(info.width - 1, info.height - 1)]
}

describe('POST /media/:id/crop', () => {
  test('201 keeps a part of an image as a new file, turned first, and leaves the image as it is', async () => {
    const source = await uploaded(owner, {
      bytes: await quarters(),
      name: 'quarters.png',
      fields: [
        ['alt', 'Four colours'],
        ['labels', 'test'],
      ],
    })
    const { body } = expectStatus(await crop(owner, source.id, { x: 20, y: 0, width: 20, height: 20 }), 201)
    expect(body).toMatchObject({ ...{ kind: 'image', mime: 'image/png', width: 20, height: 20 }, alt: 'Four colours' })
    expect(body).toMatchObject({ name: 'quarters.png', labels: ['test'], uploaded_by_id: owner.id })
    expect(body.thumbnail_url).not.toBeNull()
    expect(await cornersOf(body.url)).toEqual([GREEN, GREEN, WHITE, WHITE])
    // Turned clockwise, the image is 20 × 40: blue and red above, white and green below.
    const turned = { x: 0, y: 0, width: 20, height: 40, rotate: 90 }
    const { body: whole } = expectStatus(await crop(owner, source.id, turned), 201)
    expect(await cornersOf(whole.url)).toEqual([BLUE, RED, WHITE, GREEN])
    expect(expectStatus(await owner.get(`/api/v1/media/${source.id}`), 200).body).toEqual(source)
  })

  test('200 with the existing record for the same part again', async () => {
    const { id } = await uploaded(owner)
    const part = { x: 0, y: 0, width: 10, height: 12 }
    const first = expectStatus(await crop(owner, id, part), 201).body
    expect(expectStatus(await crop(owner, id, part), 200).body.id).toBe(first.id)
  })

  test.each(['jpeg', 'webp', 'avif'] as const)('201 keeps the format of a file that is %s', async (format) => {
    const bytes = await sharp(await testImage(60, 50))
      [format]()
      .toBuffer()
    const { id } = await uploaded(owner, { bytes })
    const { body } = expectStatus(await crop(owner, id, { x: 5, y: 5, width: 50, height: 40, rotate: 180 }), 201)
    expect(body).toMatchObject({ mime: `image/${format}`, width: 50, height: 40 })
  })

  test('400 for a part that is not inside the image', async () => {
    const { id } = await uploaded(owner, { bytes: await testImage(40, 30) })
    const part = { x: 0, y: 0, width: 10, height: 10 }
    expectProblem(await crop(owner, id, { ...part, x: 31 }), 400, 'validation_failed', '/width')
    expectProblem(await crop(owner, id, { ...part, y: 21 }), 400, 'validation_failed', '/height')
    expectProblem(await crop(owner, id, { ...part, width: 31, rotate: 90 }), 400, 'validation_failed', '/width')
    expectProblem(await crop(owner, id, { ...part, rotate: 45 }), 400, 'validation_failed', '/rotate')
    expectProblem(await crop(owner, id, { ...part, width: 0 }), 400, 'validation_failed', '/width')
  })

  test('403 for a viewer, 404 for a file of another workspace, and 415 for a video', async () => {
    const part = { x: 0, y: 0, width: 10, height: 10 }
    const { id } = await uploaded(owner)
    expectProblem(await crop(await memberOf(t, owner.workspace_id, 'viewer'), id, part), 403, 'forbidden_role')
    expectProblem(await crop(await withWorkspace(t), id, part), 404, 'not_found')
    const video = await uploaded(owner, { bytes: await videoFile(), name: 'walk.mp4' })
    expectProblem(await crop(owner, video.id, part), 415, 'file_type_refused')
  })
})
