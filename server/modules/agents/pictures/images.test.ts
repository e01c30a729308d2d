import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  type Person,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../test/factories.ts'
import { modelAt } from '../../../../test/stand-ins/ai.ts'
import type { AiServer } from '../../../../test/stand-ins/ai-server.ts'
import { prepareGeneration } from '../../ai/generate.ts'
import { sweepGenerations } from '../../ai/generations.ts'
import { agentOf, draftText } from '../runs/runs.fixture.ts'
import { startDueRuns } from '../runs/start-due-runs.ts'
import { beginStep } from '../runs/steps/begin-step.ts'
import { takeStep } from '../runs/steps/take-step.ts'
import { isForImage, pictureTests } from './pictures.fixture.ts'

const { now, agentWith, start, runOnce, readRun, readPost, pictureOf, files, imageCalls, list, usedCredits } =
  pictureTests()

let t: TestApp
let owner: WorkspaceOwner
let openai: AiServer
let admin: Person
let painter: { id_secure: string }
beforeEach(() => {
  ;({ t, owner, openai, admin, painter } = now())
})

async function accountWith(limits: object) {
  const id = await playgroundAccount(owner)
  await t.deps.db
    .updateTable('account')
    .set({ limits: JSON.stringify(limits) })
    .where('id', '=', id)
    .execute()
  return id
}

describe('an image', () => {
  test('is made by the image model for 5 credits, in the style of the agent, and kept with its alternative text', async () => {
    const agent = await agentWith({ generate_image: true, image_style: 'Photograph in daylight.' })
    const run = await runOnce(agent)
    expect(run).toMatchObject({ status: 'completed', made: 1, credits: 6 })
    expect(run.items).toMatchObject([{ status: 'created', picture: 'added', picture_reason: null, attempts: 1 }])
    expect(imageCalls()).toMatchObject([{ body: { prompt: 'A simit\nPhotograph in daylight.', n: 1 } }])
    const post = await readPost(run.post_ids[0])
    expect(post).toMatchObject({ content: 'Fresh bread every morning.', warnings: [] })
    expect(await pictureOf(run)).toMatchObject({ alt: 'Susamlı simit', name: 'Günün simidi', width: 64, height: 80 })
    expect(await files()).toHaveLength(1)
    expect(await usedCredits()).toBe(6)
    expect(JSON.stringify(openai.calls[0]?.body)).toContain('always give image_prompt and image_alt')
  })

  test('goes to the accounts that accept pictures, and is not made when none does', async () => {
    const [withPictures, without] = [await playgroundAccount(owner), await accountWith({ media: null })]
    const mixed = await runOnce(await agentWith({ generate_image: true }, [withPictures, without]))
    const { targets, media_ids, warnings } = await readPost(mixed.post_ids[0])
    expect(warnings).toEqual([])
    expect(media_ids).toHaveLength(1)
    const shown = targets.map((each: { account_id: string; media_ids: string[] | null }) => [
      each.account_id,
      each.media_ids,
    ])
    expect(shown).toEqual(
      expect.arrayContaining([
        [withPictures, null],
        [without, []],
      ]),
    )
    openai.calls.length = 0
    openai.script.reply = () => draftText({ topic: 'Tea', content: 'A glass of tea.' })
    const textOnly = await runOnce(await agentWith({ generate_image: true }, [without]))
    expect(textOnly).toMatchObject({ made: 1, credits: 1 })
    expect(textOnly.items).toMatchObject([{ picture: 'left_out', picture_reason: 'not_accepted' }])
    expect(imageCalls()).toEqual([])
  })

  test('is not added where the text does not fit beside it', async () => {
    const [roomy, tight] = [await playgroundAccount(owner), await accountWith({ max_length_with_media: 20 })]
    const run = await runOnce(await agentWith({ generate_image: true }, [roomy, tight]))
    expect(openai.calls[0]?.body.messages[1].content).toContain('"max_length":20')
    const { targets, warnings } = await readPost(run.post_ids[0])
    expect(warnings).toEqual([])
    expect(targets).toEqual(expect.arrayContaining([expect.objectContaining({ account_id: tight, media_ids: [] })]))
  })

  test('that the provider refuses leaves a post without it, which costs nothing, and the run says so', async () => {
    const agent = await agentWith({ generate_image: true, autonomy_level: 'approve' })
    openai.script.reply = () => {
      openai.failNext({ kind: 'status', status: 400 })
      return draftText()
    }
    const run = await runOnce(agent)
    expect(run).toMatchObject({ status: 'awaiting_review', reason: null, made: 1, credits: 1 })
    expect(run.items).toMatchObject([{ status: 'pending', picture: 'left_out', picture_reason: 'ai_refused' }])
    expect((await readPost(run.post_ids[0])).media_ids).toEqual([])
    expect([await usedCredits(), await list('?state=failed')]).toMatchObject([1, [{ kind: 'image', credits: 0 }]])
  })

  test('of a provider that cannot respond is waited for, and its text is not written again', async () => {
    const agent = await agentWith({ generate_image: true })
    openai.script.reply = () => {
      openai.failNext({ kind: 'status', status: 503 })
      return draftText()
    }
    const id = await start(agent)
    await t.runJobs()
    const waiting = await readRun(agent, id)
    expect(waiting).toMatchObject({
      status: 'running',
      items: [{ status: 'writing', picture: 'image', post_id: null }],
    })
    t.advance(61_000)
    await t.runJobs()
    expect(await readRun(agent, id)).toMatchObject({ status: 'completed', credits: 6, items: [{ picture: 'added' }] })
    expect(openai.calls.filter((call) => !isForImage(call))).toHaveLength(1)
    expect(await usedCredits()).toBe(6)
  })

  test.each([
    ['credits', { ai_credits: 5 }, 'budget'],
    ['storage', { storage_mb: 0 }, 'storage_full'],
  ])('for which the plan has no %s left is left out', async (_, limits, picture_reason) => {
    const own = await testApp({}, { plan: ['ai.agents'] })
    try {
      const boss = await signedIn(own, { instanceAdmin: true })
      for (const kind of ['chat', 'image'] as const) await modelAt(boss, 'openai', kind, openai)
      const person = await withWorkspace(own)
      expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
      await sql`update plan set limits = limits || ${JSON.stringify(limits)}::jsonb, entitlements = '{ai.agents}'`.execute(
        own.deps.db,
      )
      const agent = await agentOf(own, person, { posts_per_run: 1, generate_image: true })
      const { id } = expectStatus(await person.post(`/api/v1/agents/${agent}/run`), 201).body
      await own.runJobs()
      const { body } = expectStatus(await person.get(`/api/v1/agents/${agent}/runs/${id}`), 200)
      expect(body).toMatchObject({ status: 'completed', made: 1, credits: 1 })
      expect(body.items).toMatchObject([{ status: 'created', picture: 'left_out', picture_reason }])
      expect(imageCalls()).toEqual([])
    } finally {
      await own.close()
    }
  })

  test('for which no model is left is left out, and enabling its agent is refused', async () => {
    const agent = await agentWith({ generate_image: true })
    expectStatus(await admin.put(`/api/v1/ai-models/${painter.id_secure}`, { is_active: false }), 200)
    try {
      const run = await runOnce(agent)
      expect(run).toMatchObject({
        made: 1,
        credits: 1,
        items: [{ picture: 'left_out', picture_reason: 'no_image_model' }],
      })
      const enabling = await owner.post(`/api/v1/agents/${agent}/enable`)
      expect(expectStatus(enabling, 409).body).toMatchObject({ code: 'agent_not_ready', missing: ['image_model'] })
    } finally {
      expectStatus(await admin.put(`/api/v1/ai-models/${painter.id_secure}`, { is_active: true }), 200)
    }
    expectStatus(await owner.post(`/api/v1/agents/${agent}/enable`), 200)
  })

  test('that is no image is not kept, and its credits are returned', async () => {
    openai.script.image = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    const agent = await agentWith({ generate_image: true })
    const id = await start(agent)
    await t.runJobs()
    for (const _ of [1, 2, 3]) {
      t.advance(61_000)
      await t.runJobs()
    }
    const run = await readRun(agent, id)
    expect(run).toMatchObject({
      status: 'completed',
      items: [{ picture: 'left_out', picture_reason: 'ai_unavailable' }],
    })
    expect([await usedCredits(), await files()]).toEqual([1, []])
  })

  test('of a worker that was overtaken is not kept, and one post has one picture for 5 credits', async () => {
    const agent = await agentWith({ generate_image: true })
    const id = await start(agent)
    await takeStep(t.deps, { run_id: id })
    const held = Promise.withResolvers<void>()
    openai.holdUntil(held.promise)
    const steps = [takeStep(t.deps, { run_id: id })]
    await openai.called(2)
    steps.push(takeStep(t.deps, { run_id: id }))
    await openai.called(3)
    held.resolve()
    await Promise.all(steps)
    await t.runJobs()
    expect(await readRun(agent, id)).toMatchObject({ status: 'completed', made: 1, credits: 6 })
    expect([await usedCredits(), await files()]).toMatchObject([6, [{ kind: 'image' }]])
  })

  test('whose worker died is made by another, and what the dead one reserved is returned', async () => {
    const agent = await agentWith({ generate_image: true })
    const id = await start(agent)
    await takeStep(t.deps, { run_id: id })
    const step = await beginStep(t.deps, id)
    if (!step) throw new Error('The run has ended')
    await prepareGeneration(t.deps, step.member, undefined, { kind: 'image', prompt: 'x', credits: 5, ms: 1000 })
    t.advance(t.deps.timings.runLease + 1000)
    await startDueRuns(t.deps)
    await t.runJobs()
    expect(await readRun(agent, id)).toMatchObject({ status: 'completed', credits: 6, items: [{ picture: 'added' }] })
    expect(await usedCredits()).toBe(11)
    t.advance(90_000)
    await sweepGenerations(t.deps)
    expect([await usedCredits(), await files()]).toMatchObject([6, [{ kind: 'image' }]])
  })

  test('is not made for a run that is canceled meanwhile', async () => {
    const agent = await agentWith({ generate_image: true })
    const id = await start(agent)
    await takeStep(t.deps, { run_id: id })
    const held = Promise.withResolvers<void>()
    openai.holdUntil(held.promise)
    const step = takeStep(t.deps, { run_id: id })
    await openai.called(2)
    expectStatus(await owner.post(`/api/v1/agents/${agent}/disable`), 200)
    held.resolve()
    await step
    await t.runJobs()
    const run = await readRun(agent, id)
    expect(run).toMatchObject({ status: 'canceled', made: 0, items: [{ status: 'blocked', picture: null }] })
    expect([await usedCredits(), await files()]).toEqual([1, []])
  })

  test('with auto is scheduled with its post', async () => {
    const run = await runOnce(await agentWith({ generate_image: true, autonomy_level: 'auto' }))
    expect(await readPost(run.post_ids[0])).toMatchObject({ status: 'scheduled', media: [{ width: 64 }] })
  })

  test('of a doubtful text waits for a person with it', async () => {
    openai.script.reply = () => draftText({ claims: ['Oldest bakery'] })
    const run = await runOnce(await agentWith({ generate_image: true, autonomy_level: 'auto' }))
    expect(run).toMatchObject({ status: 'awaiting_review', items: [{ status: 'pending', picture: 'added' }] })
    expect(await readPost(run.post_ids[0])).toMatchObject({ status: 'draft', review: 'pending' })
  })
})
