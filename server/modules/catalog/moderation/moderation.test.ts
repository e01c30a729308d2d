import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { actionsOf, lastMail, mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { installedAgent, orphanRecipe, privateRecipe, publishedRecipe } from '../../../../test/recipes.ts'

const catalog = '/api/v1/catalog/agent-recipes'
const forAdmin = '/api/v1/admin/agent-recipes'

const t = await testApp()
const creator = await withWorkspace(t)
const admin = await signedIn(t, { instanceAdmin: true })

describe('reports', () => {
  test('a user reports a recipe once, and instance admins see who reported it', async () => {
    const { id } = await publishedRecipe(creator)
    const reporter = await signedIn(t)
    const report = { reason: 'unsafe', text: 'It asks for <b>passwords</b>.' }
    const { body } = expectStatus(await reporter.post(`${catalog}/${id}/report`, report), 201)
    expectProblem(await reporter.post(`${catalog}/${id}/report`, report), 409, 'recipe_reported')
    expectStatus(await (await signedIn(t)).post(`${catalog}/${id}/report`, { reason: 'spam' }), 201)
    const { data } = expectStatus(await admin.get(`${forAdmin}/${id}/reports`), 200).body
    expect(data).toHaveLength(2)
    expect(data[1]).toMatchObject({ ...body, status: 'open', reporter: { id: reporter.id, email: reporter.email } })
    const [listed] = (await admin.get(`${forAdmin}?reported=true&limit=1`)).body.data
    expect(listed).toMatchObject({ id, open_reports: 2, creator: { id: creator.id, email: creator.email } })
    const exported = expectStatus(await reporter.get('/api/v1/me/export'), 200).body
    expect(exported.recipe_reports).toMatchObject([{ recipe_id: id, ...report }])
  })

  test('404 for a hidden recipe, 400 for another reason, 401 without a session', async () => {
    const { id } = await privateRecipe(creator)
    const reporter = await signedIn(t)
    expectProblem(await reporter.post(`${catalog}/${id}/report`, { reason: 'spam' }), 404, 'not_found')
    expectProblem(await reporter.post(`${catalog}/${id}/report`, { reason: 'ugly' }), 400, 'validation_failed')
    expectProblem(await t.anyone.post(`${catalog}/${id}/report`, { reason: 'spam' }), 401, 'unauthenticated')
  })

  test('403 limit_exceeded beyond fifty open reports of a user', async () => {
    const reporter = await signedIn(t)
    const { id } = await orphanRecipe(creator)
    const others = Array.from({ length: 50 }, () => ({
      workspace_id: creator.workspace_id,
      category: 'food',
      search: '',
      published: false,
    }))
    const made = await t.deps.db.insertInto('recipe').values(others).returning('id').execute()
    await t.deps.db
      .insertInto('recipe_report')
      .values(made.map((recipe) => ({ recipe_id: recipe.id, reporter_id: reporter.id, reason: 'spam' as const })))
      .execute()
    const response = await reporter.post(`${catalog}/${id}/report`, { reason: 'spam' })
    expect(expectProblem(response, 403, 'limit_exceeded').meter).toBe('open_reports')
  })

  test('dismissed reports leave the recipe as it is', async () => {
    const { id } = await publishedRecipe(creator)
    expectStatus(await (await signedIn(t)).post(`${catalog}/${id}/report`, { reason: 'spam' }), 201)
    const { body } = expectStatus(await admin.post(`${forAdmin}/${id}/dismiss-reports`), 200)
    expect(body).toMatchObject({ id, open_reports: 0, taken_down_at: null })
    expect((await admin.post(`${forAdmin}/${id}/dismiss-reports`)).body).toEqual(body)
    expect((await admin.get(`${forAdmin}/${id}/reports`)).body.data).toMatchObject([{ status: 'dismissed' }])
  })
})

describe('POST /admin/agent-recipes/:id/take-down and restore', () => {
  test('a recipe that was taken down is hidden until it is restored, and its creator gets one mail', async () => {
    const { id, agent_id, name } = await publishedRecipe(creator)
    const [visitor, reporter] = [await withWorkspace(t), await signedIn(t)]
    const installed = await installedAgent(visitor, id)
    expectStatus(await reporter.post(`${catalog}/${id}/report`, { reason: 'spam' }), 201)
    const before = (await mailsTo(t, creator.email)).length
    const down = expectStatus(await admin.post(`${forAdmin}/${id}/take-down`, { reason: 'Copied' }), 200).body
    expect(down).toMatchObject({ id, take_down_reason: 'Copied', open_reports: 0 })
    expect((await admin.post(`${forAdmin}/${id}/take-down`, { reason: 'Other' })).body).toEqual(down)
    expect((await mailsTo(t, creator.email)).length).toBe(before + 1)
    const mail = await lastMail(t, creator.email)
    expect(mail.subject).toContain(name)
    expect(mail.body_text).toContain('Copied')
    expectProblem(await visitor.get(`${catalog}/${id}`), 404, 'not_found')
    expect((await admin.get(`${catalog}/${id}`)).body).toMatchObject({ take_down_reason: 'Copied', creator_id: null })
    expectProblem(await creator.post(`${catalog}/${id}/install`, {}), 404, 'not_found')
    expect((await admin.get(`${forAdmin}/${id}/reports`)).body.data).toMatchObject([{ status: 'upheld' }])
    // Publishing again does not show it, and what was installed stays.
    expectStatus(await creator.post(`${catalog}/publish`, { agent_id, category: 'other' }), 201)
    expect((await creator.get(`${catalog}/${id}`)).body).toMatchObject({ version: 2, take_down_reason: 'Copied' })
    expectProblem(await visitor.post(`${catalog}/${id}/install`, {}), 404, 'not_found')
    expect((await visitor.get(`/api/v1/agents/${installed.id}`)).body.recipe).toMatchObject({ latest_version: 1 })
    expect((await admin.get(`${forAdmin}?taken_down=true`)).body.data).toMatchObject([{ id }])

    const restored = expectStatus(await admin.post(`${forAdmin}/${id}/restore`), 200).body
    expect(restored).toMatchObject({ taken_down_at: null, take_down_reason: null })
    expect((await admin.post(`${forAdmin}/${id}/restore`)).body).toEqual(restored)
    expectStatus(await visitor.get(`${catalog}/${id}`), 200)
    expect(await actionsOf(t, admin.id)).toEqual(expect.arrayContaining(['recipe.taken_down', 'recipe.restored']))
  })

  test('403 for anyone who is no instance admin, 404 for an unknown recipe', async () => {
    const { id } = await publishedRecipe(creator)
    expectProblem(await creator.post(`${forAdmin}/${id}/take-down`, { reason: 'x' }), 403, 'forbidden_role')
    expectProblem(await admin.post(`${forAdmin}/${creator.id}/take-down`, { reason: 'x' }), 404, 'not_found')
    for (const action of ['restore', 'dismiss-reports'])
      expectProblem(await admin.post(`${forAdmin}/${creator.id}/${action}`), 404, 'not_found')
  })
})
