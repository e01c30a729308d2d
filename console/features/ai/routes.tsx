import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../i18n'
import { instanceRoute } from '../../layout-routes'
import { validateModelSearch } from './search-params'

const models = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ai-models',
  validateSearch: validateModelSearch,
  component: lazyRouteComponent(
    () => withTexts(import('./models/ModelsPage'), 'workspace', 'further', 'instance-admin'),
    'ModelsPage',
  ),
})

const newModel = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ai-models/new',
  component: lazyRouteComponent(
    () => withTexts(import('./models/ModelPage'), 'workspace', 'further', 'instance-admin'),
    'NewModelPage',
  ),
})

const model = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ai-models/$model',
  component: lazyRouteComponent(
    () => withTexts(import('./models/ModelPage'), 'workspace', 'further', 'instance-admin'),
    'ModelPage',
  ),
})

export const aiRoutes = { instance: [models, newModel, model] } as const
