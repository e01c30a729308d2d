import { createHash } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../test/factories.ts'
import { generationApp, generationCalls } from '../../../test/generations.ts'
import { expectProblem } from '../../../test/problem.ts'
import { prepareGeneration } from '../ai/generate.ts'
import { sweepGenerations } from '../ai/generations.ts'
import { chargeTo } from './record/budget.ts'
import { nextTime } from './record/schedule.ts'
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
import { startDueRuns } from './runs/start-due-runs.ts'
import { beginStep } from './runs/steps/begin-step.ts'

const { t, openai, close } = await generationApp()
afterAll(close)

let owner: WorkspaceOwner
beforeEach(async () => {
  beginMonth(t)
  owner = await onlyOwner(t, openai)
  await t.deps.db
    .updateTable('workspace')
    .set({ timezone: 'Europe/Istanbul' })
    .where('id', '=', owner.workspace_id)
    .execute()
})

const { usedCredits } = generationCalls(() => ({ t, owner }))

const agents = '/api/v1/agents'
const DAY = 86_400_000
const hourly = { schedule_cron: '0 * * * *' }
const read = async (id: string) => expectStatus(await owner.get(`${agents}/${id}`), 200).body
const eventsOf = async (type: string) => expectStatus(await owner.get(`/api/v1/events?type=${type}`), 200).body.data

/** A text that resembles no other: none is written again. */
const unlikeOthers = (index: number) =>
  createHash('sha256')
    .update(String(index))
    .digest('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))

describe('the budget of an agent', () => {
  test('is none at first, is set by editors, and is in the audit log', async () => {
    const { id, monthly_credits, spent_credits } = expectStatus(await owner.post(agents, { name: 'A' }), 201).body
    expect([monthly_credits, spent_credits]).toEqual([null, 0])
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const changed = expectStatus(await editor.patch(`${agents}/${id}`, { monthly_credits: 40 }), 200).body
    expect(changed).toMatchObject({ monthly_credits: 40, spent_credits: 0 })
    const { data } = expectStatus(await owner.get('/api/v1/workspace/audit-log?action=agent.updated'), 200).body
    expect(data[0].details).toMatchObject({ before: { monthly_credits: null }, after: { monthly_credits: 40 } })
    for (const monthly_credits of [0, -1, 1.5, 1_000_001, '5'])
      expectProblem(await owner.patch(`${agents}/${id}`, { monthly_credits }), 400, 'validation_failed')
  })

  test('ends a run where it is used up, skips the next ones, and lets them go on when it is raised', async () => {
    const id = await agentOf(t, owner, { monthly_credits: 3, posts_per_run: 5 })
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'completed', reason: 'agent_budget', made: 3 })
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'skipped', reason: 'agent_budget', made: 0, credits: 0 })
    expect(await read(id)).toMatchObject({ is_active: true, disabled_reason: null, spent_credits: 3 })
    expect((await read(id)).next_run_at).not.toBeNull()
    expectStatus(await owner.patch(`${agents}/${id}`, { monthly_credits: 4 }), 200)
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'completed', reason: 'agent_budget', made: 1 })
    expect((await read(id)).spent_credits).toBe(4)
    expect(await usedCredits()).toBe(4)
  })

  test('gives back to the day what a run did not write', async () => {
    const id = await agentOf(t, owner, { monthly_credits: 1, posts_per_run: 3, daily_limit: 3 })
    await runAtNextTime(t, id)
    expectStatus(await owner.patch(`${agents}/${id}`, { monthly_credits: null }), 200)
    expectStatus(await owner.post(`${agents}/${id}/run`), 201)
    await t.runJobs()
    expect(await lastRun(t, id)).toMatchObject({ status: 'completed', made: 2 })
  })

  test('begins anew with the month of the workspace, not with that of UTC', async () => {
    // Midnight in Istanbul is 21:00 in UTC.
    const id = await agentOf(t, owner, { monthly_credits: 1, posts_per_run: 1 })
    expectStatus(await owner.post(`${agents}/${id}/run`), 201)
    await t.runJobs()
    const now = t.clock.now()
    const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0, 21)
    t.advance(midnight - 1 - now.getTime())
    // The session of the owner has ended.
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const spent = async () => expectStatus(await editor.get(`${agents}/${id}`), 200).body.spent_credits
    expect(await spent()).toBe(1)
    t.advance(1)
    expect(t.clock.now().getUTCMonth()).toBe(now.getUTCMonth())
    expect(await spent()).toBe(0)
    expectStatus(await editor.post(`${agents}/${id}/run`), 201)
    await t.runJobs()
    expect(await lastRun(t, id)).toMatchObject({ status: 'completed', made: 1 })
  })

  test('leaves out an image for which too little is left, and keeps the text', async () => {
    openai.script.reply = () => draftText({ image_prompt: 'Bread', image_alt: 'A loaf' })
    const id = await agentOf(t, owner, { monthly_credits: 5, posts_per_run: 1, generate_image: true })
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'completed', made: 1, credits: 1 })
    const { items } = expectStatus(await owner.get(`${agents}/${id}/runs/${(await lastRun(t, id)).id}`), 200).body
    expect(items).toMatchObject([{ picture: 'left_out', picture_reason: 'agent_budget' }])
    expect((await read(id)).spent_credits).toBe(1)
  })

  test('counts previews, which are refused when nothing is left', async () => {
    const id = await agentOf(t, owner, { monthly_credits: 1 })
    expectStatus(await owner.post(`${agents}/${id}/preview`), 200)
    const refused = expectProblem(await owner.post(`${agents}/${id}/preview`), 403, 'limit_exceeded')
    expect(refused).toMatchObject({ meter: 'agent_credits', limit: 1, used: 1 })
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'skipped', reason: 'agent_budget' })
    expect(await eventsOf('agent.budget_reached')).toHaveLength(1)
  })

  test('gets back what a failed call had reserved', async () => {
    const id = await agentOf(t, owner, { monthly_credits: 1, posts_per_run: 1 })
    openai.failAlways({ kind: 'status', status: 400 })
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'failed', reason: 'ai_refused' })
    expect((await read(id)).spent_credits).toBe(0)
    openai.reset()
    openai.script.reply = newTopics()
    expect(await runAtNextTime(t, id)).toMatchObject({ status: 'completed', made: 1 })
  })

  test('is of one agent: others of the workspace go on', async () => {
    const [poor, other] = [await agentOf(t, owner, { monthly_credits: 1 }), await agentOf(t, owner)]
    await runAtNextTime(t, poor)
    expect(await lastRun(t, other)).toMatchObject({ status: 'completed', reason: null, made: 2 })
  })
})

describe('concurrent calls', () => {
  const spec = { kind: 'text' as const, prompt: 'x', credits: 1, ms: 1000 }

  async function memberFor(id: string) {
    expectStatus(await owner.post(`${agents}/${id}/run`), 201)
    const step = await beginStep(t.deps, (await lastRun(t, id)).id)
    if (!step) throw new Error('The run has ended')
    return step.member
  }

  test('never reserve more than the budget', async () => {
    const id = await agentOf(t, owner, { monthly_credits: 3 })
    const member = await memberFor(id)
    const charge = chargeTo(id, t.clock.now())
    const calls = await Promise.allSettled(
      Array.from({ length: 12 }, () => prepareGeneration(t.deps, member, undefined, { ...spec, charge })),
    )
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason] : []))
    expect(refused).toHaveLength(9)
    for (const problem of refused) expect(problem).toMatchObject({ code: 'limit_exceeded' })
    expect((await read(id)).spent_credits).toBe(3)
  })

  test('of a node that died hold their credits until they are ended, and no longer', async () => {
    const id = await agentOf(t, owner, { monthly_credits: 2 })
    const member = await memberFor(id)
    const charge = chargeTo(id, t.clock.now())
    await prepareGeneration(t.deps, member, undefined, { ...spec, credits: 2, charge })
    await expect(prepareGeneration(t.deps, member, undefined, { ...spec, charge })).rejects.toMatchObject({
      code: 'limit_exceeded',
    })
    t.advance(90_000)
    await sweepGenerations(t.deps)
    expect((await read(id)).spent_credits).toBe(0)
    await prepareGeneration(t.deps, member, undefined, { ...spec, charge })
    expect((await read(id)).spent_credits).toBe(1)
  })

  test('of runs and previews at the same time write no more posts and previews than there are credits', async () => {
    const id = await agentOf(t, owner, { monthly_credits: 4, posts_per_run: 4 })
    expectStatus(await owner.post(`${agents}/${id}/run`), 201)
    const previews = Array.from({ length: 3 }, () => owner.post(`${agents}/${id}/preview`))
    await t.runJobs()
    const made = (await Promise.all(previews)).filter(({ status }) => status === 200).length
    await t.runJobs()
    expect(made + (await postsOf(t, id)).length).toBe(4)
    expect((await read(id)).spent_credits).toBe(4)
  })
})

describe('editors are notified', () => {
  const notifiedOf = async (who: Pick<WorkspaceOwner, 'get'>) => {
    const { data } = expectStatus(await who.get('/api/v1/me/notifications?limit=100'), 200).body
    return data
      .map(({ kind }: { kind: string }) => kind)
      .filter((kind: string) => kind.startsWith('agent.budget'))
      .toReversed()
  }

  test('once a month at 80 %, and when the budget is used up', async () => {
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    let texts = 0
    openai.script.reply = () => draftText({ topic: `Topic ${++texts}`, content: unlikeOthers(texts) })
    const id = await agentOf(t, owner, { ...hourly, monthly_credits: 10, posts_per_run: 1 })
    for (let run = 0; run < 7; run++) await runAtNextTime(t, id)
    expect(await notifiedOf(editor)).toEqual([])
    for (let run = 0; run < 2; run++) await runAtNextTime(t, id)
    expect(await notifiedOf(editor)).toEqual(['agent.budget_warning'])
    for (let run = 0; run < 3; run++) await runAtNextTime(t, id)
    expect(await notifiedOf(editor)).toEqual(['agent.budget_warning', 'agent.budget_reached'])
    expect(await notifiedOf(viewer)).toEqual([])
    const [warning] = await eventsOf('agent.budget_warning')
    expect(warning.data).toMatchObject({ agent: { id }, monthly_credits: 10, spent_credits: 8 })
    expect(await eventsOf('agent.budget_reached')).toMatchObject([{ data: { spent_credits: 10 } }])
    const month = new Date(t.clock.now().getTime() + 3 * 3_600_000).toISOString().slice(0, 7)
    expect(warning.data.month).toBe(month)
    t.advance(32 * DAY)
    await startDueRuns(t.deps)
    const later = await memberOf(t, owner.workspace_id, 'editor')
    for (let run = 0; run < 8; run++) await runAtNextTime(t, id)
    expect(await notifiedOf(later)).toEqual(['agent.budget_warning'])
  })

  test('again when a raised budget is used up in the same month', async () => {
    const id = await agentOf(t, owner, { monthly_credits: 1, posts_per_run: 1 })
    await runAtNextTime(t, id)
    expectStatus(await owner.patch(`${agents}/${id}`, { monthly_credits: 2 }), 200)
    await runAtNextTime(t, id)
    const reached = await eventsOf('agent.budget_reached')
    expect(reached.map(({ data }: { data: { spent_credits: number } }) => data.spent_credits).toSorted()).toEqual([
      1, 2,
    ])
    expect(await eventsOf('agent.budget_warning')).toEqual([])
  })
})

describe('POST /agents/estimate', () => {
  const estimate = async (planned: object) => expectStatus(await owner.post(`${agents}/estimate`, planned), 200).body
  const daily = { schedule_cron: '0 9 * * *', timezone: 'Europe/Istanbul' }

  test('200 returns a range from the schedule, the posts of a run and the image', async () => {
    expect(await estimate(daily)).toMatchObject({
      ...{ low: 31, high: 93, days: 31, runs: 31, posts: 31 },
      post: { low: 1, high: 3 },
    })
    expect(await estimate({ ...daily, posts_per_run: 2, generate_image: true })).toMatchObject({
      ...{ low: 372, high: 496, posts: 62 },
      post: { low: 6, high: 8 },
    })
  })

  test('200 counts no more posts than the daily limit, whatever the schedule', async () => {
    const busy = { schedule_cron: '*/15 * * * *', timezone: 'UTC', posts_per_run: 10, daily_limit: 50 }
    expect(await estimate(busy)).toMatchObject({ runs: 96 * 31, posts: 50 * 31, low: 50 * 31, high: 50 * 31 * 3 })
  })

  test('200 with nothing for an agent that runs by hand, and the costs of a post', async () => {
    expect(await estimate({ generate_image: true })).toMatchObject({
      low: 0,
      high: 0,
      runs: 0,
      post: { low: 6, high: 8 },
    })
  })

  test('an agent has the same estimate, and costs within it what its runs cost', async () => {
    const made = expectStatus(await owner.post(agents, { name: 'A', ...daily, posts_per_run: 2 }), 201).body
    expect(made.estimate).toEqual(await estimate({ ...daily, posts_per_run: 2 }))
    const mondays = { schedule_cron: '0 9 * * 1', timezone: 'Europe/Istanbul' }
    const next_run_at = nextTime(mondays, t.clock.now())
    const id = await agentOf(t, owner, { ...mondays, next_run_at, posts_per_run: 2 })
    const { estimate: expected } = await read(id)
    let credits = 0
    for (let run = 0; run < expected.runs; run++) credits += (await runAtNextTime(t, id)).credits
    expect(credits).toBeGreaterThanOrEqual(expected.low)
    expect(credits).toBeLessThanOrEqual(expected.high)
  })

  test('400 for a schedule or zone that does not exist', async () => {
    expectProblem(await owner.post(`${agents}/estimate`, { schedule_cron: '* * * * *' }), 400, 'validation_failed')
    expectProblem(await owner.post(`${agents}/estimate`, { ...daily, timezone: 'Mars/Base' }), 400, 'validation_failed')
  })

  test('readers of agents may ask', async () => {
    const token = await withToken(t, owner, ['agents:read'])
    expectStatus(await token.post('/api/v1/public/agents/estimate', daily), 200)
    const other = await withToken(t, await withWorkspace(t), ['posts:read'])
    expectProblem(await other.post('/api/v1/public/agents/estimate', daily), 403, 'insufficient_scope')
  })
})
