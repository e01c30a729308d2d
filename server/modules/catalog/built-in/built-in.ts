import { readdir, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addVersion } from '../publishing/versions.ts'
import type { RecipeBody } from '../recipes.schema.ts'

const folder = new URL('./', import.meta.url)

type BuiltIn = { built_in: string; body: RecipeBody }

/**
 * Recipes that come with Meydan, by language and name of their files, such as `tr/menu-of-the-day`. A test checks that
 * they have this shape, so a start does not.
 */
export async function readBuiltIn(): Promise<BuiltIn[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(
    names.map(async (name) => {
      const body: RecipeBody = JSON.parse(await readFile(new URL(name, folder), 'utf8'))
      return { built_in: name.replace(/\.json$/, ''), body }
    }),
  )
}

/**
 * At start: brings the recipes that come with Meydan up to date. A changed one becomes a new version; one that is gone is
 * no longer shown. Safe to run on several nodes at once.
 */
export async function updateBuiltInRecipes({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const recipes = await readBuiltIn()
  // Nearly every start finds nothing to do, with one query.
  if (await areCurrent(db, recipes)) return
  await inTransaction(db, (tx) => update(tx, recipes, clock.now()))
}

/** Whether exactly these are shown, each as its newest version. */
async function areCurrent(db: Db, recipes: readonly BuiltIn[]) {
  const rows = await db
    .selectFrom('recipe')
    .innerJoin('recipe_version as newest', (join) =>
      join.onRef('newest.recipe_id', '=', 'recipe.id').onRef('newest.version', '=', 'recipe.version'),
    )
    .select(['recipe.built_in', 'newest.body'])
    .where('recipe.built_in', 'is not', null)
    .where('recipe.published', '=', true)
    .execute()
  const shown = new Map(rows.map(({ built_in, body }) => [built_in, body]))
  return (
    shown.size === recipes.length && recipes.every(({ built_in, body }) => isDeepStrictEqual(shown.get(built_in), body))
  )
}

async function update(tx: Tx, recipes: readonly BuiltIn[], now: Date) {
  for (const { built_in, body } of recipes) {
    const { category, language } = body
    const recipe = await tx
      .insertInto('recipe')
      .values({ built_in, category, language, search: '' })
      // An update, and not `do nothing`: it locks the row and returns it.
      .onConflict((conflict) => conflict.column('built_in').doUpdateSet({ published: true }))
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow()
    await addVersion(tx, recipe, body, now)
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
}
