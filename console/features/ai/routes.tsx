import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { instanceAdminChunk } from '../../chunks/load'
import { instanceRoute } from '../../layout-routes'
import { validateModelSearch } from './search-params'

const models = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ai-models',
  validateSearch: validateModelSearch,
  component: lazyRouteComponent(instanceAdminChunk, 'ModelsPage'),
})

const newModel = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ai-models/new',
  component: lazyRouteComponent(instanceAdminChunk, 'NewModelPage'),
})

const model = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ai-models/$model',
  component: lazyRouteComponent(instanceAdminChunk, 'ModelPage'),
})

export const aiRoutes = { instance: [models, newModel, model] } as const
