import { exportRows } from '../../lib/export.ts'

/** Agents that act for the user. */
export const agents = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('agent')
    .select(['id', 'workspace_id', 'name', 'description', 'category', 'tags', 'role', 'persona', 'system_prompt'])
    .select(['image_style', 'voice', 'language', 'schedule_cron', 'timezone', 'autonomy_level', 'is_active'])
    .select(['posts_per_run', 'daily_limit', 'generate_image', 'design', 'video'])
    .select(['created_at', 'updated_at'])
    .where('acts_for_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
