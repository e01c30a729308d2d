import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { workspaceRoute } from '../../layout-routes'
import type { Search } from '../../ui/navigation/search-params'
import { scopesQuery, tokensQuery } from './queries'

const tokens = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/tokens',
  // `past`: also shows revoked and expired tokens.
  validateSearch: ({ past }: Search): { past?: boolean } => ({ past: past === true || undefined }),
  loader: ({ params }) => {
    void queryClient.prefetchQuery(tokensQuery(params.workspace))
    void queryClient.prefetchQuery(scopesQuery(params.workspace))
  },
  component: lazyRouteComponent(() => withTexts(import('./TokensPage'), 'workspace', 'further'), 'TokensPage'),
})

export const tokenRoutes = { workspace: [tokens] } as const
