import { exportRows } from '../../../lib/export.ts'

/** The calendar feeds of a user, without their secrets. */
export const calendarFeeds = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('calendar_feed')
    .select(['id', 'workspace_id', 'name', 'account_ids', 'labels', 'last_read_at', 'created_at'])
    .where('user_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
