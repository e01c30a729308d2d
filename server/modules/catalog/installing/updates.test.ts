import { beforeEach, describe, expect, test } from 'vitest'
import { readyAgent } from '../../../../test/agents.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { installedAgent, publishedRecipe } from '../../../../test/recipes.ts'

const path = '/api/v1/catalog/agent-recipes'

let creator: WorkspaceOwner
let owner: WorkspaceOwner
const t = await testApp()
beforeEach(async () => {
  creator = await withWorkspace(t)
  owner = await withWorkspace(t)
})

/** An installed agent whose recipe has a second version. */
async function outdated(second: object = { system_prompt: 'Write about one soup.' }) {
  const recipe = await publishedRecipe(creator)
  const agent = await installedAgent(owner, recipe.id)
  expectStatus(await creator.patch(`/api/v1/agents/${recipe.agent_id}`, second), 200)
  const body = { agent_id: recipe.agent_id, category: 'food' }
  expect(expectStatus(await creator.post(`${path}/publish`, body), 201).body.version).toBe(2)
  return { recipe, agent: `/api/v1/agents/${agent.id}` }
}

describe('GET /agents/:id/recipe-diff', () => {
  test('compares the agent with both versions, and tells own changes', async () => {
    const { agent } = await outdated({ system_prompt: 'Write about one soup.', voice: 'Short.', daily_limit: 5 })
    expectStatus(await owner.patch(agent, { voice: 'Loud.', persona: 'Mine' }), 200)
    const { body, headers } = expectStatus(await owner.get(`${agent}/recipe-diff`), 200)
    const first = 'Write about one dish of the menu.'
    expect(headers.get('etag')).toBe((await owner.get(agent)).headers.get('etag'))
    expect(body).toEqual({
      installed_version: 1,
      latest_version: 2,
      fields: [
        { field: 'persona', installed: '', current: 'Mine', latest: '', edited: true },
        { field: 'system_prompt', installed: first, current: first, latest: 'Write about one soup.', edited: false },
        { field: 'voice', installed: '', current: 'Loud.', latest: 'Short.', edited: true },
        { field: 'daily_limit', installed: 3, current: 3, latest: 5, edited: false },
      ],
    })
    expect((await owner.get(agent)).body.recipe).toMatchObject({ version: 1, latest_version: 2 })
  })

  test('shows nothing without a newer version or while the recipe is hidden, and 404 without a recipe', async () => {
    const { recipe, agent } = await outdated()
    expectStatus(await creator.post(`${path}/${recipe.id}/unpublish`), 200)
    const none = { installed_version: 1, latest_version: 1, fields: [] }
    expect((await owner.get(`${agent}/recipe-diff`)).body).toEqual(none)
    expectProblem(await owner.post(`${agent}/recipe-update`, { version: 2, fields: [] }), 400, 'validation_failed')
    const { id } = await readyAgent(owner)
    expectProblem(await owner.get(`/api/v1/agents/${id}/recipe-diff`), 404, 'not_found')
    expectProblem(await creator.get(`${agent}/recipe-diff`), 404, 'not_found')
  })
})

describe('POST /agents/:id/recipe-update', () => {
  test('takes the chosen fields only, and leaves schedule, accounts and state', async () => {
    const { agent } = await outdated({
      ...{ system_prompt: 'Write about one soup.', voice: 'Short.' },
      ...{ schedule_cron: '0 8 * * *', timezone: 'UTC', autonomy_level: 'draft' },
    })
    const before = expectStatus(await owner.patch(agent, { voice: 'Loud.' }), 200).body
    const { body } = expectStatus(
      await owner.post(`${agent}/recipe-update`, { version: 2, fields: ['system_prompt'] }),
      200,
    )
    expect(body).toEqual({
      ...before,
      system_prompt: 'Write about one soup.',
      recipe: { ...before.recipe, version: 2, latest_version: 2 },
      updated_at: body.updated_at,
    })
    expect((await owner.get(`${agent}/recipe-diff`)).body.fields).toEqual([])
  })

  test('an agent that published alone waits for approval again', async () => {
    const { agent } = await outdated()
    const { db } = t.deps
    await db.updateTable('agent').set({ autonomy_level: 'auto' }).where('id', '=', agent.slice(-36)).execute()
    const { body } = await owner.post(`${agent}/recipe-update`, { version: 2, fields: [] })
    expect(body).toMatchObject({ autonomy_level: 'approve', system_prompt: 'Write about one dish of the menu.' })
  })

  test('412 when the agent changed meanwhile, 400 for a version that is not the newest, 403 for an author', async () => {
    const { agent } = await outdated()
    const update = (version: number, headers = {}) =>
      owner.call('POST', `${agent}/recipe-update`, { body: { version, fields: ['system_prompt'] }, headers })
    expectProblem(await update(2, { 'if-match': '"9"' }), 412, 'version_conflict')
    for (const version of [1, 3]) {
      const { errors } = expectProblem(await update(version), 400, 'validation_failed')
      expect(errors[0]).toMatchObject({ pointer: '/version', message: 'The newest version is 2.' })
    }
    const author = await memberOf(t, owner.workspace_id, 'author')
    expectProblem(await author.post(`${agent}/recipe-update`, { version: 2, fields: [] }), 403, 'forbidden_role')
  })

  test('two updates at once leave one new version of the agent each, and the same fields', async () => {
    const { agent } = await outdated()
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => owner.post(`${agent}/recipe-update`, { version: 2, fields: ['system_prompt'] })),
    )
    for (const response of responses) expectStatus(response, 200)
    expect((await owner.get(agent)).body).toMatchObject({
      system_prompt: 'Write about one soup.',
      recipe: { version: 2 },
    })
  })
})
