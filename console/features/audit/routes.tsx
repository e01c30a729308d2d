import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { instanceRoute, workspaceRoute } from '../../layout-routes'
import { meQuery } from '../auth/queries'
import { findWorkspace, isAtLeast, workspacesQuery } from '../workspaces/queries'
import { auditQuery, instanceAuditQuery } from './queries'
import { validateAuditSearch } from './search-params'

const auditLog = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/audit-log',
  validateSearch: validateAuditSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => {
    const found = findWorkspace(await queryClient.ensureQueryData(workspacesQuery), params.workspace)
    if (found && isAtLeast(found, 'admin')) void queryClient.prefetchInfiniteQuery(auditQuery(found, deps))
  },
  component: lazyRouteComponent(() => withTexts(import('./AuditLogPage'), 'workspace', 'further'), 'AuditLogPage'),
})

const instanceAuditLog = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/audit-log',
  validateSearch: validateAuditSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const { timezone } = await queryClient.ensureQueryData(meQuery)
    void queryClient.prefetchInfiniteQuery(instanceAuditQuery(timezone, deps))
  },
  component: lazyRouteComponent(
    () => withTexts(import('./InstanceAuditLogPage'), 'workspace', 'further'),
    'InstanceAuditLogPage',
  ),
})

export const auditRoutes = { workspace: [auditLog], instance: [instanceAuditLog] } as const
