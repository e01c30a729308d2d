import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { workspaceRoute } from '../../layout-routes'
import { prefetchAccounts } from '../accounts/queries'
import { accountMetricsQuery } from './queries'

const accountMetrics = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/accounts/$account/metrics',
  loader: ({ params }) => {
    void prefetchAccounts(params.workspace)
    void queryClient.prefetchQuery(accountMetricsQuery(params.workspace, params.account, 30))
  },
  component: lazyRouteComponent(
    () => withTexts(import('./AccountMetricsPage'), 'workspace', 'further'),
    'AccountMetricsPage',
  ),
})

export const metricsRoutes = { workspace: [accountMetrics] } as const
