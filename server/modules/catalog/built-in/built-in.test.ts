import { sql } from 'kysely'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { installedAgent } from '../../../../test/recipes.ts'
import { checkSchedule } from '../../agents/record/schedule.ts'
import { unsafeTexts } from '../publishing/lint.ts'
import { RecipeBody } from '../recipes.schema.ts'
import { readBuiltIn, updateBuiltInRecipes } from './built-in.ts'

const path = '/api/v1/catalog/agent-recipes'
const names = { workspace: 'Nobody', accounts: [] }

const t = await testApp()
const owner = await withWorkspace(t)

describe('recipes that come with Meydan', () => {
  test('each exists in English and Turkish, has the shape of a recipe, shares nothing private, waits for a person, and can be enabled', async () => {
    const recipes = await readBuiltIn()
    const of = (language: string) =>
      recipes
        .filter(({ body }) => body.language === language)
        .map(({ built_in }) => built_in.slice(language.length + 1))
    expect(of('en')).toHaveLength(10)
    expect(of('tr')).toEqual(of('en'))
    for (const { built_in, body } of recipes) {
      expect([built_in, Value.Check(RecipeBody, body)]).toEqual([built_in, true])
      expect([built_in, unsafeTexts(body, names)]).toEqual([built_in, []])
      expect(built_in).toBe(`${body.language}/${built_in.slice(3)}`)
      expect(['draft', 'approve']).toContain(body.autonomy_level)
      expect([body.generate_image, body.design, body.video]).toEqual([false, false, false])
      if (body.schedule_cron) checkSchedule(body.schedule_cron, t.clock.now())
    }
  })

  test('the start adds them once, from several nodes at once, and members install them', async () => {
    await Promise.all([updateBuiltInRecipes(t.deps), updateBuiltInRecipes(t.deps), updateBuiltInRecipes(t.deps)])
    await updateBuiltInRecipes(t.deps)
    const { data } = expectStatus(await owner.get(`${path}?language=tr`), 200).body
    expect(data).toHaveLength(10)
    for (const recipe of data)
      expect(recipe).toMatchObject({ version: 1, is_built_in: true, creator_id: null, workspace_id: null })
    const agent = await installedAgent(owner, data[0].id)
    expect(agent).toMatchObject({ name: data[0].name, is_active: false, recipe: { latest_version: 1 } })
  })

  test('a start that finds them up to date writes nothing', async () => {
    const rows = async () =>
      (await sql`select id, xmin::text from recipe where published order by id`.execute(t.deps.db)).rows
    await updateBuiltInRecipes(t.deps)
    const before = await rows()
    await updateBuiltInRecipes(t.deps)
    expect(before).toHaveLength(20)
    expect(await rows()).toEqual(before)
  })

  test('a changed one becomes a new version, and one that is gone is no longer shown', async () => {
    await updateBuiltInRecipes(t.deps)
    const { db } = t.deps
    const [{ id, name }] = (await owner.get(`${path}?language=en&limit=1`)).body.data
    const agent = await installedAgent(owner, id)
    const body = { ...(await readBuiltIn()).find((recipe) => recipe.body.name === name)?.body, voice: 'Former' }
    await sql`update recipe_version set body = ${JSON.stringify(body)}::jsonb where recipe_id = ${id}`.execute(db)
    const { id: gone } = await db
      .insertInto('recipe')
      .values({ built_in: 'en/former', category: 'other', search: '' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await updateBuiltInRecipes(t.deps)
    expect((await owner.get(`${path}/${id}`)).body).toMatchObject({ version: 2 })
    expect((await owner.get(`/api/v1/agents/${agent.id}`)).body.recipe).toEqual({ id, version: 1, latest_version: 2 })
    const { published } = await db
      .selectFrom('recipe')
      .select('published')
      .where('id', '=', gone)
      .executeTakeFirstOrThrow()
    expect(published).toBe(false)
  })
})
