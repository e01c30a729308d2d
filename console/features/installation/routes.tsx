import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../i18n'
import { instanceRoute } from '../../layout-routes'

const hold = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/hold',
  component: lazyRouteComponent(
    () => withTexts(import('./HoldPage'), 'workspace', 'further', 'instance-admin'),
    'HoldPage',
  ),
})

const backups = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/backups',
  component: lazyRouteComponent(
    () => withTexts(import('./BackupsPage'), 'workspace', 'further', 'instance-admin'),
    'BackupsPage',
  ),
})

const status = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/status',
  component: lazyRouteComponent(
    () => withTexts(import('./StatusPage'), 'workspace', 'further', 'instance-admin'),
    'StatusPage',
  ),
})

export const installationRoutes = { instance: [backups, hold, status] } as const
