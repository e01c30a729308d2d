import { readdir, readFile } from 'node:fs/promises'
import { Value } from 'typebox/value'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addVersion } from '../publishing/versions.ts'
import { RecipeBody } from '../recipes.schema.ts'

const folder = new URL('./', import.meta.url)

/** Recipes that come with Meydan, by language and name of their files, such as `tr/menu-of-the-day`. */
export async function readBuiltIn(): Promise<{ built_in: string; body: RecipeBody }[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(
    names.map(async (name) => {
      const body: unknown = JSON.parse(await readFile(new URL(name, folder), 'utf8'))
      return { built_in: name.replace(/\.json$/, ''), body: Value.Parse(RecipeBody, body) }
    }),
  )
}

/**
 * At start: brings the recipes that come with Meydan up to date. A changed one becomes a new version; one that is gone is
 * no longer shown. Safe to run on several nodes at once.
 */
export async function updateBuiltInRecipes({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const recipes = await readBuiltIn()
  await inTransaction(db, async (tx) => {
    for (const { built_in, body } of recipes) {
      const { category, language } = body
      const recipe = await tx
        .insertInto('recipe')
        .values({ built_in, category, language, search: '' })
        // An update, and not `do nothing`: it locks the row and returns it.
        .onConflict((conflict) => conflict.column('built_in').doUpdateSet({ published: true }))
        .returning(['id', 'version'])
        .executeTakeFirstOrThrow()
      await addVersion(tx, recipe, body, clock.now())
    }
    await tx
      .updateTable('recipe')
      .set({ published: false })
      .where(
        'built_in',
        'not in',
        recipes.map(({ built_in }) => built_in),
      )
      .execute()
  })
}
