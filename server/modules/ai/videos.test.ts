import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { modelAt, providerServer } from '../../../test/stand-ins/ai.ts'
import type { AiServer } from '../../../test/stand-ins/ai-server.ts'
import { sweepGenerations } from './generations.ts'
import { takeVideoStep } from './video-steps.ts'

let owner: WorkspaceOwner

// PostgreSQL dates generations by its own clock. Each test begins at its time.
const t = await testApp({}, { origin: new Date() })
const admin = await signedIn(t, { instanceAdmin: true })
const xai = await providerServer('xai')
const google = await providerServer('google')
const models = {
  xai: await modelAt(admin, 'xai', 'video', xai),
  google: await modelAt(admin, 'google', 'video', google),
}
beforeEach(async () => {
  xai.reset()
  google.reset()
  t.advance(Date.now() - t.clock.now().getTime())
  await t.deps.pool.query('delete from graphile_worker._private_jobs')
  owner = await withWorkspace(t)
})
afterAll(() => xai.close())
afterAll(() => google.close())

const startVideo = async (more: object = {}) =>
  expectStatus(await owner.post('/api/v1/ai/generate/video', { prompt: 'A cat that dances', ...more }), 202).body
const read = async (id: string) => expectStatus(await owner.get(`/api/v1/ai/generations/${id}`), 200).body
async function usedCredits() {
  const row = await t.deps.db
    .selectFrom('usage')
    .select('used')
    .where('workspace_id', '=', owner.workspace_id)
    .where('meter', '=', 'ai_credits')
    .executeTakeFirst()
  return row?.used ?? 0
}
const runStep = async (wait = 5000) => {
  t.advance(wait)
  await t.runJobs()
}
const startedVideos = (server: AiServer) => server.calls.filter(({ method }) => method === 'POST').length

describe('POST /ai/generate/video', () => {
  test('202 returns at once, and a job polls the provider until the file is ready', async () => {
    xai.script.videoPolls = 4
    const begun = await startVideo({ aspect_ratio: '16:9', duration_s: 5 })
    expect(begun).toMatchObject({
      kind: 'video',
      state: 'running',
      progress: 0,
      credits: 20,
      files: [],
      ended_at: null,
    })
    expect(xai.calls).toEqual([])
    await t.runJobs()
    expect(xai.calls[0]?.body).toMatchObject({ prompt: 'A cat that dances', aspect_ratio: '16:9', duration: 5 })
    const seen: number[] = []
    for (let looks = 0; looks < 8 && (await read(begun.id)).state === 'running'; looks++) {
      await runStep()
      seen.push((await read(begun.id)).progress)
    }
    expect(seen).toEqual([0, 0.25, 0.5, 0.75, 1])
    const done = await read(begun.id)
    expect(done).toMatchObject({ state: 'succeeded', credits: 20, files: [{ mime: 'video/mp4' }] })
    const response = await owner.open('GET', done.files[0].url)
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await response.arrayBuffer()).equals(xai.script.video)).toBe(true)
    expect([startedVideos(xai), await usedCredits()]).toEqual([1, 20])
  })

  test('a video of Google is downloaded with the key of the model', async () => {
    const { id } = await startVideo({ model: models.google.id_secure })
    await t.runJobs()
    for (let looks = 0; looks < 5; looks++) await runStep()
    expect(await read(id)).toMatchObject({ state: 'succeeded', files: [{ mime: 'video/mp4' }] })
  })

  test('400 for each field out of bounds, with its pointer', async () => {
    const ask = (more: object) => owner.post('/api/v1/ai/generate/video', { prompt: 'x', ...more })
    for (const [more, pointer] of [
      [{ prompt: '' }, '/prompt'],
      [{ aspect_ratio: 'wide' }, '/aspect_ratio'],
      [{ duration_s: 0 }, '/duration_s'],
      [{ duration_s: 61 }, '/duration_s'],
      [{ model: 99_999 }, '/model'],
    ] as const)
      expectProblem(await ask(more), 400, 'validation_failed', pointer)
    expect(await usedCredits()).toBe(0)
  })

  test('a call repeated with its Idempotency-Key starts no second video', async () => {
    const call = () =>
      owner.post('/api/v1/ai/generate/video', { prompt: 'x' }, { 'idempotency-key': `v-${owner.workspace_id}` })
    const [first, second] = [expectStatus(await call(), 202), expectStatus(await call(), 202)]
    expect(second.body).toEqual(first.body)
    expect(await usedCredits()).toBe(20)
    await t.runJobs()
    expect(startedVideos(xai)).toBe(1)
  })

  test('429 for a fifth concurrent video of a workspace', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => owner.post('/api/v1/ai/generate/video', { prompt: 'x' })),
    )
    expect(responses.filter(({ status }) => status === 202).length).toBe(4)
    for (const response of responses.filter(({ status }) => status !== 202))
      expectProblem(response, 429, 'too_many_requests')
    expect(await usedCredits()).toBe(80)
  })
})

describe('a worker that dies', () => {
  test('another worker continues a running video and starts no second one', async () => {
    xai.script.videoPolls = 2
    const { id } = await startVideo()
    await t.runJobs()
    // The dead worker's job is lost. Another has only the state stored with the generation.
    await t.deps.pool.query(`delete from graphile_worker._private_jobs where key = 'video:${id}'`)
    for (let looks = 0; looks < 3; looks++) await takeVideoStep(t.deps, { generation_id: id })
    expect(await read(id)).toMatchObject({ state: 'succeeded', files: [{ mime: 'video/mp4' }] })
    expect(startedVideos(xai)).toBe(1)
  })

  test('a video fails with a refund when its worker died while starting it, because it may exist at the provider', async () => {
    const { id } = await startVideo()
    const operation = JSON.stringify({ step: 'starting' })
    await t.deps.db.updateTable('ai_generation').set({ operation }).where('id', '=', id).execute()
    await t.runJobs()
    expect(await read(id)).toMatchObject({ state: 'failed', error_code: 'interrupted', credits: 0 })
    expect([xai.calls.length, await usedCredits()]).toEqual([0, 0])
  })

  test('the sweep fails abandoned videos and refunds their credits', async () => {
    const { id } = await startVideo()
    await t.deps.pool.query(`delete from graphile_worker._private_jobs where key = 'video:${id}'`)
    await sweepGenerations(t.deps)
    expect((await read(id)).state).toBe('running')
    t.advance(26 * 60_000)
    await sweepGenerations(t.deps)
    expect(await read(id)).toMatchObject({ state: 'failed', error_code: 'interrupted', credits: 0 })
    expect(await usedCredits()).toBe(0)
  })

  test('two concurrent steps store one file', async () => {
    xai.script.videoPolls = 0
    const { id } = await startVideo()
    await t.runJobs()
    await Promise.all([takeVideoStep(t.deps, { generation_id: id }), takeVideoStep(t.deps, { generation_id: id })])
    expect(await read(id)).toMatchObject({ state: 'succeeded', credits: 20 })
    expect((await read(id)).files.length).toBe(1)
    expect(await usedCredits()).toBe(20)
  })
})

describe('videos that fail', () => {
  test('a video that the provider cannot make fails with a refund, and its message is not shown', async () => {
    xai.script.videoPolls = 0
    xai.script.videoFails = 'your prompt about cats is not nice'
    const { id } = await startVideo()
    await t.runJobs()
    await runStep()
    const failed = await read(id)
    expect(failed).toMatchObject({ state: 'failed', error_code: 'ai_refused', credits: 0, files: [] })
    expect(JSON.stringify(failed)).not.toContain('not nice')
    expect(await usedCredits()).toBe(0)
  })

  test('a video fails with a refund when the provider refuses the key or the prompt', async () => {
    for (const [status, code] of [
      [403, 'model_key_refused'],
      [400, 'ai_refused'],
    ] as const) {
      xai.failNext({ kind: 'status', status })
      const { id } = await startVideo()
      await t.runJobs()
      expect(await read(id)).toMatchObject({ state: 'failed', error_code: code, credits: 0 })
    }
    expect(await usedCredits()).toBe(0)
  })

  test('temporary failures of the provider are retried, and a video that never ends fails after its time limit', async () => {
    xai.script.videoPolls = 1
    const { id } = await startVideo()
    await t.runJobs()
    for (const failure of [
      { kind: 'status', status: 500 },
      { kind: 'hang_up' },
      { kind: 'status', status: 429, headers: { 'retry-after': '60' } },
    ] as const) {
      xai.failNext(failure)
      await runStep(60_000)
      expect(await read(id)).toMatchObject({ state: 'running' })
    }
    await runStep(60_000)
    await runStep()
    expect(await read(id)).toMatchObject({ state: 'succeeded' })

    xai.script.videoPolls = 10_000
    const endless = await startVideo()
    await t.runJobs()
    await runStep()
    await runStep(20 * 60_000)
    expect(await read(endless.id)).toMatchObject({ state: 'failed', error_code: 'ai_unavailable', credits: 0 })
    expect(await usedCredits()).toBe(20)
  })

  test('a file that is not a video is discarded and downloaded only once', async () => {
    const usual = xai.script.video
    xai.script.videoPolls = 0
    xai.script.video = Buffer.from('<html>')
    const { id } = await startVideo()
    await t.runJobs()
    await runStep()
    expect(await read(id)).toMatchObject({ state: 'failed', error_code: 'ai_unavailable', credits: 0, files: [] })
    const { length } = xai.calls
    await runStep(60_000)
    expect([xai.calls.length, await usedCredits()]).toEqual([length, 0])
    xai.script.video = usual
  })

  test('cancelling stops the polling, also during a request, and a video that the provider started stays charged', async () => {
    const { id } = await startVideo()
    await t.runJobs()
    const calls = xai.calls.length
    let response: () => void = () => undefined
    xai.holdUntil(new Promise((resolve) => (response = resolve)))
    const asking = takeVideoStep(t.deps, { generation_id: id })
    await xai.called(calls + 1)
    const { body } = expectStatus(await owner.post(`/api/v1/ai/generations/${id}/cancel`), 200)
    expect(body).toMatchObject({ state: 'canceled', credits: 20 })
    response()
    await asking
    xai.holdUntil()
    await runStep(60_000)
    expect(xai.calls.length).toBe(calls + 1)
    expect(await read(id)).toMatchObject({ state: 'canceled', files: [] })
    expect(await usedCredits()).toBe(20)
  })

  test('cancelling before the provider is called refunds the credits', async () => {
    const { id } = await startVideo()
    const calls = xai.calls.length
    const { body } = expectStatus(await owner.post(`/api/v1/ai/generations/${id}/cancel`), 200)
    expect(body).toMatchObject({ state: 'canceled', credits: 0 })
    await t.runJobs()
    expect([xai.calls.length, await usedCredits()]).toEqual([calls, 0])
  })
})

test('more concurrent videos than database connections do not block each other, also right after an option changed', async () => {
  const owners = await Promise.all(Array.from({ length: 25 }, () => withWorkspace(t)))
  expectStatus(await admin.put('/api/v1/options/app.name', { value: 'Video house' }), 200)
  const responses = await Promise.all(
    owners.map((one) => one.post('/api/v1/ai/generate/video', { prompt: 'A cat' }, { 'idempotency-key': 'first' })),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]))
})
