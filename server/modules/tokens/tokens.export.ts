import { exportRows } from '../../lib/export.ts'

export const apiTokens = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('api_token')
    .select(['id', 'team_id', 'name', 'prefix', 'scopes', 'last_used_at', 'expires_at', 'revoked_at', 'created_at'])
    .where('user_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
