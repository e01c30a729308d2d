import { exportRows, exportValue } from '../../lib/export.ts'

export const emailChange = exportValue(
  async (db, user_id) =>
    (await db
      .selectFrom('email_change')
      .select(['new_email as email', 'expires_at', 'created_at'])
      .where('user_id', '=', user_id)
      .executeTakeFirst()) ?? null,
)

export const sessions = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('session')
    .select(['id', 'ip_address', 'user_agent', 'created_at', 'seen_at as last_used_at', 'expires_at'])
    .where('user_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
