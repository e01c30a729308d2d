import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
import { workspaceRoute } from '../../layout-routes'
import { deliveriesQuery, validateWebhookSearch } from './deliveries/delivery-queries'
import { eventTypesQuery, statsQuery, webhookQuery, webhooksQuery } from './queries'

const webhooks = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks',
  loader: ({ params }) => void queryClient.prefetchQuery(webhooksQuery(params.workspace)),
  component: lazyRouteComponent(() => withTexts(import('./WebhooksPage'), 'workspace', 'further'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/$webhook',
  validateSearch: validateWebhookSearch,
  loaderDeps: ({ search: { delivery: _, ...search } }) => search,
  loader: ({ params, deps: { period = '24h', ...filters } }) => {
    void queryClient.prefetchQuery(webhookQuery(params.workspace, params.webhook))
    void queryClient.prefetchQuery(statsQuery(params.workspace, params.webhook, period))
    void queryClient.prefetchInfiniteQuery(deliveriesQuery(params.workspace, params.webhook, filters))
  },
  component: lazyRouteComponent(() => withTexts(import('./WebhookPage'), 'workspace', 'further'), 'WebhookPage'),
})

const newWebhook = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/new',
  loader: ({ params }) => void queryClient.prefetchQuery(eventTypesQuery(params.workspace)),
  component: lazyRouteComponent(
    () => withTexts(import('./form/WebhookFormPages'), 'workspace', 'further'),
    'NewWebhookPage',
  ),
})

const editWebhook = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/$webhook/edit',
  loader: ({ params }) => void queryClient.prefetchQuery(eventTypesQuery(params.workspace)),
  component: lazyRouteComponent(
    () => withTexts(import('./form/WebhookFormPages'), 'workspace', 'further'),
    'EditWebhookPage',
  ),
})

export const webhookRoutes = { workspace: [webhooks, webhook, newWebhook, editWebhook] } as const
