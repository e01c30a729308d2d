import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { signedInRoute, workspaceRoute } from '../../layout-routes'
import { type Search, textParam } from '../../ui/navigation/search-params'
import { accountCheckQuery, accountHealthQuery } from './health/queries'
import { prefetchAccounts } from './queries'

const accounts = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/accounts',
  validateSearch: (search: Search) => ({
    ...textParam(search, 'connect'),
    ...textParam(search, 'account'),
    ...textParam(search, 'connection'),
    ...textParam(search, 'by'),
  }),
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(() => withTexts(import('./AccountsPage'), 'workspace', 'further'), 'AccountsPage'),
})

const health = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/accounts/health',
  loader: ({ params }) => {
    void queryClient.prefetchQuery(accountHealthQuery(params.workspace))
    void queryClient.prefetchQuery(accountCheckQuery(params.workspace))
  },
  component: lazyRouteComponent(
    () => withTexts(import('./health/AccountHealthPage'), 'workspace', 'further'),
    'AccountHealthPage',
  ),
})

/** The page after a sign-in at a network that Meydan no longer knows. */
const connectionEnded = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/connection-ended',
  component: lazyRouteComponent(
    () => withTexts(import('./connection/ConnectionEndedPage'), 'workspace', 'further'),
    'ConnectionEndedPage',
  ),
})

export const accountRoutes = { workspace: [accounts, health], signedIn: [connectionEnded] } as const
