import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { instanceAdminChunk } from '../../chunks/load'
import { instanceRoute } from '../../layout-routes'

const hold = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/hold',
  component: lazyRouteComponent(instanceAdminChunk, 'HoldPage'),
})

const backups = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/backups',
  component: lazyRouteComponent(instanceAdminChunk, 'BackupsPage'),
})

const status = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/status',
  component: lazyRouteComponent(instanceAdminChunk, 'StatusPage'),
})

export const installationRoutes = { instance: [backups, hold, status] } as const
