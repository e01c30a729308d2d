import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../test/factories.ts'
import { generationApp, generationCalls } from '../../../test/generations.ts'
import { noise } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'
import type { AiServer } from '../../../test/stand-ins/ai-server.ts'
import { sweepGenerations } from './generations.ts'

let t: TestApp
let owner: WorkspaceOwner
let openai: AiServer
let model: { id: number; id_secure: string; name: string }
let painter: { id: number; id_secure: string; name: string }
let close: () => Promise<void>

beforeAll(async () => {
  ;({ t, openai, model, painter, close } = await generationApp())
})
beforeEach(async () => {
  openai.reset()
  owner = await withWorkspace(t)
})
afterAll(() => close())

const { generateImage, list, usedCredits } = generationCalls(() => ({ t, owner }))

describe('POST /ai/generate/image, GET /ai/files/:id', () => {
  test('every member can read the files for 7 days, with headers that allow only their own type', async () => {
    const { body } = expectStatus(await generateImage({ n: 2, size: '1024x1024' }), 200)
    expect(body).toEqual({
      id: expect.any(String),
      files: Array.from({ length: 2 }, () => ({
        id: expect.any(String),
        url: expect.stringMatching(/^\/api\/v1\/ai\/files\/[0-9a-f-]{36}$/),
        mime: 'image/png',
        bytes: expect.any(Number),
        media_id: expect.any(String),
      })),
      model: { id: painter.id, id_secure: painter.id_secure, name: painter.name },
      credits: 10,
    })
    expect(openai.calls[0]?.body).toMatchObject({ n: 2, size: '1024x1024', prompt: 'A cat' })
    const { url, media_id } = body.files[0]
    // A file of the workspace like any other.
    expect(expectStatus(await owner.get(`/api/v1/media/${media_id}`), 200).body).toMatchObject({
      kind: 'image',
      alt: '',
    })
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    // The URL is enough, whatever the current workspace is.
    expectStatus(await viewer.post('/api/v1/workspaces', { name: `Another ${Date.now()}` }), 201)
    const response = await viewer.open('GET', url)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).equals(openai.script.image)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(openai.script.image.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expectProblem(await (await withWorkspace(t)).get(url), 404, 'not_found')
    expectProblem(await t.anyone.get(url), 401, 'unauthenticated')
    expect((await list())[0].files).toEqual(body.files)

    await t.deps.db
      .updateTable('ai_file')
      .set({ expires_at: t.clock.now() })
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    expectProblem(await owner.get(url), 404, 'not_found')
    expect((await list())[0].files).toEqual([])
    await sweepGenerations(t.deps)
    const left = await t.deps.db
      .selectFrom('ai_file')
      .select('id')
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
    expect(left).toEqual([])
  })

  test('generations are deleted after 90 days, and their credits stay used', async () => {
    expectStatus(await generateImage(), 200)
    const before = await usedCredits()
    const inDays = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000)
    await sweepGenerations({ ...t.deps, clock: { now: () => inDays(89) } })
    expect((await list()).length).toBeGreaterThan(0)
    await sweepGenerations({ ...t.deps, clock: { now: () => inDays(91) } })
    expect(await list()).toEqual([])
    expect(await usedCredits()).toBe(before)
  })

  test('a token reads its files under /public, and 404 for a token that is bound to another workspace', async () => {
    const token = await withToken(t, owner, ['ai:write'])
    const { body } = expectStatus(await token.post('/api/v1/public/ai/generate/image', { prompt: 'A cat' }), 200)
    expect(body.files[0].url).toMatch(/^\/api\/v1\/public\/ai\/files\//)
    expectStatus(await token.get(body.files[0].url), 200)
    const other = await withWorkspace(t)
    await t.deps.db
      .insertInto('workspace_member')
      .values({ workspace_id: other.workspace_id, user_id: owner.id, role: 'owner' })
      .execute()
    const there = { ...owner, ...owner.with({ 'x-workspace-id': other.workspace_id }) }
    const elsewhere = await withToken(t, there, ['ai:read'])
    expectProblem(await elsewhere.get(body.files[0].url), 404, 'not_found')
  })

  test('a large file is sent complete, in parts', async () => {
    const large = await noise(600, 600)
    const usual = openai.script.image
    openai.script.image = large
    const { body } = expectStatus(await generateImage(), 200)
    openai.script.image = usual
    const response = await owner.open('GET', body.files[0].url)
    expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true)
  })

  test('a file that is not an image fails with 503, whatever type the provider gives it', async () => {
    const usual = openai.script.image
    for (const bytes of ['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', '<html>', 'GIF', ''])
      try {
        openai.script.image = Buffer.from(bytes)
        expectProblem(await generateImage(), 503, 'ai_unavailable')
      } finally {
        openai.script.image = usual
      }
    expect(await usedCredits()).toBe(0)
  })

  test('400 for each field out of bounds, with its pointer', async () => {
    for (const [more, pointer] of [
      [{ prompt: '' }, '/prompt'],
      [{ size: '1024' }, '/size'],
      [{ size: '0x0' }, '/size'],
      [{ n: 5 }, '/n'],
      [{ n: 0 }, '/n'],
      [{ model: model.id }, '/model'],
    ] as const)
      expectProblem(await generateImage(more), 400, 'validation_failed', pointer)
  })
})
