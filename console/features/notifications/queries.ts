import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, queryClient, unwrap } from '../../api'
import type { components } from '../../api.gen'

export type Notification = components['schemas']['Notification']
export type NotificationPreferences = components['schemas']['NotificationPreferences']
type ChangePreferences = components['schemas']['ChangeNotificationPreferences']
export type Kind = Notification['kind']

const KEY = ['notifications'] as const

export const notificationsQuery = (state?: 'unread') =>
  infiniteQueryOptions({
    queryKey: [...KEY, 'list', state],
    queryFn: ({ pageParam }) => {
      const query = { limit: 25, ...(pageParam && { cursor: pageParam }), ...(state && { state }) }
      return unwrap(api.GET('/api/v1/me/notifications', { params: { query } }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const pushSubscriptionsQuery = queryOptions({
  queryKey: ['push-subscriptions'],
  // A user has at most ten.
  queryFn: () => unwrap(api.GET('/api/v1/me/push-subscriptions')),
})

export const preferencesQuery = queryOptions({
  queryKey: [...KEY, 'preferences'],
  queryFn: () => unwrap(api.GET('/api/v1/me/notification-preferences')),
})

export const changePreferences = (body: ChangePreferences) =>
  unwrap(api.PATCH('/api/v1/me/notification-preferences', { body }))

export const markRead = (id: string) =>
  unwrap(api.POST('/api/v1/me/notifications/{id}/read', { params: { path: { id } } }))

/** `until`: the newest notification that was shown. */
export const markAllRead = (until: string) => unwrap(api.POST('/api/v1/me/notifications/read', { body: { until } }))

/** Fetches the lists and the number of unread notifications again. */
export const reloadNotifications = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: [...KEY, 'list'] }),
    queryClient.invalidateQueries({ queryKey: ['pulse'] }),
  ])
