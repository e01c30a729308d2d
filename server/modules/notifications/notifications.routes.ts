import type { FastifyInstance } from 'fastify'
import { Page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { user } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { idParams, NoContent } from '../../lib/http/schema/schema.ts'
import { Notification, NotificationQuery, ReadAll } from './notifications.schema.ts'
import { listNotifications, readAllNotifications, readNotification } from './notifications.ts'
import { ChangePreferences, NotificationPreferences } from './preferences.schema.ts'
import { changePreferences, readPreferences } from './preferences.ts'

export function notificationRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Notifications')
  const access = user({ token: false })

  route.get('/me/notifications', {
    operationId: 'listNotifications',
    summary: 'List your notifications',
    description:
      'Returns what waits for you and what happened in your workspaces, newest first. Notifications of one kind about one subject are one record. They are kept for 90 days.',
    access,
    query: NotificationQuery,
    response: { 200: Page(Notification) },
    handler: ({ db, caller, query }) => listNotifications(db, caller, query),
  })
  route.post('/me/notifications/read', {
    operationId: 'readAllNotifications',
    summary: 'Mark all notifications as read',
    access,
    body: ReadAll,
    response: { 204: NoContent },
    handler: ({ deps, caller, body }) => readAllNotifications(deps, caller, body.until),
  })
  route.post('/me/notifications/:id/read', {
    operationId: 'readNotification',
    summary: 'Mark a notification as read',
    description: 'Marks the notification and earlier ones of its group as read.',
    access,
    params: idParams('notification'),
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => readNotification(deps, caller, params.id),
  })
  route.get('/me/notification-preferences', {
    operationId: 'readNotificationPreferences',
    summary: 'Retrieve your notification preferences',
    access,
    response: { 200: NotificationPreferences },
    handler: ({ db, caller }) => readPreferences(db, caller),
  })
  route.patch('/me/notification-preferences', {
    operationId: 'changeNotificationPreferences',
    summary: 'Update your notification preferences',
    description:
      'Chooses for kinds of notifications whether they are listed in the console, when they are e-mailed and whether they are pushed, and sets the time of the daily e-mail and the quiet hours.',
    access,
    body: ChangePreferences,
    response: { 200: NotificationPreferences },
    handler: ({ db, caller, body, ifMatch }) => changePreferences(db, caller, body, ifMatch),
  })
}
