import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../test/factories.ts'
import { apng, box, filmType, gif, png, pngChunk, pngOfSize, polyglots, svgs } from '../../../test/hostile-files.ts'
import { download, picture, upload } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'
import { until } from '../../../test/until.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const film = Buffer.concat([filmType, box('mdat', Buffer.alloc(100))])

test('a hostile upload is refused with the reason, nothing of it stays, and the next upload works', async () => {
  const twoInOne = { ...svgs, ...polyglots(Buffer.from('ffd8ffd9', 'hex'), film) }
  for (const bytes of Object.values(twoInOne)) expectProblem(await upload(owner, bytes), 415, 'file_type_refused')
  for (const bytes of [png(12_000, 9000), pngOfSize(65_535, 65_535), gif(100_000), apng(6000)])
    expectProblem(await upload(owner, bytes), 413, 'file_too_large')
  for (const bytes of [pngOfSize(9000, 9000), (await picture()).subarray(0, -20), film])
    expectProblem(await upload(owner, bytes), 422, 'file_damaged')
  const temporary = join(t.deps.config.DATA_DIR, 'uploads', 'temporary')
  await until(async () => expect(await readdir(temporary)).toEqual([]))
  expect(expectStatus(await owner.get('/api/v1/media'), 200).body.data).toEqual([])
  expectStatus(await upload(owner, await picture()), 201)
})

test('a picture is downloaded without the private texts that were uploaded with it', async () => {
  const private_text = pngChunk('tEXt', Buffer.from('Author\0SECRETNAME'))
  const { body } = expectStatus(await upload(owner, png(30, 20, [private_text])), 201)
  expect(body.bytes).toBe(png(30, 20).length)
  const { bytes } = await download(owner, `/api/v1/media/${body.id}/file`)
  expect(bytes.equals(png(30, 20))).toBe(true)
})
