import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { instanceAdminChunk } from '../../chunks/load'
import { instanceRoute } from '../../layout-routes'
import { validateNewTemplateSearch, validateOutboxSearch, validateTemplateSearch } from './search-params'

const templates = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/email-templates',
  validateSearch: validateTemplateSearch,
  component: lazyRouteComponent(instanceAdminChunk, 'TemplatesPage'),
})

const newTemplate = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/email-templates/new',
  validateSearch: validateNewTemplateSearch,
  component: lazyRouteComponent(instanceAdminChunk, 'NewTemplatePage'),
})

const template = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/email-templates/$template',
  component: lazyRouteComponent(instanceAdminChunk, 'TemplatePage'),
})

const outbox = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/outbox',
  validateSearch: validateOutboxSearch,
  component: lazyRouteComponent(instanceAdminChunk, 'OutboxPage'),
})

export const mailRoutes = { instance: [templates, newTemplate, template, outbox] } as const
