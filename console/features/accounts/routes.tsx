import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceChunk } from '../../chunks/load'
import { workspaceRoute } from '../../layout-routes'
import { type Search, textParam } from '../../ui/navigation/search-params'
import { prefetchAccounts } from './queries'

const accounts = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/accounts',
  validateSearch: (search: Search) => ({ ...textParam(search, 'connect'), ...textParam(search, 'account') }),
  loader: ({ params }) => void prefetchAccounts(params.workspace),
  component: lazyRouteComponent(workspaceChunk, 'AccountsPage'),
})

export const accountRoutes = { workspace: [accounts] } as const
