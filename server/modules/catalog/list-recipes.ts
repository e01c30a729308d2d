import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db } from '../../lib/db/database.ts'
import { type Order, type PageInput, page } from '../../lib/db/page.ts'
import type { User } from '../../lib/http/access.ts'
import { isId } from '../../lib/http/schema/schema.ts'
import { isRecipeListed } from '../agents/record/agent-record.ts'
import { inWorkspaceOf } from '../workspaces/members/in-workspace-of.ts'
import { readRecipe, recipeRecord, selectRecipes } from './recipe-record.ts'
import type { RecipeQuery } from './recipes.schema.ts'

const byInstalls: Order<'install_count' | 'id'> = {
  by: { install_count: 'recipe.install_count', id: 'recipe.id' },
  direction: 'desc',
  decode: (text) => {
    const [count = '', id = ''] = text.split(' ')
    return /^\d{1,9}$/.test(count) && isId(id) ? [count, id] : undefined
  },
}

/** Lists the recipes of the catalogue, or all of the caller's workspaces. */
export async function listRecipes(
  db: Db,
  caller: User,
  { search, category, language, mine, sort, ...cut }: Static<typeof RecipeQuery> & PageInput,
) {
  let recipes = selectRecipes(db, caller).where(
    mine ? sql<SqlBool>`${inWorkspaceOf(caller, 'recipe.workspace_id')}` : isRecipeListed,
  )
  if (search !== undefined) recipes = recipes.where(sql<SqlBool>`recipe.search @@ words_query(${search})`)
  if (category !== undefined) recipes = recipes.where('recipe.category', '=', category)
  if (language !== undefined)
    recipes = recipes.where((recipe) =>
      recipe.or([recipe('recipe.language', '=', language), recipe('recipe.language', 'is', null)]),
    )
  const { data, next_cursor } =
    sort === 'new' ? await page(recipes, 'recipe.id', cut) : await page(recipes, byInstalls, cut)
  return { data: data.map(recipeRecord), next_cursor }
}

export async function listVersions(db: Db, caller: User, id: string, cut: PageInput) {
  await readRecipe(db, caller, id)
  const versions = db.selectFrom('recipe_version').select(['version', 'body', 'created_at']).where('recipe_id', '=', id)
  const newestFirst: Order<'version'> = {
    by: { version: 'recipe_version.version' },
    direction: 'desc',
    decode: (text) => (/^\d{1,9}$/.test(text) ? [text] : undefined),
  }
  const { data, next_cursor } = await page(versions, newestFirst, cut)
  return { data: data.map(({ body, ...version }) => ({ ...body, ...version })), next_cursor }
}
