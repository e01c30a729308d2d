import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../api'
import { withTexts } from '../../i18n'
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
  component: lazyRouteComponent(
    () => withTexts(import('./subscription/BillingPage'), 'workspace', 'further'),
    'BillingPage',
  ),
})

const choosePlan = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing/plans',
  validateSearch: planChoice,
  loader: ({ params: { workspace } }) => queryClient.prefetchQuery(usageQuery(workspace)),
  component: lazyRouteComponent(
    () => withTexts(import('./choose-plan/ChoosePlanPage'), 'workspace', 'further'),
    'ChoosePlanPage',
  ),
})

const checkout = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing/checkouts/$checkout',
  component: lazyRouteComponent(
    () => withTexts(import('./checkout/CheckoutPage'), 'workspace', 'further'),
    'CheckoutPage',
  ),
})

const invoice = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing/invoices/$invoice',
  component: lazyRouteComponent(
    () => withTexts(import('./invoice/InvoicePage'), 'workspace', 'further'),
    'InvoicePage',
  ),
})

const overview = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/billing',
  component: lazyRouteComponent(
    () => withTexts(import('./admin/BillingOverviewPage'), 'workspace', 'further', 'instance-admin'),
    'BillingOverviewPage',
  ),
})

const requests = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/billing/payment-requests',
  validateSearch: (search: Search) => textParam(search, 'status'),
  component: lazyRouteComponent(
    () => withTexts(import('./admin/PaymentRequestsPage'), 'workspace', 'further', 'instance-admin'),
    'PaymentRequestsPage',
  ),
})

const subscriptions = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/billing/subscriptions',
  validateSearch: (search: Search) => ({
    ...textParam(search, 'status'),
    ...textParam(search, 'plan'),
    ...textParam(search, 'provider'),
  }),
  component: lazyRouteComponent(
    () => withTexts(import('./admin/SubscriptionsPage'), 'workspace', 'further', 'instance-admin'),
    'SubscriptionsPage',
  ),
})

const invoices = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/billing/invoices',
  validateSearch: (search: Search) => ({
    ...textParam(search, 'search'),
    ...textParam(search, 'month'),
    ...textParam(search, 'status'),
  }),
  component: lazyRouteComponent(
    () => withTexts(import('./admin/InvoicesPage'), 'workspace', 'further', 'instance-admin'),
    'InvoicesPage',
  ),
})

const ledger = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/ledger',
  component: lazyRouteComponent(
    () => withTexts(import('./admin/LedgerPage'), 'workspace', 'further', 'instance-admin'),
    'LedgerPage',
  ),
})

const settlements = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/settlements',
  component: lazyRouteComponent(
    () => withTexts(import('./admin/settlements/SettlementsPage'), 'workspace', 'further', 'instance-admin'),
    'SettlementsPage',
  ),
})

export const billingRoutes = {
  signedIn: [chooseAfterSignUp],
  workspace: [billing, choosePlan, checkout, invoice],
  instance: [overview, requests, subscriptions, invoices, settlements, ledger],
} as const
