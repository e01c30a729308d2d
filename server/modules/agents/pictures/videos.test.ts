import { beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from '../../../../test/factories.ts'
import { videoFile } from '../../../../test/media.ts'
import { modelAt, providerServer } from '../../../../test/stand-ins/ai.ts'
import type { AiServer } from '../../../../test/stand-ins/ai-server.ts'
import { capabilitiesOf } from '../../networks/registry.ts'
import { draftText } from '../runs/runs.fixture.ts'
import { takeStep } from '../runs/steps/take-step.ts'
import { pictureTests } from './pictures.fixture.ts'

const { now, agentWith, start, readRun, readPost, pictureOf, files, imageCalls, list, usedCredits } = pictureTests()

let t: TestApp
let owner: WorkspaceOwner
let xai: AiServer
let videoModel: { id_secure: string } | undefined
beforeEach(async () => {
  ;({ t, owner } = now())
  xai ??= await providerServer('xai')
  videoModel ??= await modelAt(now().admin, 'xai', 'video', xai)
  xai.reset()
  xai.script.video = await videoFile()
})

const starts = () => xai.calls.filter(({ method }) => method === 'POST')

/** Runs the jobs that are due for as long as a run goes on, ten seconds apart. */
async function finish(agent: string, id: string) {
  for (let looks = 0; looks < 40; looks++) {
    await t.runJobs()
    const run = await readRun(agent, id)
    if (run.status !== 'running' && run.status !== 'queued') return run
    t.advance(10_000)
  }
  throw new Error('The run does not end')
}
const runOnce = async (agent: string) => finish(agent, await start(agent))

test('a post is created with its video, which costs 20 credits, and not before it is there', async () => {
  xai.script.videoPolls = 3
  const agent = await agentWith({ video: true, image_style: 'Daylight.', autonomy_level: 'auto' })
  const id = await start(agent)
  await t.runJobs()
  expect(await readRun(agent, id)).toMatchObject({
    status: 'running',
    made: 0,
    items: [{ status: 'writing', picture: 'video', post_id: null }],
  })
  const run = await finish(agent, id)
  expect(run).toMatchObject({ status: 'completed', made: 1, credits: 21 })
  expect(run.items).toMatchObject([{ status: 'created', picture: 'added', picture_reason: null }])
  expect(starts()).toMatchObject([{ body: { prompt: 'A simit\nDaylight.' } }])
  expect(await readPost(run.post_ids[0])).toMatchObject({ status: 'scheduled', warnings: [] })
  expect(await pictureOf(run)).toMatchObject({ kind: 'video', alt: 'Susamlı simit', name: 'Günün simidi' })
  expect(await usedCredits()).toBe(21)
  expect(JSON.stringify(now().openai.calls[0]?.body)).toContain('A short video is made for the post')
})

test('a video that fails is paid back, and the text waits for a person, also with auto', async () => {
  xai.script.videoFails = 'Not this.'
  const run = await runOnce(await agentWith({ video: true, autonomy_level: 'auto' }))
  expect(run).toMatchObject({ status: 'awaiting_review', credits: 1 })
  expect(run.items).toMatchObject([{ status: 'pending', picture: 'left_out', picture_reason: 'ai_refused' }])
  expect(await readPost(run.post_ids[0])).toMatchObject({ status: 'draft', review: 'pending', media_ids: [] })
  expect([await usedCredits(), starts().length]).toEqual([1, 1])
})

test('a video that no account takes leaves a text that waits for a person, also with auto', async () => {
  const account = await playgroundAccount(owner)
  const { media } = capabilitiesOf({ network: 'playground', limits: {} })
  if (!media?.kinds.video) throw new Error('The Playground takes videos')
  const kinds = { ...media.kinds, video: { ...media.kinds.video, max_bytes: 10 } }
  await t.deps.db
    .updateTable('account')
    .set({ limits: JSON.stringify({ media: { ...media, kinds } }) })
    .where('id', '=', account)
    .execute()
  const run = await runOnce(await agentWith({ video: true, autonomy_level: 'auto' }, [account]))
  expect(run).toMatchObject({ status: 'awaiting_review', credits: 21 })
  expect(run.items).toMatchObject([{ status: 'pending', picture: 'left_out', picture_reason: 'not_accepted' }])
  expect(await readPost(run.post_ids[0])).toMatchObject({ status: 'draft', review: 'pending' })
})

test('an image takes the place of a video that fails, and a card that of the image', async () => {
  xai.script.videoFails = 'Not this.'
  const image = await runOnce(await agentWith({ video: true, generate_image: true }))
  expect(image).toMatchObject({ credits: 6, items: [{ picture: 'added', picture_reason: 'ai_refused' }] })
  expect(await pictureOf(image)).toMatchObject({ kind: 'image' })
  now().openai.script.reply = () => {
    now().openai.failNext({ kind: 'status', status: 400 })
    return draftText({ topic: 'Tea', content: 'A glass of tea.' })
  }
  const card = await runOnce(await agentWith({ video: true, generate_image: true, design: true }))
  expect(card).toMatchObject({ credits: 1, items: [{ picture: 'added', picture_reason: 'ai_refused' }] })
  expect(await pictureOf(card)).toMatchObject({ kind: 'image', width: 1080 })
})

test('an image is made at once where no account takes videos', async () => {
  const account = await playgroundAccount(owner)
  const { media } = capabilitiesOf({ network: 'playground', limits: {} })
  if (!media) throw new Error('The Playground takes files')
  const { video: _, ...kinds } = media.kinds
  await t.deps.db
    .updateTable('account')
    .set({ limits: JSON.stringify({ media: { ...media, kinds } }) })
    .where('id', '=', account)
    .execute()
  const run = await runOnce(await agentWith({ video: true, generate_image: true }, [account]))
  expect(run).toMatchObject({ credits: 6, items: [{ picture: 'added', picture_reason: null }] })
  expect(starts()).toEqual([])
})

test('a video that the budget of the agent does not allow is not started', async () => {
  const run = await runOnce(await agentWith({ video: true, monthly_credits: 20 }))
  expect(run.items).toMatchObject([{ status: 'created', picture: 'left_out', picture_reason: 'agent_budget' }])
  expect([starts(), await usedCredits()]).toEqual([[], 1])
})

test('workers that overtake each other start one video', async () => {
  const agent = await agentWith({ video: true })
  const id = await start(agent)
  await takeStep(t.deps, { run_id: id })
  await Promise.all([1, 2, 3].map(() => takeStep(t.deps, { run_id: id })))
  const run = await finish(agent, id)
  expect(run).toMatchObject({ status: 'completed', credits: 21 })
  expect([starts().length, await usedCredits(), (await files()).length]).toEqual([1, 21, 1])
})

test('the video of a run that is canceled is canceled too', async () => {
  xai.script.videoPolls = 30
  const agent = await agentWith({ video: true })
  const id = await start(agent)
  await t.runJobs()
  await takeStep(t.deps, { run_id: id })
  expectStatus(await owner.post(`/api/v1/agents/${agent}/disable`), 200)
  expect(await list('?kind=video')).toMatchObject([{ state: 'canceled' }])
  for (let looks = 0; looks < 3; looks++) {
    t.advance(10_000)
    await t.runJobs()
  }
  expect(await readRun(agent, id)).toMatchObject({ status: 'canceled', made: 0, items: [{ picture: null }] })
  expect(await files()).toEqual([])
})

test('a member who cancels the video gets the text for review', async () => {
  xai.script.videoPolls = 30
  const agent = await agentWith({ video: true })
  const id = await start(agent)
  await t.runJobs()
  t.advance(10_000)
  await t.runJobs()
  const [video] = await list('?kind=video')
  expectStatus(await owner.post(`/api/v1/ai/generations/${video.id}/cancel`), 200)
  expect(await finish(agent, id)).toMatchObject({ items: [{ picture: 'left_out', picture_reason: 'canceled' }] })
  expect(imageCalls()).toEqual([])
})

test('without a video model its agent is not enabled, and a run leaves the video out', async () => {
  const agent = await agentWith({ video: true })
  const path = `/api/v1/ai-models/${videoModel?.id_secure}`
  expectStatus(await now().admin.put(path, { is_active: false }), 200)
  try {
    const enabling = await owner.post(`/api/v1/agents/${agent}/enable`)
    expect(expectStatus(enabling, 409).body).toMatchObject({ code: 'agent_not_ready', missing: ['video_model'] })
    expect(await runOnce(agent)).toMatchObject({ items: [{ picture_reason: 'no_video_model' }] })
  } finally {
    expectStatus(await now().admin.put(path, { is_active: true }), 200)
  }
  expect(expectStatus(await owner.post(`/api/v1/agents/${agent}/enable`), 200).body.estimate.post).toEqual({
    low: 21,
    high: 23,
  })
})
