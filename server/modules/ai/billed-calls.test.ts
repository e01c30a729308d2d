import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { generationApp, generationCalls, TEXT } from '../../../test/generations.ts'
import { uploaded } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'
import { modelAt, providerServer } from '../../../test/stand-ins/ai.ts'
import { holdTimers } from '../../../test/timers.ts'
import { until } from '../../../test/until.ts'
import { MAX_TEXT } from './generate.schema.ts'
import { TEXT_MS } from './texts.ts'
import { takeVideoStep } from './video-steps.ts'

const { t, admin, openai, model, painter, close } = await generationApp()
const xai = await providerServer('xai')
const anthropic = await providerServer('anthropic')
await modelAt(admin, 'xai', 'video', xai, { video_second_price_usd: 0.1 })
// A token of output costs a millionth of a dollar, and a token of input nothing.
const prices = { input_price_usd: 0, output_price_usd: 1 }
const setPrices = async (of: { id_secure: string }, changes: object) =>
  expectStatus(await admin.put(`/api/v1/ai-models/${of.id_secure}`, changes), 200)
await setPrices(model, prices)
await setPrices(painter, { image_price_usd: 0.04 })

let owner: WorkspaceOwner
beforeEach(async () => {
  openai.reset()
  xai.reset()
  owner = await withWorkspace(t)
})
afterAll(async () => {
  xai.close()
  anthropic.close()
  await close()
})

const { generateText, generateImage, list, startCall } = generationCalls(() => ({ t, owner }))
/** The most that a text may cost: 1,024 tokens. */
const MOST = 0.001024
const estimated = (cost_usd: number) => ({ state: 'failed', credits: 0, cost_usd, is_cost_estimated: true })

describe('a video', () => {
  const VIDEO = 0.5
  const begin = async (): Promise<string> => {
    const body = { prompt: 'A cat', duration_s: 5 }
    return expectStatus(await owner.post('/api/v1/ai/generate/video', body), 202).body.id
  }
  const read = async (id: string) => expectStatus(await owner.get(`/api/v1/ai/generations/${id}`), 200).body
  const step = (generation_id: string, deps = t.deps) => takeVideoStep(deps, { generation_id })

  test('that takes too long keeps its cost', async () => {
    xai.script.videoPolls = 10_000
    const id = await begin()
    await step(id)
    t.advance(20 * 60_000 + 1)
    await step(id)
    expect(await read(id)).toMatchObject(estimated(VIDEO))
  })

  test('whose start is cut off keeps its cost', async () => {
    const id = await begin()
    const aiFetch = async () => {
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    }
    await step(id, { ...t.deps, aiFetch })
    expect(await read(id)).toMatchObject(estimated(VIDEO))
  })

  test('whose output is no video keeps its cost', async () => {
    const usual = xai.script.video
    xai.script.videoPolls = 0
    xai.script.video = Buffer.from('<html>')
    const id = await begin()
    await step(id)
    await step(id)
    xai.script.video = usual
    expect(await read(id)).toMatchObject(estimated(VIDEO))
  })

  test('that cannot be stored after the download keeps its cost', async () => {
    xai.script.videoPolls = 0
    const id = await begin()
    await step(id)
    await step(id, { ...t.deps, config: { ...t.deps.config, DATA_DIR: '/dev/null' } })
    expect(await read(id)).toMatchObject(estimated(VIDEO))
  })

  test('that the provider refuses, or cannot make, costs nothing', async () => {
    xai.failNext({ kind: 'status', status: 400 })
    const refused = await begin()
    await step(refused)
    xai.script.videoPolls = 0
    xai.script.videoFails = 'Not this.'
    const failed = await begin()
    await step(failed)
    await step(failed)
    for (const id of [refused, failed])
      expect(await read(id)).toMatchObject({ state: 'failed', cost_usd: 0, is_cost_estimated: false })
  })
})

test('images that are none keep their cost', async () => {
  const usual = openai.script.image
  openai.script.image = Buffer.from('<html>')
  expectProblem(await generateImage(), 503, 'ai_unavailable')
  openai.script.image = usual
  expect((await list())[0]).toMatchObject({ state: 'failed', credits: 0, cost_usd: 0.04 })
})

describe('a text', () => {
  test('that Meydan waits for no longer keeps the most that it may cost', async () => {
    const timers = holdTimers(TEXT_MS)
    openai.failNext({ kind: 'hang' })
    const waiting = generateText()
    await openai.called(1)
    timers.expire()
    expectProblem(await waiting, 503, 'ai_unavailable')
    expect((await list())[0]).toMatchObject(estimated(MOST))
  })

  test('during which the node stops keeps the most that it may cost', async () => {
    const own = await testApp()
    try {
      await modelAt(await signedIn(own, { instanceAdmin: true }), 'openai', 'chat', openai, prices)
      const person = await withWorkspace(own)
      openai.failNext({ kind: 'hang' })
      const waiting = person.post(TEXT, { prompt: 'x' })
      await openai.called(1)
      const grace = holdTimers(own.deps.timings.requestGrace)
      const ending = Promise.all([waiting, own.stopHttp()])
      await until(() => expect(grace.count()).toBeGreaterThan(0))
      grace.expire()
      expectProblem((await ending)[0], 503, 'unavailable')
      const rows = await own.deps.db.selectFrom('ai_generation').select(['cost', 'is_cost_estimated']).execute()
      expect(rows).toEqual([{ cost: '1024', is_cost_estimated: true }])
    } finally {
      await own.close()
    }
  })

  test('whose connection breaks, or that breaks off in a stream, keeps the most that it may cost', async () => {
    openai.failNext({ kind: 'hang_up' })
    expectProblem(await generateText(), 503, 'ai_unavailable')
    expect((await list())[0]).toMatchObject(estimated(MOST))
    openai.failNext({ kind: 'cut' })
    const stream = await owner.open('POST', TEXT, { body: { prompt: 'x' }, headers: { accept: 'text/event-stream' } })
    await stream.text()
    expect((await list())[0]).toMatchObject(estimated(MOST))
  })

  test('that cannot be stored keeps the usage that the provider reported, and its cost', async () => {
    openai.script.usage = { input: 11, output: 256 }
    openai.script.parts = ['x'.repeat(MAX_TEXT + 1)]
    expectProblem(await generateText(), 503, 'ai_unavailable')
    const usage = { input_tokens: 11, output_tokens: 256 }
    expect((await list())[0]).toMatchObject({
      ...{ state: 'failed', credits: 0, cost_usd: 0.000256, is_cost_estimated: false, usage },
    })
  })
})

describe('the most that a text may cost', () => {
  const runningCost = async (body: object, server = openai) => {
    const calls = server.calls.length
    server.failNext({ kind: 'hang' })
    const call = startCall(TEXT, { prompt: 'x', ...body })
    await server.called(calls + 1)
    const [{ cost_usd }] = await list('?state=running')
    call.leave()
    await until(async () => expect((await list())[0].state).toBe('canceled'))
    return cost_usd
  }

  test('has the tokens of thinking, which Anthropic adds to the maximum', async () => {
    const api_params = (thinking: object) => ({ provider_options: { thinking }, max_tokens: 2000 })
    const modelWith = (thinking: object) =>
      modelAt(admin, 'anthropic', 'chat', anthropic, { api_params: api_params(thinking), ...prices })
    const fixed = await modelWith({ type: 'enabled', budgetTokens: 4096 })
    expect(await runningCost({ model: fixed.id_secure }, anthropic)).toBe(0.006096)
    const open = await modelWith({ type: 'enabled' })
    expect(await runningCost({ model: open.id_secure }, anthropic)).toBe(0.003024)
    const none = await modelWith({ type: 'disabled' })
    expect(await runningCost({ model: none.id_secure }, anthropic)).toBe(0.002)
  })

  test('has an image of the prompt', async () => {
    await setPrices(model, { input_price_usd: 1, output_price_usd: 0 })
    const { id: media_id } = await uploaded(owner)
    expect((await runningCost({ media_id })) - (await runningCost({}))).toBeCloseTo(0.05, 9)
    await setPrices(model, prices)
  })
})
