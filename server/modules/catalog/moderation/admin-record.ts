import { type SqlBool, sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import { readBody } from '../recipe-record.ts'
import type { AdminRecipeQuery } from './moderation.schema.ts'

const hasOpenReports = sql<SqlBool>`exists (
  select from recipe_report as r where r.recipe_id = recipe.id and r.status = 'open')`

const selectForAdmin = (db: Db) =>
  db
    .selectFrom('recipe')
    .innerJoin('recipe_version as newest', (join) =>
      join.onRef('newest.recipe_id', '=', 'recipe.id').onRef('newest.version', '=', 'recipe.version'),
    )
    .select(['recipe.id', 'recipe.published', 'recipe.taken_down_at', 'recipe.take_down_reason'])
    .select(['recipe.install_count', 'recipe.workspace_id', 'recipe.created_at'])
    .select([
      sql<string>`newest.body ->> 'name'`.as('name'),
      sql<boolean>`recipe.built_in is not null`.as('is_built_in'),
      sql<number>`(select count(*)::int from recipe_report as r where r.recipe_id = recipe.id and r.status = 'open')`.as(
        'open_reports',
      ),
    ])
    .select((recipe) =>
      jsonObjectFrom(
        recipe.selectFrom('user').select(['id', 'name', 'email']).whereRef('user.id', '=', 'recipe.creator_id'),
      ).as('creator'),
    )

/** Lists the recipes of all workspaces, published or not, the newest first. */
export function listRecipesForAdmin(
  db: Db,
  { taken_down, reported, ...cut }: Static<typeof AdminRecipeQuery> & PageInput,
) {
  let recipes = selectForAdmin(db)
  if (taken_down !== undefined) recipes = recipes.where('recipe.taken_down_at', taken_down ? 'is not' : 'is', null)
  if (reported) recipes = recipes.where(hasOpenReports)
  return page(recipes, 'recipe.id', cut)
}

export async function readForAdmin(db: Db, id: string) {
  const recipe = await selectForAdmin(db).where('recipe.id', '=', id).executeTakeFirst()
  if (!recipe) throw notFound()
  return recipe
}

export async function lockForAdmin(tx: Tx, id: string) {
  const recipe = await tx
    .selectFrom('recipe')
    .select(['workspace_id', 'creator_id', 'taken_down_at', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!recipe) throw notFound()
  return { ...recipe, body: await readBody(tx, id, recipe.version) }
}
