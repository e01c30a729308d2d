import { exportValue } from '../../../lib/export.ts'

export const signature = exportValue(
  async (db, user_id) =>
    (await db
      .selectFrom('signature')
      .select(['handle', 'text', 'updated_at'])
      .where('user_id', '=', user_id)
      .executeTakeFirst()) ?? null,
)
