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

export const installationRoutes = { instance: [backups, hold] } as const
