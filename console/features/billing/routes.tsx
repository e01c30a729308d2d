import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { billingChunk } from '../../chunks/load'
import { workspaceRoute } from '../../layout-routes'
import type { Search } from '../../ui/navigation/search-params'
import { usageQuery } from '../plans/queries'

const billing = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing',
  loader: ({ params: { workspace } }) => queryClient.prefetchQuery(usageQuery(workspace)),
  component: lazyRouteComponent(billingChunk, 'BillingPage'),
})

const choosePlan = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing/plans',
  validateSearch: (search: Search): { currency?: 'try' | 'usd'; period?: 'monthly' | 'yearly' } => ({
    currency: search.currency === 'try' || search.currency === 'usd' ? search.currency : undefined,
    period: search.period === 'monthly' || search.period === 'yearly' ? search.period : undefined,
  }),
  loader: ({ params: { workspace } }) => queryClient.prefetchQuery(usageQuery(workspace)),
  component: lazyRouteComponent(billingChunk, 'ChoosePlanPage'),
})

const checkout = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing/checkouts/$checkout',
  component: lazyRouteComponent(billingChunk, 'CheckoutPage'),
})

export const billingRoutes = { workspace: [billing, choosePlan, checkout], instance: [] } as const
