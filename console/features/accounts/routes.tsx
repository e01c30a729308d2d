import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { workspaceChunk } from '../../chunks/load'
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
  component: lazyRouteComponent(workspaceChunk, 'AccountsPage'),
})

const health = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/accounts/health',
  loader: ({ params }) => {
    void queryClient.prefetchQuery(accountHealthQuery(params.workspace))
    void queryClient.prefetchQuery(accountCheckQuery(params.workspace))
  },
  component: lazyRouteComponent(workspaceChunk, 'AccountHealthPage'),
})

/** The page after a sign-in at a network that Meydan no longer knows. */
const connectionEnded = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/connection-ended',
  component: lazyRouteComponent(workspaceChunk, 'ConnectionEndedPage'),
})

export const accountRoutes = { workspace: [accounts, health], signedIn: [connectionEnded] } as const
