import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../../test/factories.ts'
import { generationApp } from '../../../../test/generations.ts'
import { mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import type { AiServer } from '../../../../test/stand-ins/ai-server.ts'
import { agentOf, draftText, newTopics } from './runs.fixture.ts'

let t: TestApp
let owner: WorkspaceOwner
let openai: AiServer
let close: () => Promise<void>

;({ t, openai, close } = await generationApp())
beforeEach(async () => {
  openai.reset()
  openai.script.reply = newTopics()
  owner = await withWorkspace(t)
  // Runs that other tests only started would otherwise take the responses of this one.
  await t.runJobs()
})
afterAll(() => close())

const start = (id: string, who: Pick<WorkspaceOwner, 'post'> = owner) => who.post(`/api/v1/agents/${id}/run`)

describe('POST /agents/:id/run', () => {
  test('201 starts a run, also of a disabled agent, and 409 while it is in progress', async () => {
    const id = await agentOf(t, owner, { is_active: false })
    const { body } = expectStatus(await start(id), 201)
    expect(body).toMatchObject({ agent_id: id, trigger: 'manual', status: 'queued', wanted: 2, made: 0, post_ids: [] })
    expect(expectProblem(await start(id), 409, 'invalid_transition').state).toBe('queued')
    await t.runJobs()
    const after = expectStatus(await owner.get(`/api/v1/agents/${id}/runs/${body.id}`), 200).body
    expect(after).toMatchObject({
      status: 'completed',
      made: 2,
      credits: 2,
      post_ids: [after.items[0].post_id, after.items[1].post_id],
    })
    expectStatus(await start(id), 201)
  })

  test('many calls at the same time start one run', async () => {
    const id = await agentOf(t, owner)
    const statuses = (await Promise.all(Array.from({ length: 16 }, () => start(id)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 15 }, () => 409)])
  })

  test('404 for an agent of another workspace, 403 for authors and for tokens without agents:write', async () => {
    const id = await agentOf(t, owner)
    expectProblem(await start(id, await withWorkspace(t)), 404, 'not_found')
    expectProblem(await start(id, await memberOf(t, owner.workspace_id, 'author')), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['agents:read'])
    expectProblem(await reader.post(`/api/v1/public/agents/${id}/run`), 403, 'insufficient_scope')
    expectStatus(await reader.get(`/api/v1/public/agents/${id}/runs`), 200)
  })

  test('403 for a plan without agents', async () => {
    const own = await testApp({}, { plan: [] })
    try {
      const person = await withWorkspace(own)
      const id = await agentOf(own, person)
      expectProblem(await start(id, person), 403, 'feature_not_available')
      expectStatus(await person.get(`/api/v1/agents/${id}/runs`), 200)
    } finally {
      await own.close()
    }
  })
})

describe('POST /agents/:id/preview', () => {
  const preview = (id: string, who = owner) => who.post(`/api/v1/agents/${id}/preview`)

  test('200 returns a text with the rules that it breaks, takes a credit, and keeps neither post nor run', async () => {
    openai.script.reply = () => draftText({ content: 'Visit evil.com' })
    const id = await agentOf(t, owner)
    expect(expectStatus(await preview(id), 200).body).toMatchObject({
      topic: 'Bread',
      content: 'Visit evil.com',
      variants: [],
      skip_reason: null,
      findings: [
        {
          code: 'link_not_allowed',
          message: 'Links to evil.com are not allowed.',
          translations: { tr: 'evil.com bağlantılarına izin yok.' },
        },
      ],
      credits: 1,
    })
    expect(expectStatus(await owner.get(`/api/v1/agents/${id}/runs`), 200).body.data).toEqual([])
    expect(expectStatus(await owner.get('/api/v1/posts'), 200).body.data).toEqual([])
    const [generation] = expectStatus(await owner.get('/api/v1/ai/generations'), 200).body.data
    expect(generation).toMatchObject({ state: 'succeeded', credits: 1 })
  })

  test('200 without a text when the model writes garbage, or has nothing to say', async () => {
    const id = await agentOf(t, owner)
    const replies = ['garbage', draftText({ content: '', skip_reason: 'Nothing new' })]
    openai.script.reply = () => replies.shift() ?? ''
    expect((await preview(id)).body).toMatchObject({ content: null, findings: [{ code: 'unreadable' }] })
    expect((await preview(id)).body).toMatchObject({ skip_reason: 'Nothing new', findings: [] })
  })

  test('503 when the provider fails, and 404 for an agent of another workspace', async () => {
    const id = await agentOf(t, owner)
    openai.failNext({ kind: 'status', status: 500 })
    expectProblem(await preview(id), 503, 'ai_unavailable')
    expectProblem(await preview(id, await withWorkspace(t)), 404, 'not_found')
  })
})

describe('GET /agents/:id/runs, GET /agents/:id/runs/:run_id', () => {
  test('list the runs newest first, and show what the model wrote and which rules it broke', async () => {
    const replies = [draftText({ content: 'Visit evil.com' }), draftText({ claims: ['Oldest bakery'] })]
    openai.script.reply = () => replies.shift() ?? 'garbage'
    const id = await agentOf(t, owner, { posts_per_run: 1, autonomy_level: 'approve' })
    const first = expectStatus(await start(id), 201).body.id
    await t.runJobs()
    const second = expectStatus(await start(id), 201).body.id
    await t.runJobs()
    const { body } = expectStatus(await owner.get(`/api/v1/agents/${id}/runs`), 200)
    expect(body.data).toMatchObject([
      { id: second, status: 'failed', reason: 'checks_failed' },
      { id: first, status: 'awaiting_review' },
    ])
    const shown = expectStatus(await owner.get(`/api/v1/agents/${id}/runs/${first}`), 200).body
    expect(shown.items).toMatchObject([
      {
        position: 0,
        status: 'pending',
        reason: null,
        post_id: shown.post_ids[0],
        topic: 'Bread',
        content: 'Fresh bread every morning.',
        findings: [
          {
            code: 'unsourced_claim',
            message: 'Nothing confirms this: Oldest bakery',
            translations: { tr: 'Bunu doğrulayan bir şey yok: Oldest bakery' },
          },
        ],
        picture: null,
        picture_reason: null,
        attempts: 2,
      },
    ])
    const failed = expectStatus(await owner.get(`/api/v1/agents/${id}/runs/${second}`), 200).body
    expect(failed.items).toMatchObject([{ status: 'blocked', reason: 'unreadable', topic: null, content: null }])
  })

  test('404 for a run of another agent or workspace', async () => {
    const id = await agentOf(t, owner)
    const { body } = expectStatus(await start(id), 201)
    const other = await agentOf(t, owner)
    expectProblem(await owner.get(`/api/v1/agents/${other}/runs/${body.id}`), 404, 'not_found')
    const stranger = await withWorkspace(t)
    expectProblem(await stranger.get(`/api/v1/agents/${id}/runs/${body.id}`), 404, 'not_found')
    expectProblem(await stranger.get(`/api/v1/agents/${id}/runs`), 404, 'not_found')
  })
})

test('the fifth failed run in a row disables the agent and mails its owner why', async () => {
  openai.failAlways({ kind: 'status', status: 401 })
  const id = await agentOf(t, owner, { failures: 4 })
  expectStatus(await start(id), 201)
  await t.runJobs()
  const [mail] = await mailsTo(t, owner.email)
  expect(mail?.subject).toContain('Baker')
  expect(mail?.body_text).toContain('rejected the API key')
  expect(mail?.body_text).toContain(`/agents/${id}`)
})
