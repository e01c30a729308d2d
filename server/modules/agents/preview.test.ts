import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newAgent } from '../../../test/agents.ts'
import { testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { feedSite, rssOf } from '../../../test/feed-site.ts'
import { generationApp } from '../../../test/generations.ts'
import { expectProblem } from '../../../test/problem.ts'
import type { Call } from '../../../test/stand-ins/ai-server.ts'
import { agentOf, draftText, onlyOwner } from './runs/runs.fixture.ts'
import { sourceOf } from './sources/sources.fixture.ts'

const { t, openai, close } = await generationApp()
afterAll(close)

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await onlyOwner(t, openai)
  openai.script.reply = () => draftText()
})

const preview = (body: object, who: Pick<WorkspaceOwner, 'post'> = owner) => who.post('/api/v1/agents/preview', body)
const listOf = async (path: string) => expectStatus(await owner.get(`/api/v1${path}`), 200).body.data

/** The messages of a call, without what is new in each: its reference and mark. */
const promptOf = (call: Call | undefined) =>
  JSON.stringify(call?.body.messages)
    .replaceAll(/ref-[0-9a-f-]{32,36}/g, 'ref')
    .replaceAll(/mark=\\+"[0-9a-f-]{36}/g, 'mark')

describe('POST /agents/preview', () => {
  test('200 asks what a run of the saved agent would ask, and stores neither agent, post nor run', async () => {
    const account = await playgroundAccount(owner)
    const fields = { ...newAgent, persona: 'A cook', account_ids: [account], link_domains: ['cafe.example'] }
    const { body } = expectStatus(await preview(fields), 200)
    expect(body).toMatchObject({
      content: 'Fresh bread every morning.',
      targets: [{ account_id: account, content: 'Fresh bread every morning.' }],
      skip_reason: null,
      findings: [],
      asked: { allowed_hosts: ['cafe.example'], plan: [], sources: [], previous: null },
      credits: 1,
    })
    expect(await listOf('/agents')).toEqual([])
    expect(await listOf('/posts')).toEqual([])
    expect(await listOf('/ai/generations')).toMatchObject([{ state: 'succeeded', credits: 1 }])
    const { id } = expectStatus(await owner.post('/api/v1/agents', fields), 201).body
    expectStatus(await owner.post(`/api/v1/agents/${id}/run`), 201)
    await t.runJobs()
    expect(openai.calls).toHaveLength(2)
    expect(promptOf(openai.calls[0])).toBe(promptOf(openai.calls[1]))
  })

  test('200 with what each account would get: a variant where its network has one', async () => {
    const [first, second] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    const network = (await listOf('/accounts'))[0].network
    openai.script.reply = () => draftText({ variants: [{ network, content: 'Shorter.' }] })
    const { body } = expectStatus(await preview({ ...newAgent, account_ids: [first, second] }), 200)
    const targets = [first, second].toSorted().map((account_id) => ({ account_id, network, content: 'Shorter.' }))
    expect(body.targets).toEqual(targets)
  })

  test('200 with the rules that the text breaks, also those of words that are not saved yet', async () => {
    const { body } = expectStatus(await preview({ ...newAgent, forbidden_words: ['bread'] }), 200)
    expect(body).toMatchObject({ targets: [], findings: [{ code: 'forbidden_word' }] })
  })

  test('200 of a saved agent reads its sources and takes its budget, and what is left out is as saved', async () => {
    const site = await feedSite(rssOf([{ id: '1', title: 'Sesame', html: 'From Antalya' }]))
    const id = await agentOf(t, owner, { monthly_credits: 1 })
    await sourceOf(t, owner, id, { url: site.url, is_trusted: true })
    openai.script.reply = () => draftText({ source_ids: ['s1'] })
    const { body } = expectStatus(await preview({ agent_id: id, persona: 'A poet' }), 200)
    expect(body).toMatchObject({ source_ids: ['s1'], asked: { sources: [{ id: 's1', title: 'Sesame' }] } })
    const sent = promptOf(openai.calls[0])
    expect(sent).toContain('<persona>A poet</persona>')
    expect(sent).toContain('Write about bread.')
    const saved = expectStatus(await owner.get(`/api/v1/agents/${id}`), 200).body
    expect(saved).toMatchObject({ persona: 'Warm', spent_credits: 1 })
    // Neither a higher budget that is not saved nor a preview of the saved agent evades the budget.
    for (const refused of [
      await preview({ agent_id: id, monthly_credits: 100 }),
      await owner.post(`/api/v1/agents/${id}/preview`),
    ])
      expect(expectProblem(refused, 403, 'limit_exceeded').meter).toBe('agent_credits')
    expect(openai.calls).toHaveLength(1)
  })

  test('400 and 409 for what saving would refuse, without a call of the model', async () => {
    const stranger = await withWorkspace(t)
    const foreign = await playgroundAccount(stranger)
    expectProblem(await preview({ ...newAgent, account_ids: [foreign] }), 400, 'validation_failed')
    expectProblem(await preview({ ...newAgent, schedule_cron: '* * * * *' }), 400, 'validation_failed')
    expectProblem(await preview({ ...newAgent, quiet_from: '22:00' }), 400, 'validation_failed')
    expectProblem(await preview({ ...newAgent, persona: 'x'.repeat(2001) }), 400, 'validation_failed')
    expectProblem(await preview({ ...newAgent, autonomy_level: 'auto' }), 409, 'agent_not_trusted')
    expectProblem(await preview({ agent_id: await agentOf(t, stranger) }), 404, 'not_found')
    expect(openai.calls).toEqual([])
  })

  test('503 returns the credit when the provider fails', async () => {
    openai.failNext({ kind: 'status', status: 500 })
    expectProblem(await preview(newAgent), 503, 'ai_unavailable')
    expect(await listOf('/ai/generations')).toMatchObject([{ state: 'failed', credits: 0 }])
  })

  test('403 for authors and for tokens that only read', async () => {
    expectProblem(await preview(newAgent, await memberOf(t, owner.workspace_id, 'author')), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['agents:read'])
    expectProblem(await reader.post('/api/v1/public/agents/preview', newAgent), 403, 'insufficient_scope')
    const writer = await withToken(t, owner, ['agents:write'])
    expectStatus(await writer.post('/api/v1/public/agents/preview', newAgent), 200)
  })

  test('409 while no chat model is active', async () => {
    const withoutModels = await testApp()
    onTestFinished(withoutModels.close)
    expectProblem(await preview(newAgent, await withWorkspace(withoutModels)), 409, 'no_model')
  })
})
