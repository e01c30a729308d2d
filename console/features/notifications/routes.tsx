import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { profileChunk } from '../../chunks/load'
import { shellRoute } from '../../layout-routes'
import type { Search } from '../../ui/navigation/search-params'
import { notificationsQuery, preferencesQuery } from './queries'

const list = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  validateSearch: (search: Search): { state?: 'unread' } => (search.state === 'unread' ? { state: 'unread' } : {}),
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { state } }) => void queryClient.prefetchInfiniteQuery(notificationsQuery(state)),
  component: lazyRouteComponent(profileChunk, 'NotificationsPage'),
})

const settings = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile/notifications',
  loader: () => void queryClient.prefetchQuery(preferencesQuery),
  component: lazyRouteComponent(profileChunk, 'NotificationSettingsPage'),
})

export const notificationRoutes = { shell: [list, settings] } as const
