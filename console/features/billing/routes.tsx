import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { billingAdminChunk, billingChunk } from '../../chunks/load'
import { instanceRoute, signedInRoute, workspaceRoute } from '../../layout-routes'
import { type Search, textParam } from '../../ui/navigation/search-params'
import { meQuery } from '../auth/queries'
import { usageQuery } from '../plans/queries'
import { planChoice } from '../plans/search-params'
import { lastWorkspace, workspacesQuery } from '../workspaces/queries'

/** The address to which the price list leads those who sign up for a plan. */
const chooseAfterSignUp = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/choose-plan',
  validateSearch: planChoice,
  beforeLoad: async ({ search }) => {
    const [me, workspaces] = await Promise.all([
      queryClient.ensureQueryData(meQuery),
      queryClient.ensureQueryData(workspacesQuery),
    ])
    const workspace = lastWorkspace(workspaces, me)
    if (!workspace) throw redirect({ to: '/new-workspace', search })
    throw redirect({ to: '/w/$workspace/billing/plans', params: { workspace: workspace.slug }, search })
  },
})

const billing = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing',
  loader: ({ params: { workspace } }) => queryClient.prefetchQuery(usageQuery(workspace)),
  component: lazyRouteComponent(billingChunk, 'BillingPage'),
})

const choosePlan = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing/plans',
  validateSearch: planChoice,
  loader: ({ params: { workspace } }) => queryClient.prefetchQuery(usageQuery(workspace)),
  component: lazyRouteComponent(billingChunk, 'ChoosePlanPage'),
})

const checkout = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing/checkouts/$checkout',
  component: lazyRouteComponent(billingChunk, 'CheckoutPage'),
})

const invoice = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing/invoices/$invoice',
  component: lazyRouteComponent(billingChunk, 'InvoicePage'),
})

const overview = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/billing',
  component: lazyRouteComponent(billingAdminChunk, 'BillingOverviewPage'),
})

const requests = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/billing/payment-requests',
  validateSearch: (search: Search) => textParam(search, 'status'),
  component: lazyRouteComponent(billingAdminChunk, 'PaymentRequestsPage'),
})

const subscriptions = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/billing/subscriptions',
  validateSearch: (search: Search) => ({
    ...textParam(search, 'status'),
    ...textParam(search, 'plan'),
    ...textParam(search, 'provider'),
  }),
  component: lazyRouteComponent(billingAdminChunk, 'SubscriptionsPage'),
})

const invoices = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/billing/invoices',
  validateSearch: (search: Search) => ({
    ...textParam(search, 'search'),
    ...textParam(search, 'month'),
    ...textParam(search, 'status'),
  }),
  component: lazyRouteComponent(billingAdminChunk, 'InvoicesPage'),
})

const ledger = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ledger',
  component: lazyRouteComponent(billingAdminChunk, 'LedgerPage'),
})

export const billingRoutes = {
  signedIn: [chooseAfterSignUp],
  workspace: [billing, choosePlan, checkout, invoice],
  instance: [overview, requests, subscriptions, invoices, ledger],
} as const
