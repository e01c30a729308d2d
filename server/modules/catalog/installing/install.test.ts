import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readyAgent } from '../../../../test/agents.ts'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  type Person,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { actionsOf } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { installedAgent, privateRecipe, publishedRecipe } from '../../../../test/recipes.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { setPlan } from '../../workspaces/workspaces.ts'

const path = '/api/v1/catalog/agent-recipes'

let owner: WorkspaceOwner
const t = await testApp()
const creator = await withWorkspace(t)
beforeEach(async () => {
  owner = await withWorkspace(t)
})

const countOf = async (id: string) => expectStatus(await creator.get(`${path}/${id}`), 200).body.install_count

describe('POST /catalog/agent-recipes/:id/install', () => {
  test('201 with an inactive agent of the workspace, which has all connected accounts', async () => {
    const [first, second] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    expectStatus(await owner.patch('/api/v1/workspace', { timezone: 'Europe/Istanbul', locale: 'tr' }), 200)
    const { id, agent_id } = await publishedRecipe(creator, {
      ...{ tags: ['menu'], voice: 'Warm.', timezone: 'America/New_York', language: 'en' },
      ...{ link_domains: ['marker.example'], forbidden_words: ['marker'], posts_per_run: 2 },
    })
    const agent = await installedAgent(owner, id)
    expect(agent).toMatchObject({
      ...{ name: 'Dish of the day', category: 'food', tags: ['menu'], voice: 'Warm.', posts_per_run: 2 },
      ...{ is_active: false, next_run_at: null, timezone: 'Europe/Istanbul', language: null, model_id: null },
      ...{ link_domains: [], forbidden_words: [], autonomy_level: 'approve', acts_for: { id: owner.id } },
      ...{ account_ids: [first, second].sort(), recipe: { id, version: 1, latest_version: 1 } },
    })
    const seen = JSON.stringify(agent)
    for (const foreign of [creator.id, creator.workspace_id, agent_id, 'marker']) expect(seen).not.toContain(foreign)
    expect((await owner.get('/api/v1/agents')).body.data).toEqual([agent])
    expect(await actionsOf(t, owner.id)).toEqual(expect.arrayContaining(['agent.created', 'recipe.installed']))
  })

  test('sources go along by kind and label only, and the new agent asks for them', async () => {
    const { id: agent_id } = await readyAgent(creator)
    const sources = `/api/v1/agents/${agent_id}/sources`
    const feed = { kind: 'feed', label: 'Your blog', url: 'https://marker.example/feed.xml' }
    expectStatus(await creator.post(sources, feed), 201)
    expectStatus(await creator.post(sources, { kind: 'text', label: 'Your menu', text: 'marker soup' }), 201)
    const { body } = expectStatus(await creator.post(`${path}/publish`, { agent_id, category: 'food' }), 201)
    expect(body.sources).toEqual([
      { kind: 'feed', label: 'Your blog' },
      { kind: 'text', label: 'Your menu' },
    ])
    const agent = await installedAgent(owner, body.id)
    const { data } = expectStatus(await owner.get(`/api/v1/agents/${agent.id}/sources`), 200).body
    const labels = data.map(({ label }: { label: string }) => label)
    expect(labels.sort()).toEqual(['Your blog', 'Your menu'])
    for (const source of data) expect(source).toMatchObject({ url: null, text: null, is_complete: false })
    expect(JSON.stringify([body, data])).not.toContain('marker')
    const { missing } = expectProblem(await owner.post(`/api/v1/agents/${agent.id}/enable`), 409, 'agent_not_ready')
    expect(missing).toContain('source')
  })

  test('sources that are given are those of the new agent, and the others are asked for', async () => {
    const { id: agent_id } = await readyAgent(creator)
    for (const label of ['Your blog', 'Your questions'])
      expectStatus(
        await creator.post(`/api/v1/agents/${agent_id}/sources`, {
          kind: 'feed',
          label,
          url: 'https://cafe.example/feed',
        }),
        201,
      )
    const { body } = expectStatus(await creator.post(`${path}/publish`, { agent_id, category: 'food' }), 201)
    const page = { kind: 'page', label: 'Your questions', url: 'https://bakery.example/questions' }
    const agent = await installedAgent(owner, body.id, { sources: [page] })
    const { data } = expectStatus(await owner.get(`/api/v1/agents/${agent.id}/sources`), 200).body
    expect(data).toMatchObject([
      { ...page, is_trusted: false, is_complete: true },
      { kind: 'feed', label: 'Your blog', url: null, is_complete: false },
    ])
  })

  test('sources that the recipe does not have, or that are not complete or not allowed, are refused with their place', async () => {
    const { id: agent_id } = await readyAgent(creator)
    const source = { kind: 'feed', label: 'Your blog', url: 'https://cafe.example/feed' }
    expectStatus(await creator.post(`/api/v1/agents/${agent_id}/sources`, source), 201)
    const { body } = expectStatus(await creator.post(`${path}/publish`, { agent_id, category: 'food' }), 201)
    const install = (...sources: object[]) => owner.post(`${path}/${body.id}/install`, { sources })
    expectProblem(await install(source, source), 400, 'validation_failed', '/sources/1/label')
    expectProblem(await install({ label: 'Your blog' }), 400, 'validation_failed', '/sources/0/url')
    expectProblem(await install({ ...source, text: 'x' }), 400, 'validation_failed', '/sources/0/text')
    expectProblem(await install({ ...source, url: 'http://10.0.0.1/' }), 400, 'url_not_allowed', '/sources/0/url')
    expect((await owner.get('/api/v1/agents')).body.data).toEqual([])
    expect(await countOf(body.id)).toBe(0)
  })

  test('chosen accounts and a chosen name are taken, and accounts of others are refused', async () => {
    const { id } = await publishedRecipe(creator)
    const account = await playgroundAccount(owner)
    await playgroundAccount(owner)
    const agent = await installedAgent(owner, id, { name: 'My soup', account_ids: [account] })
    expect(agent).toMatchObject({ name: 'My soup', account_ids: [account] })
    expect((await installedAgent(owner, id, { account_ids: [] })).account_ids).toEqual([])
    const [foreign] = (await creator.get('/api/v1/accounts')).body.data
    expectProblem(await owner.post(`${path}/${id}/install`, { account_ids: [foreign.id] }), 400, 'validation_failed')
    expect(await countOf(id)).toBe(1)
  })

  test('a recipe that publishes alone is installed to wait for approval, and a drafting one to draft', async () => {
    const boss = await signedIn(t, { instanceAdmin: true })
    expectStatus(await boss.put('/api/v1/options/ai.agents_auto_from_start', { value: true }), 200)
    const [alone, drafting] = [
      await publishedRecipe(creator, { autonomy_level: 'auto' }),
      await publishedRecipe(creator, { autonomy_level: 'draft' }),
    ]
    expect((await installedAgent(owner, alone.id)).autonomy_level).toBe('approve')
    expect((await installedAgent(owner, drafting.id)).autonomy_level).toBe('draft')
    expectStatus(await boss.delete('/api/v1/options/ai.agents_auto_from_start'), 204)
  })

  test('installs of 8 workspaces at once, four each, count 8 times; the one of the creator counts never', async () => {
    const { id } = await publishedRecipe(creator)
    const workspaces = await Promise.all(Array.from({ length: 8 }, () => withWorkspace(t)))
    const calls = [...workspaces, creator].flatMap((who) => [who, who, who, who])
    const responses = await Promise.all(calls.map((who) => who.post(`${path}/${id}/install`, {})))
    for (const response of responses) expectStatus(response, 201)
    expect(await countOf(id)).toBe(8)
  })

  test('a repeated Idempotency-Key installs once', async () => {
    const { id } = await publishedRecipe(creator)
    const call = () =>
      owner.call('POST', `${path}/${id}/install`, { body: {}, headers: { 'idempotency-key': 'install-1' } })
    const responses = [await call(), await call()]
    expect(responses[1]?.body).toEqual(responses[0]?.body)
    expect((await owner.get('/api/v1/agents')).body.data).toHaveLength(1)
  })

  test('installed agents outlive the recipe, its agent and its workspace', async () => {
    const other = await withWorkspace(t)
    const { id, agent_id } = await publishedRecipe(other)
    const agent = await installedAgent(owner, id)
    expectStatus(await other.delete(`/api/v1/agents/${agent_id}`), 204)
    expectStatus(await other.post(`${path}/${id}/unpublish`), 200)
    const kept = (await owner.get(`/api/v1/agents/${agent.id}`)).body
    expect(kept.recipe).toEqual({ id, version: 1, latest_version: 1 })
    expectProblem(await owner.post(`${path}/${id}/install`, {}), 404, 'not_found')
    await t.deps.db.deleteFrom('recipe').where('id', '=', id).execute()
    expect((await owner.get(`/api/v1/agents/${agent.id}`)).body).toEqual({ ...kept, recipe: null })
  })

  test('a recipe that is not published is installed by its own workspace only', async () => {
    const { id } = await privateRecipe(creator)
    expectStatus(await creator.post(`${path}/${id}/install`, {}), 201)
    expectProblem(await owner.post(`${path}/${id}/install`, {}), 404, 'not_found')
  })
})

describe('who may install', () => {
  let boss: Person
  beforeAll(async () => {
    boss = await signedIn(t, { instanceAdmin: true })
  })
  const planOf = (workspace_id: string, plan_code: string | null) =>
    inTransaction(t.deps.db, (tx) => setPlan(t.deps, tx, workspace_id, plan_code))

  test('401, then the scope, the role, 402 without a subscription, 403 without ai.agents, 400, 404', async () => {
    const { id } = await publishedRecipe(creator)
    const install = `${path}/${id}/install`
    expectProblem(await t.anyone.post(install, { name: '' }), 401, 'unauthenticated')
    const author = await memberOf(t, owner.workspace_id, 'author')
    const reading = await withToken(t, owner, ['recipes:read'])
    expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
    try {
      expectProblem(await reading.post(install.replace('v1', 'v1/public'), {}), 403, 'insufficient_scope')
      expectProblem(await author.post(install, { name: '' }), 403, 'forbidden_role')
      expectProblem(await owner.post(install, { name: '' }), 402, 'subscription_required')
      await planOf(owner.workspace_id, 'free')
      expectProblem(await owner.post(install, { name: '' }), 403, 'feature_not_available')
      await planOf(owner.workspace_id, 'pro')
      expectProblem(await owner.post(install, { name: '' }), 400, 'validation_failed')
      expectProblem(await owner.post(install.replace(id, owner.id), {}), 404, 'not_found')
      expectStatus(await owner.post(install, {}), 201)
      const writing = await withToken(t, owner, ['recipes:write'])
      expectStatus(await writing.post(install.replace('v1', 'v1/public'), {}), 201)
      await planOf(owner.workspace_id, null)
      expectProblem(await owner.post(install, {}), 402, 'subscription_required')
    } finally {
      expectStatus(await boss.delete('/api/v1/options/billing.enabled'), 204)
    }
  })
})
