import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import { expectStatus, type Person, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { generationApp, generationCalls, TEXT } from '../../../test/generations.ts'
import { testImage, uploaded, videoFile } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'
import { modelAt, type ProviderName, providerNames, providerServer } from '../../../test/stand-ins/ai.ts'
import type { AiServer } from '../../../test/stand-ins/ai-server.ts'

let t: TestApp
let admin: Person
let owner: WorkspaceOwner
let openai: AiServer
let close: () => Promise<void>

beforeAll(async () => {
  ;({ t, admin, openai, close } = await generationApp())
})
beforeEach(async () => {
  openai.reset()
  owner = await withWorkspace(t)
})
afterAll(() => close())

const { generateText, list, usedCredits } = generationCalls(() => ({ t, owner }))

/** The image in a call of OpenAI's protocol. */
async function imageOf({ calls }: AiServer) {
  const url: string = calls.at(-1)?.body.messages.at(-1).content[0].image_url.url ?? ''
  return sharp(Buffer.from(url.split(',')[1] ?? '', 'base64')).metadata()
}

describe('media_id of POST /ai/generate/text', () => {
  test.each(providerNames)(
    '%s gets the image with the prompt, and a model that sees no images is 400 at /media_id',
    async (provider: ProviderName) => {
      const server = await providerServer(provider)
      try {
        const { id: model } = await modelAt(admin, provider, 'chat', server)
        const media_id = (await uploaded(owner)).id
        expect(expectStatus(await generateText(owner, { media_id, model }), 200).body.text).toBe('Hello, world.')
        const sent = JSON.stringify(server.calls[0]?.body)
        expect([sent.includes('iVBORw0KGgo'), sent.includes('Say hello')]).toEqual([true, true])
        expect(await usedCredits()).toBe(1)
        server.script.sees = false
        const problem = expectProblem(await generateText(owner, { media_id, model }), 400, 'ai_refused', '/media_id')
        expect(problem.detail).toContain('Use a model that can see images')
        expect(await usedCredits()).toBe(1)
        // A call without an image is not concerned.
        expectStatus(await generateText(owner, { model }), 200)
      } finally {
        server.close()
      }
    },
  )

  test('a large image is scaled down to 1,568 pixels, and a WebP becomes a JPEG', async () => {
    const large = await uploaded(owner, { bytes: await testImage(3000, 1500) })
    expectStatus(await generateText(owner, { media_id: large.id }), 200)
    expect(await imageOf(openai)).toMatchObject({ format: 'png', width: 1568, height: 784 })
    const webp = await sharp(await testImage(60, 40))
      .webp()
      .toBuffer()
    expectStatus(await generateText(owner, { media_id: (await uploaded(owner, { bytes: webp })).id }), 200)
    expect(await imageOf(openai)).toMatchObject({ format: 'jpeg', width: 60, height: 40 })
  })

  test('400 at /media_id for a file of another workspace, one that was deleted, and one that is no image, without a call', async () => {
    const foreign = await uploaded(await withWorkspace(t))
    const deleted = await uploaded(owner)
    expectStatus(await owner.delete(`/api/v1/media/${deleted.id}`), 204)
    const video = await uploaded(owner, { bytes: await videoFile(), name: 'simit.mp4', type: 'video/mp4' })
    for (const media_id of [foreign.id, deleted.id, video.id, crypto.randomUUID(), 'simit'])
      expectProblem(await generateText(owner, { media_id }), 400, 'validation_failed', '/media_id')
    expect([openai.calls, await usedCredits()]).toEqual([[], 0])
  })

  test('400 at /model for a model of the completion API, which takes no images', async () => {
    const { id: model } = await modelAt(admin, 'openai', 'completion', openai)
    const { id: media_id } = await uploaded(owner)
    expectProblem(await generateText(owner, { media_id, model }), 400, 'validation_failed', '/model')
    expect([openai.calls, await usedCredits()]).toEqual([[], 0])
  })

  test('a server that fails because it cannot read images is the same refusal, and other failures stay what they are', async () => {
    const { id: media_id } = await uploaded(owner)
    const failure = (status: number, message: string) =>
      openai.failNext({ kind: 'status', status, body: { error: { message } } })
    failure(500, 'image input is not supported - hint: you may need to provide the mmproj')
    expectProblem(await generateText(owner, { media_id }), 400, 'ai_refused', '/media_id')
    failure(404, 'No endpoints found that support image input')
    expectProblem(await generateText(owner, { media_id }), 400, 'ai_refused', '/media_id')
    failure(500, 'Out of memory')
    expectProblem(await generateText(owner, { media_id }), 503, 'ai_unavailable')
    failure(429, 'Too many images')
    expectProblem(await generateText(owner, { media_id }), 429, 'ai_rate_limited')
    expect(await usedCredits()).toBe(0)
    expect(await list('?state=failed')).toHaveLength(4)
  })

  test('a stream describes an image, and reports a model that sees none as ai_refused', async () => {
    const { id: media_id } = await uploaded(owner)
    const stream = async () => {
      const body = { prompt: 'x', media_id }
      return (await owner.open('POST', TEXT, { body, headers: { accept: 'text/event-stream' } })).text()
    }
    expect(await stream()).toContain('event: done')
    expect(await imageOf(openai)).toMatchObject({ format: 'png', width: 40 })
    openai.script.sees = false
    expect(await stream()).toMatch(/^event: error\ndata: \{"code":"ai_refused"/)
    expect(await usedCredits()).toBe(1)
  })
})
