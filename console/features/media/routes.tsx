import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { workspaceRoute } from '../../layout-routes'
import { deletedMediaQuery, mediaQuery } from './queries'
import { validateMediaSearch } from './search-params'

const media = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/media',
  validateSearch: validateMediaSearch,
  loaderDeps: ({ search: { kind, label, search } }) => ({ kind, label, search }),
  loader: ({ params, deps }) => void queryClient.prefetchInfiniteQuery(mediaQuery(params.workspace, deps)),
  component: lazyRouteComponent(() => withTexts(import('./library/MediaPage'), 'workspace', 'further'), 'MediaPage'),
})

const deletedMedia = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/media/deleted',
  loader: ({ params }) => void queryClient.prefetchQuery(deletedMediaQuery(params.workspace)),
  component: lazyRouteComponent(
    () => withTexts(import('./library/DeletedMediaPage'), 'workspace', 'further'),
    'DeletedMediaPage',
  ),
})

export const mediaRoutes = { workspace: [media, deletedMedia] } as const
