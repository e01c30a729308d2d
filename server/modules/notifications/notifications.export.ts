import { exportRows, exportValue } from '../../lib/export.ts'
import { readPreferences } from './preferences.ts'

export const notifications = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('notification')
    .innerJoin('notification_event as e', 'e.id', 'notification.event_id')
    .select(['e.id', 'e.workspace_id', 'kind', 'subject_type', 'subject_id', 'subject_name', 'detail', 'read_at'])
    .select('e.created_at')
    .where('user_id', '=', user_id)
    .where('e.id', '>', after)
    .orderBy('e.id')
    .limit(limit)
    .execute(),
)

export const notificationSettings = exportValue(async (db, user_id) => {
  const { version: _, ...settings } = await readPreferences(db, { user_id })
  return settings
})

export const pushSubscriptions = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('push_subscription')
    .innerJoin('session', 'session.id', 'push_subscription.session_id')
    .select(['push_subscription.id', 'session.user_agent', 'push_subscription.created_at'])
    .select('used_at as last_used_at')
    .where('push_subscription.user_id', '=', user_id)
    .where('push_subscription.id', '>', after)
    .orderBy('push_subscription.id')
    .limit(limit)
    .execute(),
)
