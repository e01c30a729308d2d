import { availableParallelism } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { Client } from '../../../test/client.ts'
import { decoderIds } from '../../../test/decoders.ts'
import { expectStatus, withWorkspace } from '../../../test/factories.ts'
import { png, pngChunk } from '../../../test/hostile-files.ts'
import { testImage, upload, uploaded } from '../../../test/media.ts'
import { until } from '../../../test/until.ts'
import { readMediaForPost } from './media.ts'
import { openMedia } from './renditions.ts'

const t = await testApp()

let images = 0
/** An image that no other call returns, of a size that keeps its decoder at work until it is stopped. */
const slowImage = () => png(4900, 4900, [pngChunk('tEXt', Buffer.from(`Number\0${++images}`))])

/** Uploads files, and counts those that got a response. */
function startUploads(who: Client, files: Buffer[]) {
  let ended = 0
  const responses = files.map(async (bytes) => {
    const response = await upload(who, bytes)
    ended++
    return response
  })
  return { responses: Promise.all(responses), ended: () => ended }
}

/** Ends the decoders that wait for work, so that those of the next uploads are the only ones. */
async function endIdleDecoders() {
  for (const id of decoderIds()) process.kill(id, 'SIGKILL')
  await until(() => expect(decoderIds()).toEqual([]))
}

/** Stops all decoders when there are so many, until `goOn` or the end of the test. */
async function stopDecoders(count: number) {
  const ids = await until(() => {
    const found = decoderIds()
    expect(found.length).toBeGreaterThanOrEqual(count)
    return found
  })
  for (const id of ids) process.kill(id, 'SIGSTOP')
  const goOn = () => {
    for (const id of ids.filter((id) => decoderIds().includes(id))) process.kill(id, 'SIGCONT')
  }
  onTestFinished(goOn)
  return goOn
}

// Only Linux lists the processes that read files.
describe.skipIf(process.platform !== 'linux' || availableParallelism() < 2)('while decoders do not respond', () => {
  test('an upload of another workspace ends before those of the first', async () => {
    const [first, other] = [await withWorkspace(t), await withWorkspace(t)]
    await endIdleDecoders()
    const held = startUploads(first, [slowImage(), slowImage(), slowImage(), slowImage()])
    const goOn = await stopDecoders(1)
    expectStatus(await upload(other, await testImage()), 201)
    expect(held.ended()).toBeLessThan(4)
    goOn()
    for (const response of await held.responses) expectStatus(response, 201)
  })

  test('a file is converted for publishing before uploads end', async () => {
    const owner = await withWorkspace(t)
    const { id } = await uploaded(owner)
    const [media] = await readMediaForPost(t.deps.db, owner.workspace_id, [id])
    if (!media) throw new Error('The file is missing')
    await endIdleDecoders()
    const slots = Math.min(3, availableParallelism())
    const held = await Promise.all(
      Array.from({ length: slots }, async () => startUploads(await withWorkspace(t), [slowImage(), slowImage()])),
    )
    const goOn = await stopDecoders(slots)
    const waiting = startUploads(owner, [await testImage()])
    const copy = await openMedia(t.deps, media, {
      kinds: { image: { max: 4, mimes: ['image/jpeg'], max_bytes: 1_000_000 } },
      ...{ max: 4, mixed: false, required: false, max_alt_length: null },
    })
    copy.stream.destroy()
    expect(copy.mime).toBe('image/jpeg')
    expect(waiting.ended()).toBe(0)
    goOn()
    for (const { responses } of [...held, waiting]) for (const response of await responses) expectStatus(response, 201)
  })
})
