import { exportRows } from '../../../lib/export.ts'

export const recipeReports = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('recipe_report')
    .select(['id', 'recipe_id', 'reason', 'text', 'status', 'created_at'])
    .where('reporter_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
