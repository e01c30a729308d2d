import { exportRows } from '../../lib/export.ts'

export const webhooks = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('webhook')
    .select(['id', 'team_id', 'url', 'events', 'active', 'created_at'])
    .where('user_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
