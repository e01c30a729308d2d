import { exportRows } from '../../lib/export.ts'

/** Recipes that the user published, with their newest versions. */
export const recipes = exportRows(async (db, user_id, after, limit) => {
  const rows = await db
    .selectFrom('recipe')
    .innerJoin('recipe_version as newest', (join) =>
      join.onRef('newest.recipe_id', '=', 'recipe.id').onRef('newest.version', '=', 'recipe.version'),
    )
    .select(['recipe.id', 'recipe.workspace_id', 'recipe.version', 'recipe.published'])
    .select(['recipe.created_at', 'recipe.updated_at', 'newest.body'])
    .where('recipe.creator_id', '=', user_id)
    .where('recipe.id', '>', after)
    .orderBy('recipe.id')
    .limit(limit)
    .execute()
  return rows.map(({ body, ...row }) => ({ ...row, ...body }))
})
