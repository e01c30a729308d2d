import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { instanceAdminChunk } from '../../chunks/load'
import { instanceRoute } from '../../layout-routes'

const hold = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/hold',
  component: lazyRouteComponent(instanceAdminChunk, 'HoldPage'),
})

export const installationRoutes = { instance: [hold] } as const
