import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../i18n'
import { instanceRoute } from '../../layout-routes'
import { validateNewTemplateSearch, validateOutboxSearch, validateTemplateSearch } from './search-params'

const templates = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/email-templates',
  validateSearch: validateTemplateSearch,
  component: lazyRouteComponent(
    () => withTexts(import('./TemplatesPage'), 'workspace', 'further', 'instance-admin'),
    'TemplatesPage',
  ),
})

const newTemplate = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/email-templates/new',
  validateSearch: validateNewTemplateSearch,
  component: lazyRouteComponent(
    () => withTexts(import('./template/TemplatePage'), 'workspace', 'further', 'instance-admin'),
    'NewTemplatePage',
  ),
})

const template = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/email-templates/$template',
  component: lazyRouteComponent(
    () => withTexts(import('./template/TemplatePage'), 'workspace', 'further', 'instance-admin'),
    'TemplatePage',
  ),
})

const outbox = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/outbox',
  validateSearch: validateOutboxSearch,
  component: lazyRouteComponent(
    () => withTexts(import('./OutboxPage'), 'workspace', 'further', 'instance-admin'),
    'OutboxPage',
  ),
})

export const mailRoutes = { instance: [templates, newTemplate, template, outbox] } as const
