import { beforeEach, describe, expect, test } from 'vitest'
import { readyAgent } from '../../../test/agents.ts'
import { testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { actionsOf } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { privateRecipe, publishedRecipe } from '../../../test/recipes.ts'

const path = '/api/v1/catalog/agent-recipes'

let owner: WorkspaceOwner
const t = await testApp()
const stranger = await withWorkspace(t)
beforeEach(async () => {
  owner = await withWorkspace(t)
})

const publish = (agent_id: string, more: object = {}) =>
  owner.post(`${path}/publish`, { agent_id, category: 'food', ...more })

describe('POST /catalog/agent-recipes/publish', () => {
  test('201 with the set-up of the agent, and nothing else of it', async () => {
    const agent = await readyAgent(owner, {
      ...{ description: 'One dish.', role: 'Cook', persona: 'A cook.', voice: 'Warm.', image_style: 'Daylight.' },
      ...{ tags: ['menu'], language: 'en', link_domains: ['marker-link.example'], forbidden_words: ['marker-word'] },
      ...{ quiet_from: '22:15', quiet_until: '07:45' },
    })
    const { body } = expectStatus(await publish(agent.id, { name: 'A dish a day' }), 201)
    const { id: _, name: __, ...shared } = agent
    expect(body).toMatchObject({
      ...{ name: 'A dish a day', category: 'food', version: 1, published: true, install_count: 0, is_built_in: false },
      ...{ creator_id: owner.id, workspace_id: owner.workspace_id, agent_id: agent.id, sources: [] },
      ...{ description: shared.description, role: 'Cook', persona: 'A cook.', voice: 'Warm.', tags: ['menu'] },
      ...{ schedule_cron: shared.schedule_cron, timezone: shared.timezone, autonomy_level: 'approve', language: 'en' },
    })
    const seen = JSON.stringify(expectStatus(await stranger.get(`${path}/${body.id}`), 200).body)
    for (const own of ['marker', '22:15', '07:45', owner.id, owner.workspace_id, agent.id, agent.account_ids[0]])
      expect(seen).not.toContain(own)
    expect(await actionsOf(t, owner.id)).toContain('recipe.published')
  })

  test('an agent that is published again becomes the next version, unless nothing changed', async () => {
    const { id, agent_id } = await publishedRecipe(owner)
    expect((await publish(agent_id)).body).toMatchObject({ id, version: 1 })
    expectStatus(await owner.patch(`/api/v1/agents/${agent_id}`, { system_prompt: 'Write about one soup.' }), 200)
    expect((await publish(agent_id)).body).toMatchObject({ id, version: 2, system_prompt: 'Write about one soup.' })
    const { data } = expectStatus(await stranger.get(`${path}/${id}/versions`), 200).body
    expect(data.map(({ version, system_prompt }: Record<string, unknown>) => [version, system_prompt])).toEqual([
      [2, 'Write about one soup.'],
      [1, 'Write about one dish of the menu.'],
    ])
  })

  test('concurrent calls for one agent make one recipe with one version', async () => {
    const { id } = await readyAgent(owner)
    const responses = await Promise.all(Array.from({ length: 8 }, () => publish(id)))
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.id} ${body.version}`)).size).toBe(1)
  })

  test('404 for the agent of another workspace, 403 for an author, 401 without credentials', async () => {
    const { id } = await readyAgent(stranger)
    expectProblem(await publish(id), 404, 'not_found')
    const author = await memberOf(t, owner.workspace_id, 'author')
    const body = { agent_id: (await readyAgent(owner)).id, category: 'food' }
    expectProblem(await author.post(`${path}/publish`, body), 403, 'forbidden_role')
    expectProblem(await t.anyone.post(`${path}/publish`, body), 401, 'unauthenticated')
  })

  test('403 limit_exceeded for the 21st published recipe, also under concurrent calls', async () => {
    const agents: string[] = []
    for (let made = 0; made < 22; made++) agents.push((await readyAgent(owner)).id)
    const responses = await Promise.all(agents.map((id) => publish(id)))
    const refused = responses.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(2)
    for (const response of refused) expect(expectProblem(response, 403, 'limit_exceeded').meter).toBe('recipes')
    const [first] = responses.filter(({ status }) => status === 201)
    expectStatus(await owner.post(`${path}/${first?.body.id}/unpublish`), 200)
    expectStatus(await publish(agents[responses.findIndex(({ status }) => status !== 201)] ?? ''), 201)
  })
})

describe('GET /catalog/agent-recipes', () => {
  const names = async (query: string, who = stranger) =>
    expectStatus(await who.get(`${path}?limit=100&${query}`), 200).body.data.map(({ name }: { name: string }) => name)

  test('finds recipes by beginnings of words, category and language', async () => {
    const listing = { name: 'Çorba günlüğü', tags: ['mercimek'], category: 'food' }
    await publishedRecipe(owner, { language: 'tr' }, listing)
    expect(await names('search=corba')).toEqual(['Çorba günlüğü'])
    expect(await names('search=merc%20gun')).toEqual(['Çorba günlüğü'])
    expect(await names('search=merc&category=food&language=tr')).toEqual(['Çorba günlüğü'])
    for (const none of ['search=merc&category=shop', 'search=merc&language=en', 'search=balık', 'search=!!'])
      expect(await names(none)).toEqual([])
  })

  test('a recipe in the language of any workspace is found in every language', async () => {
    await publishedRecipe(owner, { language: null }, { name: 'Polyglot' })
    for (const language of ['en', 'tr'])
      expect(await names(`search=polyglot&language=${language}`)).toEqual(['Polyglot'])
  })

  test('the most installed come first, and pages follow each other without a gap', async () => {
    const all = []
    for (let made = 0; made < 4; made++) all.push((await publishedRecipe(owner)).id)
    const [once, twice] = [all[1], all[3]]
    for (const [id, who] of [
      [once, stranger],
      [twice, stranger],
      [twice, await withWorkspace(t)],
    ] as const)
      expectStatus(await who.post(`${path}/${id}/install`, {}), 201)
    const found: string[] = []
    let cursor = ''
    do {
      const { body } = expectStatus(await owner.get(`${path}?mine=true&limit=1${cursor}`), 200)
      found.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor && `&cursor=${body.next_cursor}`
    } while (cursor)
    expect(found).toEqual([twice, once, all[2], all[0]])
    const { data } = (await owner.get(`${path}?mine=true&sort=new`)).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([...all].reverse())
    expectProblem(await owner.get(`${path}?cursor=bm9wZQ`), 400, 'validation_failed')
  })

  test('recipes that are not published are for members of their workspace only', async () => {
    const { id } = await privateRecipe(owner)
    const ids = async (who: WorkspaceOwner) =>
      (await who.get(`${path}?mine=true`)).body.data.map((recipe: { id: string }) => recipe.id)
    expect(await ids(owner)).toEqual([id])
    expect(await ids(stranger)).not.toContain(id)
    expectProblem(await stranger.get(`${path}/${id}`), 404, 'not_found')
    expectProblem(await stranger.get(`${path}/${id}/versions`), 404, 'not_found')
    const token = await withToken(t, await withWorkspace(t), ['recipes:read'])
    expectProblem(await token.get(`/api/v1/public/catalog/agent-recipes/${id}`), 404, 'not_found')
  })

  test('a user without a workspace reads the catalogue', async () => {
    const { id } = await publishedRecipe(owner)
    expect((await (await signedIn(t)).get(`${path}?sort=new&limit=1`)).body.data).toMatchObject([{ id }])
  })

  test('recipes of a deleted workspace are gone', async () => {
    const { id } = await publishedRecipe(owner)
    const { name } = (await owner.get('/api/v1/workspace')).body
    expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    expectProblem(await stranger.get(`${path}/${id}`), 404, 'not_found')
  })
})

describe('PATCH /catalog/agent-recipes/:id', () => {
  test('a change is a new version with an ETag, and If-Match protects it', async () => {
    const { id } = await publishedRecipe(owner)
    const changed = expectStatus(await owner.patch(`${path}/${id}`, { name: 'Soup of the day', tags: ['soup'] }), 200)
    expect(changed.body).toMatchObject({ name: 'Soup of the day', tags: ['soup'], version: 2 })
    expect(changed.headers.get('etag')).toBe('"2"')
    const late = await owner.call('PATCH', `${path}/${id}`, { body: { name: 'Other' }, headers: { 'if-match': '"1"' } })
    expectProblem(late, 412, 'version_conflict')
    expectProblem(await stranger.patch(`${path}/${id}`, { name: 'Mine' }), 404, 'not_found')
    expectProblem(await owner.patch(`${path}/${id}`, { system_prompt: 'Other' }), 400, 'read_only')
  })
})

describe('POST /catalog/agent-recipes/:id/unpublish', () => {
  test('hides a recipe until its agent is published again', async () => {
    const { id, agent_id } = await publishedRecipe(owner)
    const { body } = expectStatus(await owner.post(`${path}/${id}/unpublish`), 200)
    expect(body).toMatchObject({ id, published: false })
    expect((await owner.post(`${path}/${id}/unpublish`)).body).toEqual(body)
    expectProblem(await stranger.get(`${path}/${id}`), 404, 'not_found')
    expectProblem(await stranger.post(`${path}/${id}/unpublish`), 404, 'not_found')
    expect((await publish(agent_id)).body).toMatchObject({ id, published: true, version: 1 })
    expectStatus(await stranger.get(`${path}/${id}`), 200)
  })
})
