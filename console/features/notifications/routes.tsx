import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { shellRoute } from '../../layout-routes'
import type { Search } from '../../ui/navigation/search-params'
import { notificationsQuery, preferencesQuery, pushSubscriptionsQuery } from './queries'

const list = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  validateSearch: (search: Search): { state?: 'unread' } => (search.state === 'unread' ? { state: 'unread' } : {}),
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { state } }) => void queryClient.prefetchInfiniteQuery(notificationsQuery(state)),
  component: lazyRouteComponent(
    () => withTexts(import('./NotificationsPage'), 'workspace', 'further'),
    'NotificationsPage',
  ),
})

const settings = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile/notifications',
  loader: () => {
    void queryClient.prefetchQuery(preferencesQuery)
    void queryClient.prefetchQuery(pushSubscriptionsQuery)
  },
  component: lazyRouteComponent(
    () => withTexts(import('./NotificationSettingsPage'), 'workspace', 'further'),
    'NotificationSettingsPage',
  ),
})

export const notificationRoutes = { shell: [list, settings] } as const
