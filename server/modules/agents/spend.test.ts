import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { expectStatus, memberOf, signedIn, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { generationApp } from '../../../test/generations.ts'
import { expectProblem } from '../../../test/problem.ts'
import { sweepGenerations } from '../ai/generations.ts'
import {
  agentOf,
  beginMonth,
  draftText,
  lastRun,
  newTopics,
  onlyOwner,
  postsOf,
  runAtNextTime,
} from './runs/runs.fixture.ts'

const { t, openai, model, painter, close } = await generationApp()
afterAll(close)

const agents = '/api/v1/agents'
const models = '/api/v1/ai-models'
/** A token of output costs a millionth of a dollar. So a text, of 1,024 tokens at most, may cost 1,024 of these. */
const prices = { input_price_usd: 0, output_price_usd: 1 }
const MOST = 1024
const SPENT = 256
/** The database counts millionths of a dollar, and the API dollars. */
const usd = (micros: number) => micros / 1_000_000

let owner: WorkspaceOwner
let admin: Awaited<ReturnType<typeof signedIn>>
beforeEach(async () => {
  beginMonth(t)
  // Sessions end while tests advance the clock.
  admin = await signedIn(t, { instanceAdmin: true })
  owner = await onlyOwner(t, openai)
  openai.script.usage = { input: 11, output: SPENT }
  await setPrices(prices)
})

const setPrices = async (changes: object, of = model) =>
  expectStatus(await admin.put(`${models}/${of.id_secure}`, changes), 200).body
const read = async (id: string) => expectStatus(await owner.get(`${agents}/${id}`), 200).body
const eventsOf = async (type: string) => expectStatus(await owner.get(`/api/v1/events?type=${type}`), 200).body.data
const generations = async () => expectStatus(await owner.get('/api/v1/ai/generations'), 200).body.data

test('a call whose node died keeps what it may have cost', async () => {
  // In the app of the other tests the clock is months after the time of PostgreSQL, and the generation would be erased.
  const { t, admin, openai, model, close } = await generationApp()
  onTestFinished(close)
  expectStatus(await admin.put(`${models}/${model.id_secure}`, prices), 200)
  owner = await onlyOwner(t, openai)
  const id = await agentOf(t, owner, { monthly_spend_limit: 1_000_000 })
  let respond: () => void = () => undefined
  openai.holdUntil(new Promise((resolve) => (respond = resolve)))
  const preview = owner.post(`${agents}/${id}/preview`)
  await openai.called(1)
  t.advance(10 * 60_000)
  await sweepGenerations(t.deps)
  expect((await generations())[0]).toMatchObject({ error_code: 'interrupted', credits: 0, cost_usd: usd(MOST) })
  expect((await generations())[0].is_cost_estimated).toBe(true)
  expect((await read(id)).spent_usd).toBe(usd(MOST))
  respond()
  openai.holdUntil()
  expectProblem(await preview, 409, 'invalid_transition')
})

describe('prices of a model', () => {
  test('are set by instance admins, those of tokens together, and are in the audit log', async () => {
    expect(await setPrices({ input_price_usd: 0.25, output_price_usd: 2 })).toMatchObject({
      ...{ input_price_usd: 0.25, output_price_usd: 2, image_price_usd: null, video_second_price_usd: null },
    })
    const { data } = expectStatus(await admin.get('/api/v1/admin/audit-log?action=ai_model.updated'), 200).body
    expect(data[0].details).toMatchObject({ after: { input_price_usd: 0.25, output_price_usd: 2 } })
    for (const half of [{ input_price_usd: null }, { output_price_usd: null }])
      expectProblem(await admin.put(`${models}/${model.id_secure}`, half), 400, 'validation_failed')
    for (const input_price_usd of [-1, 0.0000005, 1.0000001, 1000.1, '1'])
      expectProblem(await admin.put(`${models}/${model.id_secure}`, { input_price_usd }), 400, 'validation_failed')
    expect(await setPrices({ input_price_usd: null, output_price_usd: null })).toMatchObject({ output_price_usd: null })
  })

  test('give each generation its cost from the usage that the provider reports', async () => {
    await setPrices({ input_price_usd: 3, output_price_usd: 2 })
    openai.script.usage = { input: 11, output: 4 }
    expectStatus(await owner.post('/api/v1/ai/generate/text', { prompt: 'Say hello' }), 200)
    expect((await generations())[0]).toMatchObject({ cost_usd: 0.000041, is_cost_estimated: false })
    await setPrices({ image_price_usd: 0.04 }, painter)
    expectStatus(await owner.post('/api/v1/ai/generate/image', { prompt: 'A cat', n: 2 }), 200)
    expect((await generations())[0]).toMatchObject({ kind: 'image', cost_usd: 0.08, is_cost_estimated: false })
    await setPrices({ image_price_usd: null }, painter)
  })

  test('give an estimated cost, marked so, when the provider reports no usage', async () => {
    openai.script.usage = { input: Number.NaN, output: Number.NaN }
    openai.script.reply = () => 'x'.repeat(40)
    expectStatus(await owner.post('/api/v1/ai/generate/text', { prompt: 'Say hello' }), 200)
    expect((await generations())[0]).toMatchObject({ cost_usd: 0.00001, is_cost_estimated: true })
  })

  test('are needed for a cost: without them it is null', async () => {
    await setPrices({ input_price_usd: null, output_price_usd: null })
    expectStatus(await owner.post('/api/v1/ai/generate/text', { prompt: 'Say hello' }), 200)
    expect((await generations())[0]).toMatchObject({ cost_usd: null, is_cost_estimated: false })
  })

  test('give no cost to a call that the provider refuses', async () => {
    openai.failAlways({ kind: 'status', status: 400 })
    expectProblem(await owner.post('/api/v1/ai/generate/text', { prompt: 'x' }), 400, 'ai_refused')
    expect((await generations())[0]).toMatchObject({ state: 'failed', cost_usd: 0, is_cost_estimated: false })
  })
})

describe('monthly_spend_limit', () => {
  test('is none at first, is set by editors, and is in the audit log', async () => {
    const { id, ...made } = expectStatus(await owner.post(agents, { name: 'A' }), 201).body
    expect(made).toMatchObject({ monthly_spend_limit_usd: null, spent_usd: 0 })
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const changed = expectStatus(await editor.patch(`${agents}/${id}`, { monthly_spend_limit_usd: 5.000001 }), 200).body
    expect(changed).toMatchObject({ monthly_spend_limit_usd: 5.000001, spent_usd: 0 })
    const { data } = expectStatus(await owner.get('/api/v1/workspace/audit-log?action=agent.updated'), 200).body
    expect(data[0].details).toMatchObject({ after: { monthly_spend_limit_usd: 5.000001 } })
    for (const monthly_spend_limit_usd of [0, 0.0009, 1.0000005, 1_000_000.1, '5'])
      expectProblem(await owner.patch(`${agents}/${id}`, { monthly_spend_limit_usd }), 400, 'validation_failed')
  })

  test('counts what its runs cost, and ends a run before a text that may cost more than is left', async () => {
    // Room for three texts, of which the third may cost exactly what is left.
    const id = await agentOf(t, owner, { monthly_spend_limit: 2 * SPENT + MOST, posts_per_run: 5 })
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'completed', reason: 'agent_budget', made: 3 })
    const run = await lastRun(t, id)
    const { cost_usd, is_cost_estimated } = expectStatus(await owner.get(`${agents}/${id}/runs/${run.id}`), 200).body
    expect({ cost_usd, is_cost_estimated }).toEqual({ cost_usd: usd(3 * SPENT), is_cost_estimated: false })
    expect((await read(id)).spent_usd).toBe(usd(3 * SPENT))
    expect(await eventsOf('agent.budget_reached')).toMatchObject([
      { data: { limit: 'spend', monthly_credits: null, spent_usd: usd(3 * SPENT) } },
    ])
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'skipped', reason: 'agent_budget', made: 0 })
    expect(await eventsOf('agent.budget_reached')).toHaveLength(1)
    expectStatus(await owner.patch(`${agents}/${id}`, { monthly_spend_limit_usd: 1 }), 200)
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'completed', reason: null, made: 5 })
  })

  test('notifies editors once at 80 % of it', async () => {
    openai.script.usage = { input: 1, output: MOST }
    const id = await agentOf(t, owner, { monthly_spend_limit: 5 * MOST, posts_per_run: 1 })
    for (let run = 0; run < 3; run++) await runAtNextTime(t, id)
    expect(await eventsOf('agent.budget_warning')).toEqual([])
    await runAtNextTime(t, id)
    const numbers = { limit: 'spend', monthly_spend_limit_usd: usd(5 * MOST), spent_usd: usd(4 * MOST) }
    expect(await eventsOf('agent.budget_warning')).toMatchObject([{ data: numbers }])
    await runAtNextTime(t, id)
    expect(await eventsOf('agent.budget_warning')).toHaveLength(1)
    expect(await eventsOf('agent.budget_reached')).toMatchObject([{ data: { spent_usd: usd(5 * MOST) } }])
  })

  test('leaves out an image for which too little is left, and keeps the text', async () => {
    await setPrices({ image_price_usd: 0.04 }, painter)
    openai.script.reply = () => draftText({ image_prompt: 'Bread', image_alt: 'A loaf' })
    const id = await agentOf(t, owner, { monthly_spend_limit: 40_000, posts_per_run: 1, generate_image: true })
    await runAtNextTime(t, id)
    const run = await lastRun(t, id)
    const { items, cost_usd } = expectStatus(await owner.get(`${agents}/${id}/runs/${run.id}`), 200).body
    expect(items).toMatchObject([{ picture: 'left_out', picture_reason: 'agent_budget' }])
    expect(cost_usd).toBe(usd(SPENT))
    await setPrices({ image_price_usd: null }, painter)
  })

  test('counts images with the texts', async () => {
    await setPrices({ image_price_usd: 0.04 }, painter)
    openai.script.reply = () => draftText({ image_prompt: 'Bread', image_alt: 'A loaf' })
    const id = await agentOf(t, owner, { monthly_spend_limit: 1_000_000, posts_per_run: 1, generate_image: true })
    await runAtNextTime(t, id)
    expect((await read(id)).spent_usd).toBe(usd(SPENT + 40_000))
    expect(await lastRun(t, id)).toMatchObject({ credits: 6, cost: String(SPENT + 40_000) })
    await setPrices({ image_price_usd: null }, painter)
  })

  test('does not stop models without prices', async () => {
    await setPrices({ input_price_usd: null, output_price_usd: null })
    const id = await agentOf(t, owner, { monthly_spend_limit: 1000 })
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'completed', made: 2, cost: '0' })
    expect((await read(id)).spent_usd).toBe(0)
  })

  test('notifies of what was spent, not of what a call in progress reserves', async () => {
    const id = await agentOf(t, owner, { monthly_spend_limit: 2 * MOST, posts_per_run: 1 })
    let respond: () => void = () => undefined
    openai.holdUntil(new Promise((resolve) => (respond = resolve)))
    const preview = owner.post(`${agents}/${id}/preview`)
    await openai.called(1)
    // The preview reserves half of the limit, so the run can write beside it.
    expectStatus(await owner.post(`${agents}/${id}/run`), 201)
    const running = t.runJobs()
    await openai.called(2)
    expect((await read(id)).spent_usd).toBe(0)
    respond()
    openai.holdUntil()
    await running
    expectStatus(await preview, 200)
    expect(await lastRun(t, id)).toMatchObject({ status: 'completed', made: 1 })
    expect((await read(id)).spent_usd).toBe(usd(2 * SPENT))
    for (const type of ['agent.budget_warning', 'agent.budget_reached']) expect(await eventsOf(type)).toEqual([])
  })

  test('lets a run wait while a preview reserves what is left', async () => {
    const id = await agentOf(t, owner, { monthly_spend_limit: MOST + SPENT, posts_per_run: 1 })
    let respond: () => void = () => undefined
    openai.holdUntil(new Promise((resolve) => (respond = resolve)))
    const preview = owner.post(`${agents}/${id}/preview`)
    await openai.called(1)
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'running' })
    const refused = await owner.post(`${agents}/${id}/preview`)
    expect(expectProblem(refused, 429, 'too_many_requests').detail).toContain('reserve what is left')
    respond()
    openai.holdUntil()
    expectStatus(await preview, 200)
    t.advance(10_000)
    await t.runJobs()
    expect(await lastRun(t, id)).toMatchObject({ status: 'completed', reason: null, made: 1 })
    expect(await eventsOf('agent.budget_reached')).toEqual([])
  })

  test('is not what is notified of when the credits end a run', async () => {
    const id = await agentOf(t, owner, { monthly_credits: 1, monthly_spend_limit: 1_000_000, posts_per_run: 2 })
    expect(await runAtNextTime(t, id)).toMatchObject({ reason: 'agent_budget', made: 1 })
    expect(await eventsOf('agent.budget_reached')).toMatchObject([{ data: { limit: 'credits' } }])
  })

  test('below what a text may cost stops every run, and the estimate says from where on it allows one', async () => {
    const id = await agentOf(t, owner, { monthly_spend_limit: MOST - 1, posts_per_run: 1 })
    expect((await read(id)).estimate.cost_usd.text_max).toBe(usd(MOST))
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'skipped', reason: 'agent_budget' })
    expect(await eventsOf('agent.budget_reached')).toMatchObject([{ data: { limit: 'spend', spent_usd: 0 } }])
    expectStatus(await owner.patch(`${agents}/${id}`, { monthly_spend_limit_usd: usd(MOST) }), 200)
    expect(await runAtNextTime(t, id)).toMatchObject({ made: 1 })
  })

  test('is never exceeded by runs and previews at the same time', async () => {
    openai.script.usage = { input: 1, output: MOST }
    const id = await agentOf(t, owner, { monthly_spend_limit: 4 * MOST, posts_per_run: 4 })
    expectStatus(await owner.post(`${agents}/${id}/run`), 201)
    const previews = Array.from({ length: 3 }, () => owner.post(`${agents}/${id}/preview`))
    await t.runJobs()
    const responses = await Promise.all(previews)
    for (const refused of responses.filter(({ status }) => status === 403))
      expect(expectProblem(refused, 403, 'limit_exceeded')).toMatchObject({
        meter: 'agent_spend',
        limit: usd(4 * MOST),
      })
    for (let waits = 0; waits < 6; waits++) {
      t.advance(10_000)
      await t.runJobs()
    }
    const made = responses.filter(({ status }) => status === 200).length
    expect(made + (await postsOf(t, id)).length).toBe(4)
    expect((await read(id)).spent_usd).toBe(usd(4 * MOST))
  })
})

describe('the estimate of an agent in money', () => {
  const daily = { schedule_cron: '0 9 * * *', timezone: 'Europe/Istanbul' }
  const costOf = async (planned: object) =>
    expectStatus(await owner.post(`${agents}/estimate`, planned), 200).body.cost_usd

  test('is a range from the prices of its models, and names what has none', async () => {
    const post = { low: 0.00025, high: 0.003 }
    const month = { low: usd(31 * 250), high: usd(31 * 3000) }
    expect(await costOf(daily)).toEqual({ post, month, text_max: usd(MOST), unpriced: [] })
    expect((await costOf({ ...daily, generate_image: true })).unpriced).toEqual(['image'])
    await setPrices({ image_price_usd: 0.04 }, painter)
    expect((await costOf({ ...daily, generate_image: true })).post).toEqual({ low: 0.04025, high: 0.043 })
    await setPrices({ image_price_usd: null }, painter)
    expect((await costOf({ ...daily, video: true })).unpriced).toEqual(['video'])
    await setPrices({ input_price_usd: null, output_price_usd: null })
    expect(await costOf(daily)).toMatchObject({ month: { low: 0, high: 0 }, unpriced: ['text'] })
  })

  test('is by the text model of the agent', async () => {
    const other = expectStatus(
      await admin.post(models, {
        ...{ provider: 'openai', model_key: 'gpt-5', name: 'Dear', category: 'text', api_type: 'chat' },
        ...{ input_price_usd: 0, output_price_usd: 4 },
      }),
      201,
    ).body
    const planned = { ...daily, model_id: other.id_secure }
    expect((await costOf(planned)).post).toEqual({ low: 0.001, high: 0.012 })
    const made = expectStatus(await owner.post(agents, { name: 'A', ...planned }), 201).body
    expect(made.estimate.cost_usd).toEqual(await costOf(planned))
    expectProblem(await owner.post(`${agents}/estimate`, { model_id: painter.id_secure }), 400, 'validation_failed')
    const stranger = await withWorkspace(t)
    expect(expectStatus(await stranger.post(`${agents}/estimate`, daily), 200).body.cost_usd.post.low).toBe(0.00025)
    await setPrices({ is_active: false }, other)
    expect(await costOf(planned)).toMatchObject({ post: { low: 0, high: 0 }, unpriced: ['text'] })
    expect((await read(made.id)).estimate.cost_usd).toMatchObject({ post: { low: 0, high: 0 }, unpriced: ['text'] })
    expectStatus(await admin.delete(`${models}/${other.id_secure}`), 204)
  })
})

test('a model that writes nothing of use is still paid', async () => {
  openai.script.reply = () => 'no object'
  const id = await agentOf(t, owner, { monthly_spend_limit: 1_000_000, posts_per_run: 1 })
  await runAtNextTime(t, id)
  expect((await read(id)).spent_usd).toBe(usd(3 * SPENT))
  openai.script.reply = newTopics()
})
